//! Somebody wants to know.

use tokio::time::Instant;

use super::{Inner, Phase};
use crate::error::HeldBy;
use crate::queue::{Lane, Ticket, Waiter};
use crate::slot::{Slot, State, Traces};
use crate::snapshot::{InstanceView, LeaseView, Snapshot, Status, WaiterView};
use crate::stats::Counters;

impl<I> Inner<I> {
    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }

    pub(crate) fn snapshot(&self, now: Instant) -> Snapshot<I> {
        let present = self
            .slots
            .values()
            .filter(|slot| !matches!(slot.state, State::Gone));
        Snapshot {
            instances: present.map(|slot| slot.view(now)).collect(),
            waiters: self.waiters(now),
            open: self.phase == Phase::Open,
        }
    }

    pub(crate) fn waiters(&self, now: Instant) -> Vec<WaiterView> {
        let mut waiters: Vec<(Ticket, &Waiter)> = self.queue.iter().collect();
        waiters.sort_unstable_by_key(|(ticket, _)| *ticket);
        let view = |(_, waiter): (Ticket, &Waiter)| WaiterView {
            wanted: waiter.lane.wanted(),
            holder: waiter.holder.clone(),
            waiting_for: now.saturating_duration_since(waiter.since),
        };
        waiters.into_iter().map(view).collect()
    }

    /// The leases that stand in the way of somebody in this lane.
    pub(crate) fn held(&self, lane: Lane, now: Instant) -> Vec<HeldBy> {
        let relevant = self.slots.values().filter(|slot| lane.admits(slot.name.id));
        let held = |slot: &Slot<I>| {
            let lease = slot.lease(now)?;
            Some(HeldBy {
                instance: slot.name.clone(),
                held_for: lease.held_for,
                activity: lease.activity,
            })
        };
        relevant.filter_map(held).collect()
    }

    /// All leases of living instances.
    pub(crate) fn held_at_all(&self, now: Instant) -> Vec<HeldBy> {
        self.held(Lane::Any, now)
    }
}

impl<I> Slot<I> {
    fn view(&self, now: Instant) -> InstanceView<I> {
        InstanceView {
            id: self.name.id,
            alias: self.name.alias.clone(),
            status: self.status(),
            generation: self.generation,
            lease: self.lease(now),
            free_since: match self.state {
                State::Free { since, .. } => Some(since),
                _ => None,
            },
            resetting: matches!(self.state, State::Resetting { .. }),
            last_check: self.last_check.clone(),
            last_failure: self.last_failure.clone(),
            retry_at: match self.state {
                State::Down { retry_at } => retry_at,
                _ => None,
            },
            restarts: self.restarts,
            retiring: self.retiring,
            live: self.live().cloned(),
        }
    }

    fn status(&self) -> Status {
        match self.state {
            State::Starting => Status::Starting,
            State::Free { .. } | State::Leased { .. } | State::Resetting { .. } => Status::Healthy,
            State::Down { .. } | State::Gone => Status::Failed,
        }
    }

    fn lease(&self, now: Instant) -> Option<LeaseView> {
        let (holder, activity, since) = match (&self.state, &self.traces) {
            (
                State::Leased {
                    activity, since, ..
                },
                Traces::Of(holder),
            ) => (holder, activity, *since),
            (
                State::Resetting {
                    next: Some((_, waiter)),
                    since,
                    ..
                },
                _,
            ) => (&waiter.holder, &waiter.activity, *since),
            _ => return None,
        };
        Some(LeaseView {
            holder: holder.clone(),
            activity: activity.clone(),
            since,
            held_for: now.saturating_duration_since(since),
        })
    }
}
