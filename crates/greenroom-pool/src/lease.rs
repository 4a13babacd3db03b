//! The exclusive, temporary right to one instance.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use tokio::time::Instant;

use crate::claim::{Grant, World};
use crate::inner::Return;
use crate::instance::{Generation, InstanceId};
use crate::live::Live;
use crate::manager::Manager;
use crate::request::Activity;
use crate::shared::Shared;

/// A lease. Dropping it returns the instance with its world as it is.
///
/// If the instance dies, or the pool is closed, the lease is *lost*: [`Lease::lost`] resolves, and
/// returning the lease has no effect on the life that follows.
#[must_use = "the instance is returned as soon as its lease is dropped"]
pub struct Lease<M: Manager> {
    shared: Arc<Shared<M>>,
    live: Live<M::Instance>,
    world: World,
    returned: bool,
}

impl<M: Manager> Lease<M> {
    pub(crate) fn new(shared: &Arc<Shared<M>>, grant: Grant<M::Instance>) -> Self {
        let Grant { live, world } = grant;
        Self {
            shared: Arc::clone(shared),
            live,
            world,
            returned: false,
        }
    }

    /// The leased instance.
    pub fn id(&self) -> InstanceId {
        self.live.id()
    }

    /// Which of its lives this is. A holder that meets another generation than last time knows
    /// that the state it had left is lost.
    pub fn generation(&self) -> Generation {
        self.live.generation()
    }

    /// What the holder found in the instance.
    pub fn world(&self) -> World {
        self.world
    }

    /// The instance itself, to be kept beside the lease. It does not extend the lease.
    pub fn live(&self) -> &Live<M::Instance> {
        &self.live
    }

    /// Whether the instance is gone.
    pub fn is_lost(&self) -> bool {
        self.live.loss().is_some()
    }

    /// Resolves with the reason when the instance is gone.
    pub async fn lost(&self) -> Arc<str> {
        self.live.lost().await
    }

    /// Says what the holder is doing now, for those who wait; nothing if it merely holds.
    pub fn set_activity(&self, activity: Option<Activity>) {
        self.shared.lock().set_activity(&self.live, activity);
    }

    /// Returns the instance and has its world reset before anybody gets it.
    ///
    /// The reset runs off the caller's path. If it fails the instance is replaced.
    pub fn release_reset(self) {
        self.finish(Return::Reset);
    }

    /// Returns an instance that nobody should meet as it is. It is replaced, which does not count
    /// as a crash.
    pub fn poison(self, reason: impl Into<String>) {
        let reason = reason.into();
        tracing::info!(instance = %self.id(), %reason, "instance poisoned by its holder");
        self.finish(Return::Poison(reason));
    }

    /// Returns an instance that does not work. This counts as a crash: it is restarted with
    /// back-off.
    pub fn fail(self, reason: impl Into<String>) {
        let reason = reason.into();
        tracing::warn!(instance = %self.id(), %reason, "instance reported as failed by its holder");
        self.finish(Return::Fail(reason));
    }

    fn finish(mut self, how: Return) {
        self.give_back(how);
    }

    fn give_back(&mut self, how: Return) {
        self.returned = true;
        let now = Instant::now();
        self.shared.lock().give_back(&self.live, how, now);
    }
}

impl<M: Manager> Deref for Lease<M> {
    type Target = M::Instance;

    fn deref(&self) -> &M::Instance {
        &self.live
    }
}

impl<M: Manager> Drop for Lease<M> {
    fn drop(&mut self) {
        if !self.returned {
            self.give_back(Return::AsIs);
        }
    }
}

impl<M: Manager> fmt::Debug for Lease<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lease = f.debug_struct("Lease");
        lease
            .field("live", &self.live)
            .field("world", &self.world)
            .finish_non_exhaustive()
    }
}
