//! An instance becomes free and finds its next holder.

use std::sync::Arc;

use tokio::time::Instant;

use super::{Inner, Phase};
use crate::claim::{Grant, Stage, World};
use crate::instance::InstanceId;
use crate::live::Live;
use crate::manager::CloseReason;
use crate::queue::{Lane, Ticket, Waiter};
use crate::request::Activity;
use crate::slot::{State, Traces};

/// How a lease ends.
#[derive(Debug)]
pub(crate) enum Return {
    /// The next lease of the same holder finds the world as it is.
    AsIs,
    /// The world is reset before anybody gets the instance.
    Reset,
    /// The instance is in a state that nobody should meet; it is replaced.
    Poison(String),
    /// The instance does not work; that counts as a crash.
    Fail(String),
}

impl<I> Inner<I> {
    /// Takes the free instance that came back earliest among those that will do.
    pub(super) fn take_free(&mut self, lane: Lane) -> Option<InstanceId> {
        match lane {
            Lane::Any => self.free.pop_front(),
            Lane::Only(wanted) => {
                let place = self.free.iter().position(|id| *id == wanted)?;
                self.free.remove(place)
            }
        }
    }

    /// A lease ends. If the life that it was for is over, there is nothing left to return.
    pub(crate) fn give_back(&mut self, live: &Live<I>, how: Return, now: Instant) {
        self.counters.leases_returned += 1;
        if self.phase != Phase::Open {
            self.effects.lease_ended();
        }
        let id = live.id();
        let Some(slot) = self.slots.get_mut(&id) else {
            return;
        };
        if !slot.is_leased_in(live.generation()) {
            return;
        }
        match how {
            Return::AsIs => self.rest(id, now),
            Return::Reset if slot.retiring || slot.restart_asked => self.rest(id, now),
            Return::Reset => {
                slot.state = State::Resetting {
                    live: slot.take_live(),
                    next: None,
                    since: now,
                };
                self.wake_supervisor(id);
            }
            Return::Poison(why) => self.replace(id, CloseReason::Poisoned, &why, now),
            Return::Fail(why) => {
                self.fail(id, &Arc::from(why), now);
            }
        }
    }

    /// Says what a holder is doing now.
    pub(crate) fn set_activity(&mut self, live: &Live<I>, doing: Option<Activity>) {
        let Some(slot) = self.slots.get_mut(&live.id()) else {
            return;
        };
        if slot.generation != live.generation() {
            return;
        }
        if let State::Leased { activity, .. } = &mut slot.state {
            *activity = doing;
        }
    }

    /// Decides what becomes of an instance that runs and that nobody holds.
    ///
    /// Every instance passes here before it is free, so rules that take instances out of use
    /// between two holders (age, number of uses, memory) have their place here.
    pub(super) fn rest(&mut self, id: InstanceId, now: Instant) {
        let slot = self.slot_mut(id);
        if slot.retiring {
            self.retire_now(id, now);
        } else if slot.restart_asked {
            self.replace(id, CloseReason::Restarted, "restart asked for", now);
        } else {
            self.offer(id, now);
        }
    }

    /// Gives the instance to the earliest waiter whom it can serve, or puts it on the free list.
    fn offer(&mut self, id: InstanceId, now: Instant) {
        let Some((ticket, waiter)) = self.queue.take_first_for(id) else {
            let slot = self.slot_mut(id);
            slot.state = State::Free {
                live: slot.take_live(),
                since: now,
            };
            self.free.push_back(id);
            return;
        };
        self.effects.queue_changed();
        self.assign(id, ticket, waiter, now);
    }

    /// Gives the instance to this waiter, after a reset if it bears somebody else's traces.
    ///
    /// Anything else that has to be done to an instance between two holders would go the way of
    /// the reset: the supervisor does it while the books say for whom.
    pub(super) fn assign(&mut self, id: InstanceId, ticket: Ticket, waiter: Waiter, now: Instant) {
        if self.slot_mut(id).traces.suits(&waiter.holder) {
            let grant = self.lease(id, waiter, now);
            self.settle(ticket, Ok(grant));
        } else {
            self.claim_mut(ticket).stage = Stage::Reserved(id);
            self.reserve(id, ticket, waiter, now);
        }
    }

    /// Enters a lease into the books.
    pub(super) fn lease(&mut self, id: InstanceId, waiter: Waiter, now: Instant) -> Grant<I> {
        let slot = self.slot_mut(id);
        let live = slot.take_live();
        let grant = Grant {
            live: live.clone(),
            world: match slot.traces {
                Traces::OfNobody => World::Blank,
                Traces::Of(_) => World::AsLeft,
            },
        };
        slot.traces = Traces::Of(waiter.holder);
        slot.state = State::Leased {
            live,
            activity: waiter.activity,
            since: now,
        };
        grant
    }

    /// Has the instance reset for this waiter. It counts as held from now on.
    pub(super) fn reserve(&mut self, id: InstanceId, ticket: Ticket, waiter: Waiter, now: Instant) {
        let slot = self.slot_mut(id);
        let live = slot.take_live();
        slot.state = State::Resetting {
            live,
            next: Some((ticket, waiter)),
            since: now,
        };
        self.wake_supervisor(id);
    }

    /// Lets somebody wait again whose instance was lost before it got it, at its old place.
    pub(super) fn requeue(&mut self, ticket: Ticket, waiter: Waiter, now: Instant) {
        if let Some(id) = self.take_free(waiter.lane) {
            self.assign(id, ticket, waiter, now);
        } else if let Err(error) = self.check_hope(waiter.lane, waiter.deadline, now) {
            self.settle(ticket, Err(error));
        } else {
            self.claim_mut(ticket).stage = Stage::Queued(waiter.lane);
            self.queue.insert(ticket, waiter);
            self.effects.queue_changed();
        }
    }
}
