//! The thread that owns the writing connection.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::job::Job;
use super::log::{self, Folder};
use super::queue::Queue;
use super::{Writer, attempt};
use crate::db::check::{self, Depth};
use crate::db::connection;
use crate::db::open::Opened;
use crate::db::runs::{self, RunId, RunLock};
use crate::error::{Reason, Result, StoreError};
use crate::options::Options;
use crate::stats::Counters;

/// Starts the thread. The channel answers when it has written everything and ended its run.
pub(crate) fn start(
    writer: &Writer,
    opened: Opened,
    options: &Options,
) -> Result<oneshot::Receiver<()>> {
    let (ended, end) = oneshot::channel();
    let path = opened.path.clone();
    let folder = Folder::start(path.clone(), options.clone())?;
    let scribe = Scribe {
        folder: Some(folder),
        path: opened.path,
        conn: Some(opened.conn),
        run: opened.run,
        _lock: opened.lock,
        options: options.clone(),
        queue: Arc::clone(&writer.queue),
        counters: Arc::clone(&writer.counters),
    };
    thread::Builder::new()
        .name("store-writer".into())
        .spawn(move || {
            scribe.run();
            let _ = ended.send(());
        })
        .map_err(StoreError::io(&path))?;
    Ok(end)
}

struct Scribe {
    path: PathBuf,
    /// `None` after an I/O error, until it could be opened anew.
    conn: Option<Connection>,
    folder: Option<Folder>,
    run: RunId,
    _lock: RunLock,
    options: Options,
    queue: Arc<Queue>,
    counters: Arc<Counters>,
}

impl Scribe {
    fn run(mut self) {
        // However this thread ends, callers must not wait for it.
        let _close = CloseOnDrop(Arc::clone(&self.queue));
        while let Some(batch) = self.queue.take() {
            self.write(batch);
            self.look_after_log();
        }
        self.end_run();
    }

    /// Tries until the batch is committed or given up.
    fn write(&mut self, mut jobs: Vec<Job>) {
        while !jobs.is_empty() {
            match self.attempt(&mut jobs) {
                Ok(()) => return self.acknowledge(jobs),
                Err(Reason::Locked) => {
                    jobs = give_up_late_ones(jobs, &Reason::Locked);
                    jobs.extend(self.queue.take_more());
                }
                Err(Reason::DiskFull) if jobs.len() > 1 => {
                    return jobs.into_iter().for_each(|job| self.write(vec![job]));
                }
                Err(reason) => {
                    if reason == Reason::DiskError {
                        self.conn = None;
                    }
                    return jobs.into_iter().for_each(|job| job.failed(&reason));
                }
            }
        }
    }

    fn attempt(&mut self, jobs: &mut [Job]) -> Result<(), Reason> {
        if self.counters.is_damaged() {
            return Err(Reason::Damaged);
        }
        let outcome = match self.connection() {
            Ok(conn) => attempt::commit(conn, jobs),
            Err(reason) => Err(reason),
        };
        if let Err(reason) = &outcome {
            self.counters.attempt_failed();
            if *reason == Reason::Damaged {
                self.counters.found_damaged();
            }
        }
        outcome
    }

    fn acknowledge(&self, jobs: Vec<Job>) {
        self.counters.committed(jobs.len());
        jobs.into_iter().for_each(Job::committed);
    }

    /// The connection, opened anew and checked if an I/O error ended the last one: what it had in
    /// memory can no longer be trusted.
    fn connection(&mut self) -> Result<&mut Connection, Reason> {
        if self.conn.is_none() {
            self.conn = Some(reopen(&self.path, &self.options)?);
            self.counters.reopened();
        }
        Ok(self.conn.as_mut().expect("BUG: it was opened above"))
    }

    fn look_after_log(&self) {
        if let (Some(conn), Some(folder)) = (&self.conn, &self.folder)
            && let Err(error) = folder.look_after(conn)
        {
            tracing::warn!(%error, "the log could not be folded into the database");
        }
    }

    fn end_run(&mut self) {
        // Nobody else may have the database when the log is emptied.
        if let Some(folder) = self.folder.take() {
            folder.stop();
        }
        let Some(conn) = &self.conn else { return };
        if let Err(error) = runs::end(conn, self.run).and_then(|()| log::fold_all(conn)) {
            tracing::warn!(%error, "the database could not be closed cleanly");
        }
    }
}

fn reopen(path: &Path, options: &Options) -> Result<Connection, Reason> {
    let open = || -> Result<Connection> {
        let conn = connection::open_writer(path, options)?;
        check::check(&conn, path, Depth::Quick)?;
        Ok(conn)
    };
    open().map_err(|error| {
        tracing::error!(%error, path = %path.display(), "the database could not be opened anew");
        match error {
            StoreError::Corrupt { .. } => Reason::Damaged,
            other => other.disk_fault().unwrap_or(Reason::DiskError),
        }
    })
}

fn give_up_late_ones(jobs: Vec<Job>, reason: &Reason) -> Vec<Job> {
    let now = Instant::now();
    let (late, rest): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.is_late(now));
    late.into_iter().for_each(|job| job.failed(reason));
    rest
}

struct CloseOnDrop(Arc<Queue>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}
