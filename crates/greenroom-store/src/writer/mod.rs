//! The one place where rows are written.
//!
//! # Theory of operation
//!
//! A thread owns the only connection that writes. Callers hand it *jobs* through a queue that is
//! bounded by number and by bytes; who finds it full waits for room, up to a deadline, except for
//! notes that nobody waits for: those are dropped and counted.
//!
//! The thread takes whatever is queued, with no timer: alone, a job is committed at once; under
//! load, jobs that came during one commit share the next. Each runs in a savepoint of its own, so
//! that one that is refused takes nothing else with it. **A caller hears of success only after
//! COMMIT.**
//!
//! *Chores* (compressing, indexing, retention) have a lane of their own. They run when no job
//! waits, and now and then between jobs, so that neither starves the other. The log is folded
//! back into the file by a thread beside this one.
//!
//! When the disk fails, callers are told, never kept: a lock is waited for up to each job's
//! deadline; a full disk fails the job at once (a batch is first tried job by job, since small
//! ones may still fit); after an I/O error the connection is replaced and checked. Nothing needs
//! to be reset afterwards: the next batch simply tries again.

mod attempt;
mod job;
mod log;
mod queue;
mod thread;

use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use crate::error::{Reason, Result, StoreError};
use crate::options::Options;
use crate::spool::Claim;
use crate::stats::Counters;
use job::{Job, Task};
use queue::{Lane, Queue};
pub(crate) use thread::start;

/// Time for an answer to come back once its deadline has passed in the writer.
const GRACE: Duration = Duration::from_millis(500);

/// The way to the writer thread.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: Arc<Queue>,
    counters: Arc<Counters>,
    persist_timeout: Duration,
    busy_timeout: Duration,
}

impl Writer {
    pub(crate) fn new(options: &Options, counters: Arc<Counters>) -> Self {
        Self {
            queue: Arc::new(Queue::new(options.queue_writes, options.queue_bytes)),
            counters,
            persist_timeout: options.persist_timeout,
            busy_timeout: options.busy_timeout,
        }
    }

    /// Queues a write that nobody waits for. Dropped where the queue is full.
    pub(crate) fn note<F>(&self, bytes: usize, run: F)
    where
        F: FnMut(&Connection) -> Result<()> + Send + 'static,
    {
        let Some(room) = self.queue.try_room(bytes) else {
            self.counters.note_dropped();
            return;
        };
        let job = Job::new(Task::unanswered(run), self.deadline(), Some(room));
        let _ = self.queue.push(Lane::Calls, job);
    }

    /// Writes and waits for the commit. Once it is queued, dropping the future does not stop it.
    pub(crate) async fn write<T, F>(&self, bytes: usize, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        self.write_with(None, bytes, run).await
    }

    /// The same for a row that names values in a file.
    pub(crate) async fn write_with<T, F>(
        &self,
        claim: Option<Claim>,
        bytes: usize,
        run: F,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let outcome = self.queue_and_wait(claim, bytes, run).await;
        if let Err(StoreError::NotPersisted { reason }) = &outcome {
            self.failed(reason);
        }
        outcome
    }

    /// Counts and logs that something was not persisted.
    pub(crate) fn failed(&self, reason: &Reason) {
        self.counters.not_persisted(reason);
        tracing::error!(%reason, "a write was not persisted");
    }

    async fn queue_and_wait<T, F>(&self, claim: Option<Claim>, bytes: usize, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let deadline = self.deadline();
        let Ok(room) = timeout_at(deadline, self.queue.room(bytes)).await else {
            return Err(StoreError::NotPersisted {
                reason: Reason::QueueFull,
            });
        };
        let (reply, answer) = oneshot::channel();
        let job = Job::new(Task::answered(run, reply), deadline, room).with_claim(claim);
        if self.queue.push(Lane::Calls, job).is_err() {
            return Err(StoreError::NotPersisted {
                reason: Reason::Closed,
            });
        }
        match timeout_at(deadline + self.busy_timeout + GRACE, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_gone)) => Err(StoreError::NotPersisted {
                reason: Reason::Closed,
            }),
            Err(_late) => Err(StoreError::NotPersisted {
                reason: Reason::Stalled,
            }),
        }
    }

    /// Writes from a thread of our own, behind all callers.
    pub(crate) fn chore<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Job::new(Task::answered(run, reply), self.deadline(), None);
        self.queue.push(Lane::Chores, job)?;
        answer.blocking_recv().unwrap_or(Err(StoreError::Closed))
    }

    /// How many jobs wait, and how many bytes they have.
    pub(crate) fn depth(&self) -> (usize, usize) {
        self.queue.depth()
    }

    /// Takes no more. What is queued is still written.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.persist_timeout
    }
}
