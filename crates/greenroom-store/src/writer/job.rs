//! One write: what to do in the transaction, and whom to tell afterwards.

use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::queue::Room;
use crate::error::{Reason, Result, StoreError};
use crate::spool::Claim;

/// A write of any kind. It may run more than once: a transaction that fails is begun anew.
pub(crate) trait Work: Send {
    /// Makes the changes. What an earlier attempt made has been rolled back.
    fn apply(&mut self, conn: &Connection) -> Result<()>;

    /// Tells whoever waits. Called once, after COMMIT or when it is given up.
    fn settle(self: Box<Self>, outcome: Result<()>);
}

/// A [`Work`] made of a closure and the channel of the one who waits for its value.
pub(crate) struct Task<T, F> {
    run: F,
    value: Option<T>,
    reply: Option<oneshot::Sender<Result<T>>>,
}

impl<T, F> Task<T, F> {
    pub(crate) fn answered(run: F, reply: oneshot::Sender<Result<T>>) -> Self {
        Self {
            run,
            value: None,
            reply: Some(reply),
        }
    }

    pub(crate) fn unanswered(run: F) -> Self {
        Self {
            run,
            value: None,
            reply: None,
        }
    }
}

impl<T: Send, F: FnMut(&Connection) -> Result<T> + Send> Work for Task<T, F> {
    fn apply(&mut self, conn: &Connection) -> Result<()> {
        self.value = Some((self.run)(conn)?);
        Ok(())
    }

    fn settle(mut self: Box<Self>, outcome: Result<()>) {
        let value = self.value.take();
        if let Some(reply) = self.reply.take() {
            let outcome = outcome.and_then(|()| {
                value.ok_or(StoreError::NotPersisted {
                    reason: Reason::Closed,
                })
            });
            // Whoever asked may be gone; the write stands all the same.
            let _ = reply.send(outcome);
        }
    }
}

/// A write in the queue. Its room there is given back when it is dropped.
pub(crate) struct Job {
    work: Box<dyn Work>,
    deadline: Instant,
    outcome: Result<()>,
    /// Where the values are that its row names.
    claim: Option<Claim>,
    _room: Option<Room>,
}

impl Job {
    pub(crate) fn new(work: impl Work + 'static, deadline: Instant, room: Option<Room>) -> Self {
        Self {
            work: Box::new(work),
            deadline,
            outcome: Ok(()),
            claim: None,
            _room: room,
        }
    }

    /// Runs it. A refusal of its own is kept for the one who waits; a fault of the disk, which
    /// ends the whole transaction, is returned.
    pub(crate) fn apply(&mut self, conn: &Connection) -> Result<Applied, Reason> {
        self.outcome = self.work.apply(conn);
        match &self.outcome {
            Ok(()) => Ok(Applied::Keep),
            Err(error) => error.disk_fault().map_or(Ok(Applied::Undo), Err),
        }
    }

    pub(crate) fn is_late(&self, now: Instant) -> bool {
        self.deadline <= now
    }

    pub(crate) fn with_claim(mut self, claim: Option<Claim>) -> Self {
        self.claim = claim;
        self
    }

    /// After COMMIT.
    pub(crate) fn committed(self) {
        self.work.settle(self.outcome);
    }

    /// When it is given up.
    pub(crate) fn failed(self, reason: &Reason) {
        self.work.settle(Err(StoreError::NotPersisted {
            reason: reason.clone(),
        }));
    }
}

/// What becomes of the savepoint of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    Keep,
    Undo,
}
