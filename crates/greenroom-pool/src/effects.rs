//! What a change of the books means to others, done after the lock is released.
//!
//! Wakers and notifications run code of others. Run under the lock, that code could come back for
//! the lock, or make everybody wait while it takes its time.

use std::sync::Arc;
use std::task::Waker;

use tokio::sync::Notify;

use crate::live::Live;

#[derive(Debug)]
pub(crate) struct Effects<I> {
    /// Whether there is anything to do; the fast path looks at nothing else.
    any: bool,
    wakers: Vec<Waker>,
    /// Wakers nobody needs: dropping one may drop a task and, with it, a lease of this pool.
    spent: Vec<Waker>,
    supervisors: Vec<Arc<Notify>>,
    lost: Vec<Live<I>>,
    /// Handles nobody needs: dropping the last one of a life drops what the manager made.
    released: Vec<Live<I>>,
    queue_changed: bool,
    lease_ended: bool,
}

/// Those who listen to a whole pool.
pub(crate) trait Listeners {
    fn queue_changed(&self);
    fn lease_ended(&self);
}

impl<I> Effects<I> {
    pub(crate) fn none() -> Self {
        Self {
            any: false,
            wakers: Vec::new(),
            spent: Vec::new(),
            supervisors: Vec::new(),
            lost: Vec::new(),
            released: Vec::new(),
            queue_changed: false,
            lease_ended: false,
        }
    }

    pub(crate) fn wake(&mut self, waker: Option<Waker>) {
        self.any |= waker.is_some();
        self.wakers.extend(waker);
    }

    pub(crate) fn discard(&mut self, waker: Option<Waker>) {
        self.any |= waker.is_some();
        self.spent.extend(waker);
    }

    pub(crate) fn supervise(&mut self, supervisor: &Arc<Notify>) {
        self.any = true;
        self.supervisors.push(Arc::clone(supervisor));
    }

    pub(crate) fn lose(&mut self, live: Live<I>, reason: &str) {
        live.lose(reason);
        self.any = true;
        self.lost.push(live);
    }

    pub(crate) fn release(&mut self, live: Live<I>) {
        self.any = true;
        self.released.push(live);
    }

    pub(crate) fn queue_changed(&mut self) {
        self.any = true;
        self.queue_changed = true;
    }

    pub(crate) fn lease_ended(&mut self) {
        self.any = true;
        self.lease_ended = true;
    }

    /// Takes what has gathered, if anything has.
    pub(crate) fn take(&mut self) -> Option<Self> {
        self.any.then(|| std::mem::replace(self, Self::none()))
    }

    /// Does it all, and drops what is left. The lock must not be held.
    pub(crate) fn fire(self, listeners: &impl Listeners) {
        // Supervisors first: somebody may be waiting for what they do.
        self.supervisors
            .iter()
            .for_each(|supervisor| supervisor.notify_one());
        self.lost.iter().for_each(Live::announce);
        self.wakers.into_iter().for_each(Waker::wake);
        if self.queue_changed {
            listeners.queue_changed();
        }
        if self.lease_ended {
            listeners.lease_ended();
        }
    }
}
