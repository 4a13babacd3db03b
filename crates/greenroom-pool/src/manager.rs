//! The contract between a pool and whatever it keeps.

use std::fmt;
use std::future::Future;

use crate::instance::InstanceId;

/// Knows how to make, check, clean and end instances. The pool decides when.
///
/// The pool calls `create` and `close` of one instance id strictly in turn: the next life of an
/// instance begins after the last one was closed, so both may use the same directory. `probe`,
/// `reset` and `ended` may run at the same time as each other and as the holder's own use.
///
/// Every call has a deadline from [`Options`](crate::Options), after which its future is dropped,
/// and a panic in one is an error of that call alone.
pub trait Manager: Send + Sync + 'static {
    /// What is leased. Shared between its holder, its probe and its supervisor, hence `Sync`.
    type Instance: Send + Sync + 'static;

    /// Why something failed; its alternate form (`{:#}`) is what people read.
    type Error: fmt::Display + Send + Sync + 'static;

    /// Starts an instance, ready for use.
    ///
    /// Must be cancel-safe: the future is dropped when the start deadline passes, the instance is
    /// retired or the pool closes, and whatever it has begun by then must end with it.
    fn create(
        &self,
        id: InstanceId,
    ) -> impl Future<Output = Result<Self::Instance, Self::Error>> + Send;

    /// Asks an instance whether it is well. Runs outside the lease queue, also during a lease.
    fn probe(
        &self,
        instance: &Self::Instance,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Removes every trace of former holders. On an error, or in doubt, the instance is replaced.
    fn reset(
        &self,
        instance: &Self::Instance,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Ends an instance. Called exactly once for each that `create` returned.
    fn close(
        &self,
        instance: &Self::Instance,
        reason: CloseReason,
    ) -> impl Future<Output = ()> + Send;

    /// Resolves, with what is known about it, when an instance has died by itself, so that a death
    /// is noticed at once and not by the next probe.
    fn ended(&self, instance: &Self::Instance) -> impl Future<Output = String> + Send {
        let _ = instance;
        std::future::pending()
    }
}

/// Why an instance is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CloseReason {
    /// It died, missed too many probes, or its holder reported it as failed.
    Failed,
    /// Its holder left it in a state that nobody should meet.
    Poisoned,
    /// It could not be reset.
    ResetFailed,
    /// Somebody asked for a restart.
    Restarted,
    /// The pool became smaller.
    Retired,
    /// The pool is closing.
    PoolClosed,
}

impl CloseReason {
    /// Every reason, for those who count by it.
    pub const ALL: [Self; 6] = [
        Self::Failed,
        Self::Poisoned,
        Self::ResetFailed,
        Self::Restarted,
        Self::Retired,
        Self::PoolClosed,
    ];

    /// A label for metrics and logs.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Poisoned => "poisoned",
            Self::ResetFailed => "reset_failed",
            Self::Restarted => "restarted",
            Self::Retired => "retired",
            Self::PoolClosed => "pool_closed",
        }
    }
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}
