//! One running instance: the handle that its slot, its holder and its supervisor share.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use tokio::sync::Notify;

use crate::instance::{Generation, InstanceId};

/// A handle to one life of an instance. Cloning it does not lease anything.
pub struct Live<I> {
    body: Arc<Body<I>>,
}

struct Body<I> {
    id: InstanceId,
    generation: Generation,
    instance: I,
    loss: OnceLock<Arc<str>>,
    lost: Notify,
}

impl<I> Live<I> {
    pub(crate) fn new(id: InstanceId, generation: Generation, instance: I) -> Self {
        let body = Body {
            id,
            generation,
            instance,
            loss: OnceLock::new(),
            lost: Notify::new(),
        };
        Self {
            body: Arc::new(body),
        }
    }

    /// The instance this is a life of.
    pub fn id(&self) -> InstanceId {
        self.body.id
    }

    /// Which life it is.
    pub fn generation(&self) -> Generation {
        self.body.generation
    }

    /// Why this life is over, if it is.
    pub fn loss(&self) -> Option<Arc<str>> {
        self.body.loss.get().cloned()
    }

    /// Resolves with the reason when this life is over.
    pub async fn lost(&self) -> Arc<str> {
        let lost = self.body.lost.notified();
        // `notify_waiters` reaches every `Notified` made before it, polled or not, so looking for
        // the reason after making one misses nothing.
        if let Some(reason) = self.loss() {
            return reason;
        }
        lost.await;
        self.loss()
            .expect("BUG: an instance was announced lost without a reason")
    }

    /// Ends this life for everybody who looks; the first reason stays. Whoever waits hears of it
    /// from [`Live::announce`], which runs foreign wakers and is therefore called without a lock.
    pub(crate) fn lose(&self, reason: &str) {
        // A second reason tells nothing new: the life was already over.
        let _ = self.body.loss.set(reason.into());
    }

    pub(crate) fn announce(&self) {
        self.body.lost.notify_waiters();
    }
}

impl<I> Clone for Live<I> {
    fn clone(&self) -> Self {
        Self {
            body: Arc::clone(&self.body),
        }
    }
}

impl<I> Deref for Live<I> {
    type Target = I;

    fn deref(&self) -> &I {
        &self.body.instance
    }
}

impl<I> fmt::Debug for Live<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("id", &self.body.id)
            .field("generation", &self.body.generation)
            .field("loss", &self.body.loss.get())
            .finish_non_exhaustive()
    }
}
