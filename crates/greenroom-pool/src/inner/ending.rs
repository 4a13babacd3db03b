//! A life ends, and those who counted on it are looked after.

use std::sync::Arc;

use tokio::time::Instant;

use super::Inner;
use crate::error::PoolError;
use crate::instance::InstanceId;
use crate::manager::CloseReason;
use crate::queue::{Lane, Ticket};
use crate::slot::{Ended, Slot, State};
use crate::snapshot::FailureView;

impl<I> Inner<I> {
    /// The instance is broken: it stays down until its back-off has passed. Says whether somebody
    /// held it.
    pub(super) fn fail(&mut self, id: InstanceId, why: &Arc<str>, now: Instant) -> bool {
        let slot = self.slot_mut(id);
        slot.note_failure(why, now);
        let state = match slot.retiring {
            true => State::Gone,
            false => State::Down {
                retry_at: slot.budget.next_retry(now),
            },
        };
        let leased = self.end(id, state, CloseReason::Failed, why, now);
        self.dismiss_hopeless(now);
        self.remind_of_waiters();
        leased
    }

    /// Those who wait have one instance less to hope for: the owner of idle leases may have left
    /// them alone because of it, and must look again.
    pub(super) fn remind_of_waiters(&mut self) {
        if self.queue.len() > 0 {
            self.effects.queue_changed();
        }
    }

    /// The instance is not to be used again: another takes its place at once. This is no crash and
    /// does not touch the budget.
    pub(super) fn replace(&mut self, id: InstanceId, reason: CloseReason, why: &str, now: Instant) {
        if self.slot_mut(id).retiring {
            return self.retire_now(id, now);
        }
        let slot = self.slot_mut(id);
        if reason != CloseReason::Restarted {
            slot.last_failure = Some(FailureView {
                at: now,
                reason: why.into(),
            });
        }
        // The waiter for whom it was reserved must find the next life under way, not nothing.
        let ended = slot.end_life(State::Down { retry_at: None }, reason);
        slot.begin_life();
        self.bury(id, ended, why, now);
    }

    /// Takes the slot out of the pool, whatever it is doing.
    pub(super) fn retire_now(&mut self, id: InstanceId, now: Instant) {
        self.end(
            id,
            State::Gone,
            CloseReason::Retired,
            "the instance was retired",
            now,
        );
        self.dismiss_hopeless(now);
    }

    /// Ends whatever goes on in a slot. Says whether somebody held it.
    pub(super) fn end(
        &mut self,
        id: InstanceId,
        state: State<I>,
        reason: CloseReason,
        why: &str,
        now: Instant,
    ) -> bool {
        let ended = self.slot_mut(id).end_life(state, reason);
        let leased = ended.as_ref().is_some_and(|ended| ended.leased);
        self.bury(id, ended, why, now);
        leased
    }

    fn bury(&mut self, id: InstanceId, ended: Option<Ended<I>>, why: &str, now: Instant) {
        self.wake_supervisor(id);
        let Some(ended) = ended else { return };
        self.free.retain(|free| *free != id);
        self.effects.lose(ended.live, why);
        if let Some((ticket, waiter)) = ended.next {
            self.requeue(ticket, waiter, now);
        }
    }

    /// Fails unless something that will do runs, or is due to run, before the deadline.
    pub(super) fn check_hope(
        &self,
        lane: Lane,
        deadline: Instant,
        now: Instant,
    ) -> Result<(), PoolError> {
        if let Lane::Only(id) = lane
            && !self.slots.get(&id).is_some_and(Slot::is_member)
        {
            return Err(self.unknown(&id.to_string()));
        }
        if self
            .candidates(lane)
            .any(|slot| slot.may_serve_by(deadline))
        {
            return Ok(());
        }
        Err(self.no_healthy(lane, now))
    }

    /// Answers those for whom there is no hope left, instead of letting them wait in vain.
    pub(super) fn dismiss_hopeless(&mut self, now: Instant) {
        let hopeless: Vec<(Ticket, Lane, PoolError)> = self
            .queue
            .iter()
            .filter_map(|(ticket, waiter)| {
                let error = self.check_hope(waiter.lane, waiter.deadline, now).err()?;
                Some((ticket, waiter.lane, error))
            })
            .collect();
        for (ticket, lane, error) in hopeless {
            self.queue.remove(lane, ticket);
            self.effects.queue_changed();
            self.settle(ticket, Err(error));
        }
    }

    fn no_healthy(&self, lane: Lane, now: Instant) -> PoolError {
        let failures = self
            .candidates(lane)
            .filter_map(|slot| slot.last_failure.as_ref());
        let last = failures.max_by_key(|failure| failure.at);
        let retries = self.candidates(lane).filter_map(|slot| match slot.state {
            State::Down { retry_at } => retry_at,
            _ => None,
        });
        PoolError::NoHealthyInstances {
            wanted: self.wanted(lane),
            last_failure: last.map(|failure| failure.reason.to_string()),
            retry_after: retries.min().map(|at| at.saturating_duration_since(now)),
        }
    }

    fn candidates(&self, lane: Lane) -> impl Iterator<Item = &Slot<I>> {
        let members = self.slots.values().filter(|slot| slot.is_member());
        members.filter(move |slot| lane.admits(slot.name.id))
    }
}
