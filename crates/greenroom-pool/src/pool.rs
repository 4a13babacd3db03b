//! The handle of a pool.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::error::{HeldBy, PoolError};
use crate::inner::{Inner, Opened};
use crate::instance::{InstanceId, InstanceSpec};
use crate::manager::Manager;
use crate::options::Options;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::stats::Counters;
use crate::supervise::Supervisor;

/// A pool of supervised instances. Clones are handles of the same pool.
///
/// When the last handle and the last lease are gone the instances are closed in the background, as
/// long as the runtime lives. [`Pool::close`] does the same and waits for it.
pub struct Pool<M: Manager> {
    pub(crate) shared: Arc<Shared<M>>,
}

/// When a restart that was asked for happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restarting {
    /// It is under way.
    Now,
    /// When the holder of the instance returns it.
    WhenReturned,
}

impl<M: Manager> Pool<M> {
    /// Makes a pool and begins to start all its instances, side by side and in the background.
    /// One that fails to start affects no other.
    ///
    /// # Errors
    ///
    /// If two instances have the same name, or an alias reads like an id.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn new(manager: M, specs: Vec<InstanceSpec>, options: Options) -> Result<Self, PoolError> {
        let mut inner = Inner::new(options);
        let mut opened = Vec::with_capacity(specs.len());
        for spec in specs {
            opened.extend(inner.open(spec)?);
        }
        let pool = Self {
            shared: Arc::new(Shared::new(manager, options, inner)),
        };
        pool.supervise(opened);
        Ok(pool)
    }

    /// The instance with this id or alias.
    ///
    /// # Errors
    ///
    /// [`PoolError::UnknownInstance`], which lists what exists.
    pub fn resolve(&self, key: &str) -> Result<InstanceId, PoolError> {
        self.shared.lock().resolve(key)
    }

    /// Adds one instance and begins to start it.
    ///
    /// # Errors
    ///
    /// If one of its names is taken or not allowed, or the pool is closing.
    pub fn add(&self, spec: InstanceSpec) -> Result<(), PoolError> {
        let opened = self.shared.lock().open(spec)?;
        self.supervise(opened);
        Ok(())
    }

    /// Lets one instance go: at once, or when its holder returns it. It takes no newcomers, and
    /// those who wait for it and nothing else are told so.
    ///
    /// # Errors
    ///
    /// If there is no such instance, or the pool is closing.
    pub fn retire(&self, id: InstanceId) -> Result<(), PoolError> {
        self.shared.lock().retire(id, Instant::now())
    }

    /// Adds instances with the lowest unused ids, or retires those with the highest, until there
    /// are `count`. Never takes an instance from its holder.
    ///
    /// # Errors
    ///
    /// If the pool is closing.
    pub fn resize(&self, count: usize) -> Result<(), PoolError> {
        let opened = self.shared.lock().resize(count, Instant::now())?;
        self.supervise(opened);
        Ok(())
    }

    /// Starts an instance anew and gives it all its restart attempts back: a failed one at once,
    /// a running one as soon as nobody holds it.
    ///
    /// # Errors
    ///
    /// If there is no such instance, or the pool is closing.
    pub fn restart(&self, id: InstanceId) -> Result<Restarting, PoolError> {
        self.shared.lock().restart(id, Instant::now())
    }

    /// The pool at this moment.
    pub fn snapshot(&self) -> Snapshot<M::Instance> {
        self.shared.lock().snapshot(Instant::now())
    }

    /// What has happened in the pool until now.
    pub fn counters(&self) -> Counters {
        self.shared.lock().counters()
    }

    /// Refuses new work, answers all who wait with [`PoolError::Closed`], and waits for leases to
    /// come back, up to a limit. Returns those that are still out then.
    pub async fn drain(&self, limit: Duration) -> Vec<HeldBy> {
        let now = Instant::now();
        self.shared.lock().stop_admitting(now);
        let all_back = async {
            loop {
                let lease_ended = self.shared.lease_ended().notified();
                if self.still_held().is_empty() {
                    return;
                }
                lease_ended.await;
            }
        };
        match now.checked_add(limit) {
            // Whether it was in time is seen from what is still held.
            Some(deadline) => drop(timeout_at(deadline, all_back).await),
            None => all_back.await,
        }
        self.still_held()
    }

    /// Closes all instances side by side, under their holders if need be, and waits until they
    /// are closed and nothing of this pool runs in the background any more. It goes on when this
    /// future is dropped. Call [`Pool::drain`] first to let holders finish.
    pub async fn close(&self) {
        self.shared.lock().close(Instant::now());
        self.shared.supervisors.close();
        self.shared.supervisors.wait().await;
    }

    fn still_held(&self) -> Vec<HeldBy> {
        self.shared.lock().held_at_all(Instant::now())
    }

    fn supervise(&self, opened: impl IntoIterator<Item = Opened>) {
        for Opened { id, wake } in opened {
            let supervisor = Supervisor::new(&self.shared, id, wake);
            self.shared
                .supervisors
                .spawn_on(supervisor.run(), &self.shared.runtime);
        }
    }
}

impl<M: Manager> Clone for Pool<M> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<M: Manager> fmt::Debug for Pool<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}
