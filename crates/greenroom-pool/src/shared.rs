//! What all handles, leases and (weakly) supervisors of one pool share.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio_util::task::TaskTracker;

use crate::effects::Listeners;
use crate::inner::Inner;
use crate::manager::Manager;
use crate::options::Options;

pub(crate) struct Shared<M: Manager> {
    pub(crate) manager: Arc<M>,
    pub(crate) options: Options,
    /// Where supervisors run, so that a pool can grow from any thread.
    pub(crate) runtime: Handle,
    pub(crate) supervisors: TaskTracker,
    listeners: PoolListeners,
    inner: Mutex<Inner<M::Instance>>,
}

/// Those who listen to a whole pool.
struct PoolListeners {
    pressure: watch::Sender<()>,
    lease_ended: Notify,
}

impl<M: Manager> Shared<M> {
    pub(crate) fn new(manager: M, options: Options, inner: Inner<M::Instance>) -> Self {
        Self {
            manager: Arc::new(manager),
            options,
            runtime: Handle::current(),
            supervisors: TaskTracker::new(),
            listeners: PoolListeners {
                pressure: watch::Sender::new(()),
                lease_ended: Notify::new(),
            },
            inner: Mutex::new(inner),
        }
    }

    /// Opens the books. A panic while they were open is a bug, but one that must not spread to
    /// every caller: each step leaves them whole or fails before it writes.
    pub(crate) fn lock(&self) -> Books<'_, M::Instance> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Books {
            inner: Some(inner),
            listeners: &self.listeners,
        }
    }

    pub(crate) fn lease_ended(&self) -> &Notify {
        &self.listeners.lease_ended
    }

    pub(crate) fn pressure(&self) -> watch::Receiver<()> {
        self.listeners.pressure.subscribe()
    }
}

impl<M: Manager> Drop for Shared<M> {
    fn drop(&mut self) {
        self.inner
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .dissolve();
    }
}

impl Listeners for PoolListeners {
    fn queue_changed(&self) {
        // Nobody listens in most pools most of the time, and telling nobody is not free.
        if self.pressure.receiver_count() > 0 {
            self.pressure.send_replace(());
        }
    }

    fn lease_ended(&self) {
        self.lease_ended.notify_waiters();
    }
}

/// The books while they are open; closing them lets the effects happen, outside the lock.
pub(crate) struct Books<'a, I> {
    inner: Option<MutexGuard<'a, Inner<I>>>,
    listeners: &'a PoolListeners,
}

impl<I> Deref for Books<'_, I> {
    type Target = Inner<I>;

    fn deref(&self) -> &Inner<I> {
        self.inner
            .as_ref()
            .expect("BUG: the books were used after they were closed")
    }
}

impl<I> DerefMut for Books<'_, I> {
    fn deref_mut(&mut self) -> &mut Inner<I> {
        self.inner
            .as_mut()
            .expect("BUG: the books were used after they were closed")
    }
}

impl<I> Drop for Books<'_, I> {
    fn drop(&mut self) {
        let effects = self.inner.take().and_then(|mut inner| inner.effects.take());
        if let Some(effects) = effects {
            effects.fire(self.listeners);
        }
    }
}
