//! What happens behind the callers' backs: one thread of low priority that compresses and indexes
//! what was committed, removes what is old, and looks after what killed runs left.
//!
//! It reads with a connection of its own and writes through the writer, in the lane behind all
//! callers, a short transaction at a time. Where the writer cannot write, it gives up until it is
//! woken again.

mod orders;
mod removal;
mod retention;
mod settle;
pub(crate) mod sizes;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::blobs::{BlobDir, sweep};
use crate::db::{check, connection, runs};
use crate::error::{Result, StoreError};
use crate::options::Retention;
use crate::readers::Readers;
use crate::spool::SpoolDir;
use crate::stats::Counters;
use crate::store::Store;
use crate::timestamp::Timestamp;
use crate::writer::Writer;
use orders::{Order, Orders};
pub use retention::RetentionReport;

/// How often dead runs are looked for where nothing else wakes the thread.
const ROUND: Duration = Duration::from_secs(60);

/// The way to the thread.
#[derive(Debug)]
pub(crate) struct Keeper {
    orders: Arc<Orders>,
}

/// What the thread works with.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) path: PathBuf,
    pub(crate) writer: Writer,
    pub(crate) blobs: Arc<BlobDir>,
    pub(crate) spool: SpoolDir,
    pub(crate) counters: Arc<Counters>,
    pub(crate) retention: Option<Retention>,
    pub(crate) busy_timeout: Duration,
    pub(crate) check_due: bool,
}

impl Keeper {
    /// Says that a response of this size waits to be compressed and indexed.
    pub(crate) fn to_settle(&self, bytes: usize) {
        self.orders.came(bytes);
    }

    pub(crate) fn stop(&self) {
        self.orders.stop();
    }
}

impl Store {
    /// Waits until everything that is committed now is compressed and indexed, or cannot be.
    pub async fn settle(&self) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        self.keeper().orders.give(Order::Settle(reply));
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Removes what is too old or too much now, as of some time, instead of when it is next due.
    pub async fn retain(&self, now: Timestamp) -> Result<RetentionReport> {
        let (reply, answer) = oneshot::channel();
        self.keeper().orders.give(Order::Retain(now, reply));
        answer.await.unwrap_or(Err(StoreError::Closed))
    }
}

/// Starts the thread. The channel answers when it has ended and let go of the database.
pub(crate) fn start(parts: Parts) -> Result<(Keeper, oneshot::Receiver<()>)> {
    let (ended, end) = oneshot::channel();
    let orders = Arc::new(Orders::default());
    let readers = Readers::new(&parts.path, &parts.spool, 1, parts.busy_timeout);
    let path = parts.path.clone();
    let worker = Worker {
        parts,
        readers,
        orders: Arc::clone(&orders),
    };
    thread::Builder::new()
        .name("store-keeper".into())
        .spawn(move || {
            worker.run();
            let _ = ended.send(());
        })
        .map_err(StoreError::io(&path))?;
    Ok((Keeper { orders }, end))
}

struct Worker {
    parts: Parts,
    readers: Arc<Readers>,
    orders: Arc<Orders>,
}

impl Worker {
    fn run(self) {
        yield_to_callers();
        self.log("check the database", self.check_if_due());
        let Parts { blobs, path, .. } = &self.parts;
        self.log("sweep the blobs", sweep::sweep(blobs, path, &self.readers));
        let every = self
            .parts
            .retention
            .map_or(ROUND, |retention| retention.every);
        let mut due = Instant::now() + every;
        while let Some(orders) = self.orders.wait_until(due) {
            self.log("settle responses", self.settle_if_quiet());
            self.log("tidy the spool", self.tidy_spool());
            for order in orders {
                self.carry_out(order);
            }
            if Instant::now() >= due {
                self.round();
                due = Instant::now() + every;
            }
        }
    }

    fn carry_out(&self, order: Order) {
        // Whoever asked may be gone; the work is done all the same.
        match order {
            Order::Settle(reply) => {
                drop(reply.send(self.settle_all().and_then(|()| self.tidy_spool())));
            }
            Order::Retain(now, reply) => drop(reply.send(self.retain(now))),
        }
    }

    fn round(&self) {
        self.log("look for dead runs", self.bury_dead_runs());
        self.log(
            "remove what is old",
            self.retain(Timestamp::now()).map(|_| ()),
        );
    }

    fn bury_dead_runs(&self) -> Result<()> {
        let path = &self.parts.path;
        let dead = Arc::new(self.readers.run_here(|view| Ok(runs::dead(view, path)?))?);
        if dead.is_empty() {
            return Ok(());
        }
        let found = Arc::clone(&dead);
        self.parts
            .writer
            .chore(move |conn| Ok(runs::bury(conn, &found)?))?;
        runs::forget(path, &dead);
        Ok(())
    }

    fn check_if_due(&self) -> Result<()> {
        if !self.parts.check_due {
            return Ok(());
        }
        let Parts {
            path,
            busy_timeout,
            counters,
            ..
        } = &self.parts;
        let mut conn = connection::open_reader(path, *busy_timeout)?;
        let verdict = check::check_until(&mut conn, path, &self.orders.stopped());
        if matches!(verdict, Err(StoreError::Corrupt { .. })) {
            counters.found_damaged();
        }
        verdict.map(|_| ())
    }

    fn log(&self, what: &str, outcome: Result<()>) {
        if let Err(error) = outcome
            && !self.orders.is_stopped()
        {
            tracing::error!(%error, "could not {what}");
        }
    }
}

/// On Linux this counts for the thread alone.
fn yield_to_callers() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}
