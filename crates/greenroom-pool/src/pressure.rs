//! How the owner of leases that lie idle learns that somebody waits for one.

use tokio::sync::watch;

use crate::manager::Manager;
use crate::pool::Pool;
use crate::snapshot::WaiterView;

use tokio::time::Instant;

/// Tells when the queue of a pool has changed, or an instance failed for which it may be waiting.
///
/// Whoever stands in the queue cannot be served by any free instance. The owner of idle leases
/// waits for [`Pressure::changed`], reads [`Pool::waiters`] and returns what somebody there wants.
#[derive(Clone, Debug)]
pub struct Pressure {
    changes: watch::Receiver<()>,
}

impl Pressure {
    /// Resolves when there was news since this handle last looked; what comes close
    /// together may be reported as one. `false` when the pool is gone.
    pub async fn changed(&mut self) -> bool {
        self.changes.changed().await.is_ok()
    }
}

impl<M: Manager> Pool<M> {
    /// Listens to the queue from now on. Who waits already is seen in [`Pool::waiters`].
    pub fn pressure(&self) -> Pressure {
        Pressure {
            changes: self.shared.pressure(),
        }
    }

    /// Those who wait, in order of arrival.
    pub fn waiters(&self) -> Vec<WaiterView> {
        self.shared.lock().waiters(Instant::now())
    }
}
