//! The pool stops taking work and lets go of everything.

use tokio::time::Instant;

use super::{Inner, Phase};
use crate::claim::Stage;
use crate::error::PoolError;
use crate::instance::InstanceId;
use crate::manager::CloseReason;
use crate::queue::Ticket;
use crate::slot::State;

impl<I> Inner<I> {
    /// Refuses newcomers and answers all who wait; leases go on.
    pub(crate) fn stop_admitting(&mut self, now: Instant) {
        if self.phase == Phase::Open {
            self.phase = Phase::Draining;
        }
        let waiting: Vec<Ticket> = self.claims.keys().copied().collect();
        for ticket in waiting {
            match self.claim_mut(ticket).stage {
                Stage::Settled(_) => continue,
                Stage::Queued(lane) => {
                    self.queue.remove(lane, ticket);
                    self.effects.queue_changed();
                }
                Stage::Reserved(id) => {
                    self.unreserve(id, now);
                }
            }
            self.settle(ticket, Err(PoolError::Closed));
        }
    }

    /// Takes every instance out of the pool, under its holder if need be.
    pub(crate) fn close(&mut self, now: Instant) {
        self.stop_admitting(now);
        self.phase = Phase::Closed;
        let ids: Vec<InstanceId> = self.slots.keys().copied().collect();
        for id in ids {
            if self.end(
                id,
                State::Gone,
                CloseReason::PoolClosed,
                "the pool was closed",
                now,
            ) {
                self.counters.leases_lost += 1;
                self.effects.lease_ended();
            }
        }
    }

    /// The last handle is gone: every supervisor shall look and find nobody there.
    pub(crate) fn dissolve(&mut self) {
        for slot in self.slots.values() {
            slot.supervisor.notify_one();
            if let Some(live) = slot.live() {
                live.lose("the pool was dropped");
                live.announce();
            }
        }
    }
}
