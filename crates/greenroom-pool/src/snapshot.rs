//! A pool at one moment. Counts are derived from the instances, never kept beside them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::instance::{Generation, InstanceId};
use crate::live::Live;
use crate::request::{Activity, Holder};

/// How an instance is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is being started.
    Starting,
    /// It runs.
    Healthy,
    /// It does not run; a restart may be due.
    Failed,
}

/// A pool at one moment.
#[derive(Debug)]
pub struct Snapshot<I> {
    /// Its instances, by id.
    pub instances: Vec<InstanceView<I>>,
    /// Those who wait, in order of arrival.
    pub waiters: Vec<WaiterView>,
    /// Whether it takes new work.
    pub open: bool,
}

/// An instance at one moment.
#[derive(Debug)]
pub struct InstanceView<I> {
    /// Its id.
    pub id: InstanceId,
    /// Its alias.
    pub alias: Option<Arc<str>>,
    /// How it is doing.
    pub status: Status,
    /// Which of its lives this is.
    pub generation: Generation,
    /// Who has it. Somebody for whom it is being reset counts as having it.
    pub lease: Option<LeaseView>,
    /// Since when nobody has it, while it could be leased at once.
    pub free_since: Option<Instant>,
    /// Whether it is being reset.
    pub resetting: bool,
    /// What was last heard of its health.
    pub last_check: Option<CheckView>,
    /// Why it last failed, also when it has recovered since.
    pub last_failure: Option<FailureView>,
    /// When it will be started again, if it has failed and will be.
    pub retry_at: Option<Instant>,
    /// How often it was started again after a failure.
    pub restarts: u64,
    /// Whether it leaves the pool as soon as its holder returns it.
    pub retiring: bool,
    /// The instance itself, when it runs: for a process id and the like, not for use.
    pub live: Option<Live<I>>,
}

/// A lease at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseView {
    /// Who holds it.
    pub holder: Holder,
    /// What its holder is doing, if it says so.
    pub activity: Option<Activity>,
    /// When it was granted.
    pub since: Instant,
    /// How long ago that was.
    pub held_for: Duration,
}

/// What was last heard of an instance's health.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckView {
    /// When.
    pub at: Instant,
    /// What was wrong; nothing when it answered.
    pub error: Option<Arc<str>>,
}

/// A failure of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureView {
    /// When.
    pub at: Instant,
    /// Why.
    pub reason: Arc<str>,
}

/// One who waits, at one moment: no free instance can serve it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiterView {
    /// The only instance that will do, if there is one.
    pub wanted: Option<InstanceId>,
    /// Who waits.
    pub holder: Holder,
    /// How long it has waited.
    pub waiting_for: Duration,
}

impl<I> InstanceView<I> {
    /// Whether it could be leased at once.
    pub fn is_available(&self) -> bool {
        self.free_since.is_some()
    }
}

impl<I> Snapshot<I> {
    /// All instances.
    pub fn total(&self) -> usize {
        self.instances.len()
    }

    /// Instances that run.
    pub fn healthy(&self) -> usize {
        self.with_status(Status::Healthy)
    }

    /// Instances being started.
    pub fn starting(&self) -> usize {
        self.with_status(Status::Starting)
    }

    /// Instances that do not run.
    pub fn failed(&self) -> usize {
        self.with_status(Status::Failed)
    }

    /// Instances that somebody has.
    pub fn leased(&self) -> usize {
        self.count(|instance| instance.lease.is_some())
    }

    /// Instances that could be leased at once.
    pub fn available(&self) -> usize {
        self.count(InstanceView::is_available)
    }

    /// The instance with this id.
    pub fn instance(&self, id: InstanceId) -> Option<&InstanceView<I>> {
        self.instances.iter().find(|instance| instance.id == id)
    }

    fn with_status(&self, status: Status) -> usize {
        self.count(|instance| instance.status == status)
    }

    fn count(&self, which: impl Fn(&InstanceView<I>) -> bool) -> usize {
        self.instances
            .iter()
            .filter(|instance| which(instance))
            .count()
    }
}
