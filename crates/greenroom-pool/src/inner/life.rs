//! A supervisor reports what became of its instance and asks what to do next.
//!
//! Reports carry the generation that they are about; one about a life that is over is ignored.

use std::sync::Arc;

use tokio::time::Instant;

use super::{Inner, Phase};
use crate::instance::{Generation, InstanceId};
use crate::live::Live;
use crate::manager::CloseReason;
use crate::options::Health;
use crate::slot::{Slot, State, Traces};
use crate::snapshot::CheckView;

/// What a supervisor without an instance does next.
#[derive(Debug)]
pub(crate) enum Step {
    /// Create the instance of this generation.
    Start {
        generation: Generation,
        health: Health,
    },
    /// Wait for this moment, or to be woken.
    WaitUntil(Instant),
    /// Wait to be woken.
    Wait,
    /// There is nothing left to supervise.
    Stop,
}

/// What a supervisor does with the instance that it has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Watch it.
    Watch,
    /// Reset it.
    Reset,
    /// Close it: this life is over.
    Close(CloseReason),
}

impl<I> Inner<I> {
    /// What to do in a slot without a living instance. A slot that is gone is removed here, when
    /// its last life has been closed, so that its id is not given to another before.
    pub(crate) fn next_step(&mut self, id: InstanceId, now: Instant) -> Step {
        let slot = self.slot_mut(id);
        match slot.state {
            State::Down { retry_at: Some(at) } if at > now => return Step::WaitUntil(at),
            State::Down { retry_at: Some(_) } => {
                slot.budget.retry_begins(now);
                slot.begin_life();
                slot.restarts += 1;
                self.counters.restarts += 1;
            }
            State::Starting => {}
            State::Gone => {
                let last = slot.generation;
                self.slots.remove(&id);
                self.former.insert(id, last);
                return Step::Stop;
            }
            _ => return Step::Wait,
        }
        self.counters.creations_started += 1;
        let slot = self.slot_mut(id);
        Step::Start {
            generation: slot.generation,
            health: slot.health,
        }
    }

    /// Whether the start of this generation is still wanted.
    pub(crate) fn is_starting(&self, id: InstanceId, generation: Generation) -> bool {
        let slot = self.slots.get(&id);
        slot.is_some_and(|slot| {
            slot.generation == generation && matches!(slot.state, State::Starting)
        })
    }

    /// What to do with the living instance of this generation.
    pub(crate) fn work(&self, id: InstanceId, generation: Generation) -> Work {
        match self.slots.get(&id) {
            Some(slot) if slot.lives(generation) => match slot.state {
                State::Resetting { .. } => Work::Reset,
                _ => Work::Watch,
            },
            Some(slot) => Work::Close(slot.ending),
            None => Work::Close(CloseReason::PoolClosed),
        }
    }

    /// A creation gave an instance. If nobody wants it any more the supervisor closes it.
    pub(crate) fn started(&mut self, live: &Live<I>, now: Instant) -> Result<(), CloseReason> {
        self.counters.creations_succeeded += 1;
        let id = live.id();
        if !self.is_starting(id, live.generation()) {
            return Err(match self.phase {
                Phase::Closed => CloseReason::PoolClosed,
                Phase::Open | Phase::Draining => CloseReason::Retired,
            });
        }
        let slot = self.slot_mut(id);
        slot.started(now);
        slot.state = State::Free {
            live: live.clone(),
            since: now,
        };
        self.rest(id, now);
        Ok(())
    }

    /// A creation gave an error. Says when the next attempt is due.
    pub(crate) fn start_failed(
        &mut self,
        id: InstanceId,
        generation: Generation,
        why: &str,
        now: Instant,
    ) -> Option<Instant> {
        self.counters.creations_failed += 1;
        if !self.is_starting(id, generation) {
            return None;
        }
        self.fail(id, &Arc::from(why), now);
        self.retry_at(id)
    }

    /// A creation was given up because nobody wanted its instance any more.
    pub(crate) fn start_abandoned(&mut self) {
        self.counters.creations_abandoned += 1;
    }

    /// The instance died by itself.
    pub(crate) fn died(&mut self, live: &Live<I>, why: &str, now: Instant) -> Option<Instant> {
        self.living(live)?;
        self.lose(live.id(), &Arc::from(why), now);
        self.retry_at(live.id())
    }

    /// A probe ended. Says why the instance is failed from now on, if it is.
    pub(crate) fn probed(
        &mut self,
        live: &Live<I>,
        result: Result<(), String>,
        now: Instant,
    ) -> Option<Arc<str>> {
        let error = result.err().map(Arc::<str>::from);
        match error {
            None => self.counters.probes_answered += 1,
            Some(_) => self.counters.probes_missed += 1,
        }
        let slot = self.living(live)?;
        slot.last_check = Some(CheckView {
            at: now,
            error: error.clone(),
        });
        let Some(error) = error else {
            slot.strikes = 0;
            return None;
        };
        slot.strikes += 1;
        if slot.strikes < slot.health.strikes {
            return None;
        }
        let why = Arc::from(format!(
            "{} probes in a row were missed: {error}",
            slot.strikes
        ));
        self.lose(live.id(), &why, now);
        Some(why)
    }

    /// A reset ended. An instance that could not be reset is never seen again.
    pub(crate) fn reset_done(&mut self, live: &Live<I>, result: &Result<(), String>, now: Instant) {
        match result {
            Ok(()) => self.counters.resets_succeeded += 1,
            Err(_) => self.counters.resets_failed += 1,
        }
        let id = live.id();
        let Some(slot) = self.living(live) else {
            return;
        };
        let State::Resetting { next, .. } = &mut slot.state else {
            return;
        };
        if let Err(why) = result {
            let why = format!("the reset failed: {why}");
            self.replace(id, CloseReason::ResetFailed, &why, now);
            return self.remind_of_waiters();
        }
        let next = next.take();
        slot.traces = Traces::OfNobody;
        match next {
            Some((ticket, waiter)) => self.assign(id, ticket, waiter, now),
            None => self.rest(id, now),
        }
    }

    /// An instance was closed.
    pub(crate) fn closed(&mut self, reason: CloseReason) {
        self.counters.count_closing(reason);
    }

    fn lose(&mut self, id: InstanceId, why: &Arc<str>, now: Instant) {
        if self.fail(id, why, now) {
            self.counters.leases_lost += 1;
            self.effects.lease_ended();
        }
    }

    fn living(&mut self, live: &Live<I>) -> Option<&mut Slot<I>> {
        self.slots
            .get_mut(&live.id())
            .filter(|slot| slot.lives(live.generation()))
    }

    fn retry_at(&self, id: InstanceId) -> Option<Instant> {
        match self.slots.get(&id)?.state {
            State::Down { retry_at } => retry_at,
            _ => None,
        }
    }
}
