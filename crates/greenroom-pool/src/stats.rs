//! What happened in a pool since it was made. Counters only grow; gauges are derived at reading.
//!
//! Each group subtracts to what is going on now: acquisitions started less those that ended is
//! the number of callers waiting, granted less returned is the number of leases out, creations
//! started less those that ended is the number of instances being created.

use crate::manager::CloseReason;

/// A copy of all counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Calls of `acquire`.
    pub acquires_started: u64,
    /// Ended with a lease.
    pub acquires_granted: u64,
    /// Ended because their deadline passed.
    pub acquires_timed_out: u64,
    /// Dropped by their callers.
    pub acquires_cancelled: u64,
    /// Refused because the queue was full.
    pub acquires_refused: u64,
    /// Asked for an instance that does not exist.
    pub acquires_unknown: u64,
    /// Ended because nothing healthy was in sight.
    pub acquires_unhealthy: u64,
    /// Ended because the pool was closing.
    pub acquires_closed: u64,

    /// Leases that came back, in whatever way.
    pub leases_returned: u64,
    /// Leases whose instance was gone before they came back.
    pub leases_lost: u64,

    /// Calls of `create`.
    pub creations_started: u64,
    /// Creations that gave an instance.
    pub creations_succeeded: u64,
    /// Creations that gave an error.
    pub creations_failed: u64,
    /// Creations given up because their instance was retired or the pool closed.
    pub creations_abandoned: u64,
    /// Creations that followed a failure.
    pub restarts: u64,

    /// Probes that were answered.
    pub probes_answered: u64,
    /// Probes that failed or were too slow.
    pub probes_missed: u64,
    /// Resets that worked.
    pub resets_succeeded: u64,
    /// Resets that failed or were too slow.
    pub resets_failed: u64,

    closings: [u64; CloseReason::ALL.len()],
}

impl Counters {
    /// Acquisitions that have ended, in whatever way.
    pub fn acquires_ended(&self) -> u64 {
        self.acquires_granted
            + self.acquires_timed_out
            + self.acquires_cancelled
            + self.acquires_refused
            + self.acquires_unknown
            + self.acquires_unhealthy
            + self.acquires_closed
    }

    /// Callers that wait at this moment.
    pub fn acquires_in_flight(&self) -> u64 {
        self.acquires_started - self.acquires_ended()
    }

    /// Leases that are out at this moment, those of lost instances included.
    pub fn leases_out(&self) -> u64 {
        self.acquires_granted - self.leases_returned
    }

    /// Instances being created at this moment.
    pub fn creations_in_flight(&self) -> u64 {
        let ended = self.creations_succeeded + self.creations_failed + self.creations_abandoned;
        self.creations_started - ended
    }

    /// Instances closed for this reason.
    pub fn closed(&self, reason: CloseReason) -> u64 {
        self.closings[reason as usize]
    }

    /// Instances closed for any reason.
    pub fn closed_in_all(&self) -> u64 {
        self.closings.iter().sum()
    }

    pub(crate) fn count_closing(&mut self, reason: CloseReason) {
        self.closings[reason as usize] += 1;
    }
}
