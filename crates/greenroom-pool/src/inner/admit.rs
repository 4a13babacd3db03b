//! A caller asks, gets its answer, goes away or runs out of time.

use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

use super::{Inner, Phase};
use crate::claim::{Claim, Grant, Stage, World};
use crate::error::PoolError;
use crate::instance::{InstanceId, InstanceName};
use crate::queue::{Lane, Ticket, Waiter};
use crate::request::Request;
use crate::slot::{State, Traces};

/// How long the pool asks those to wait whom it turns away, at least and at most.
const RETRY_HINT: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Stands for "no deadline" when a timeout is too long to be added to the clock.
const FAR_AWAY: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

#[derive(Debug)]
pub(crate) enum Admission<I> {
    Granted(Grant<I>),
    Waiting { ticket: Ticket, deadline: Instant },
}

impl<I> Inner<I> {
    /// Answers a caller at once, or gives it a claim to wait with.
    pub(crate) fn admit(
        &mut self,
        request: Request,
        now: Instant,
    ) -> Result<Admission<I>, PoolError> {
        self.counters.acquires_started += 1;
        let admission = self.try_admit(request, now);
        match &admission {
            Ok(Admission::Granted(_)) => self.counters.acquires_granted += 1,
            Ok(Admission::Waiting { .. }) => {}
            Err(error) => self.count_refusal(error),
        }
        admission
    }

    fn try_admit(&mut self, request: Request, now: Instant) -> Result<Admission<I>, PoolError> {
        if self.phase != Phase::Open {
            return Err(PoolError::Closed);
        }
        let lane = match &request.key {
            None => Lane::Any,
            Some(key) => Lane::Only(self.resolve(key)?),
        };
        let deadline = now
            .checked_add(request.timeout)
            .unwrap_or_else(|| now + FAR_AWAY);
        let Request {
            holder, activity, ..
        } = request;
        let waiter = Waiter {
            lane,
            holder,
            activity,
            since: now,
            deadline,
        };
        match self.take_free(lane) {
            Some(id) => Ok(self.give_at_once(id, waiter, now)),
            None => self.let_wait(waiter, now),
        }
    }

    fn give_at_once(&mut self, id: InstanceId, waiter: Waiter, now: Instant) -> Admission<I> {
        if self.slot_mut(id).traces.suits(&waiter.holder) {
            return Admission::Granted(self.lease(id, waiter, now));
        }
        let ticket = self.queue.draw();
        let deadline = waiter.deadline;
        self.claims.insert(ticket, Claim::new(Stage::Reserved(id)));
        self.reserve(id, ticket, waiter, now);
        Admission::Waiting { ticket, deadline }
    }

    fn let_wait(&mut self, waiter: Waiter, now: Instant) -> Result<Admission<I>, PoolError> {
        self.check_hope(waiter.lane, waiter.deadline, now)?;
        if self.queue.len() >= self.options.max_queue {
            let retry_after = self.retry_hint(now);
            return Err(PoolError::QueueFull {
                waiters: self.queue.len(),
                retry_after,
            });
        }
        let ticket = self.queue.draw();
        let deadline = waiter.deadline;
        self.claims
            .insert(ticket, Claim::new(Stage::Queued(waiter.lane)));
        self.queue.insert(ticket, waiter);
        self.effects.queue_changed();
        Ok(Admission::Waiting { ticket, deadline })
    }

    /// Fetches the answer to a claim, if it is there; otherwise `waker` is woken when it is.
    pub(crate) fn poll_claim(
        &mut self,
        ticket: Ticket,
        waker: &Waker,
    ) -> Option<Result<Grant<I>, PoolError>> {
        let claim = self.claim_mut(ticket);
        if matches!(claim.stage, Stage::Settled(_)) {
            return Some(self.fetch(ticket));
        }
        let replaced = claim.listen(waker);
        self.effects.discard(replaced);
        None
    }

    /// The deadline of a claim has passed. An answer that came just in time still counts.
    pub(crate) fn expire(&mut self, ticket: Ticket, now: Instant) -> Result<Grant<I>, PoolError> {
        let error = match self.claim_mut(ticket).stage {
            Stage::Settled(_) => return self.fetch(ticket),
            Stage::Queued(lane) => {
                let waiters = self.queue.len();
                let waiter = self.queue.remove(lane, ticket);
                let waiter = waiter.expect("BUG: a queued claim was not in the queue");
                self.effects.queue_changed();
                self.timeout_error(&waiter, waiters, now)
            }
            Stage::Reserved(id) => {
                let waiter = self.unreserve(id, now);
                self.timeout_error(&waiter, self.queue.len() + 1, now)
            }
        };
        self.drop_claim(ticket);
        self.counters.acquires_timed_out += 1;
        Err(error)
    }

    /// The caller has gone away. What it was about to get goes to the next.
    pub(crate) fn abandon(&mut self, ticket: Ticket, now: Instant) {
        self.counters.acquires_cancelled += 1;
        match self.drop_claim(ticket) {
            Stage::Queued(lane) => {
                self.queue.remove(lane, ticket);
                self.effects.queue_changed();
            }
            Stage::Reserved(id) => {
                self.unreserve(id, now);
            }
            Stage::Settled(Ok(grant)) => self.take_back(grant, now),
            Stage::Settled(Err(_)) => {}
        }
    }

    /// Leaves the answer in a claim.
    pub(super) fn settle(&mut self, ticket: Ticket, answer: Result<Grant<I>, PoolError>) {
        let claim = self.claim_mut(ticket);
        claim.stage = Stage::Settled(answer);
        let waker = claim.waker.take();
        self.effects.wake(waker);
    }

    fn fetch(&mut self, ticket: Ticket) -> Result<Grant<I>, PoolError> {
        let Stage::Settled(answer) = self.drop_claim(ticket) else {
            panic!("BUG: an answer was fetched before it was there");
        };
        match &answer {
            Ok(_) => self.counters.acquires_granted += 1,
            Err(error) => self.count_refusal(error),
        }
        answer
    }

    fn drop_claim(&mut self, ticket: Ticket) -> Stage<I> {
        let claim = self
            .claims
            .remove(&ticket)
            .expect("BUG: a claim ended twice");
        self.effects.discard(claim.waker);
        claim.stage
    }

    /// Takes back a grant that its caller never saw; an unused instance is as blank as it was.
    fn take_back(&mut self, grant: Grant<I>, now: Instant) {
        let Grant { live, world } = grant;
        let (id, generation) = (live.id(), live.generation());
        self.effects.release(live);
        let Some(slot) = self.slots.get_mut(&id) else {
            return;
        };
        if !slot.is_leased_in(generation) {
            return;
        }
        if world == World::Blank {
            slot.traces = Traces::OfNobody;
        }
        self.rest(id, now);
    }

    /// The reset goes on, but no longer for anybody in particular.
    pub(super) fn unreserve(&mut self, id: InstanceId, now: Instant) -> Waiter {
        let slot = self.slot_mut(id);
        let State::Resetting { next, .. } = &mut slot.state else {
            panic!("BUG: a reserved instance was not being reset");
        };
        let (_, waiter) = next
            .take()
            .expect("BUG: an instance was reserved for nobody");
        if slot.retiring {
            self.retire_now(id, now);
        }
        waiter
    }

    fn timeout_error(&self, waiter: &Waiter, waiters: usize, now: Instant) -> PoolError {
        PoolError::Timeout {
            waited: now.saturating_duration_since(waiter.since),
            wanted: self.wanted(waiter.lane),
            waiters,
            held: self.held(waiter.lane, now),
        }
    }

    fn count_refusal(&mut self, error: &PoolError) {
        let counter = match error {
            PoolError::Timeout { .. } => &mut self.counters.acquires_timed_out,
            PoolError::QueueFull { .. } => &mut self.counters.acquires_refused,
            PoolError::NoHealthyInstances { .. } => &mut self.counters.acquires_unhealthy,
            PoolError::Closed => &mut self.counters.acquires_closed,
            PoolError::UnknownInstance { .. }
            | PoolError::NameTaken { .. }
            | PoolError::NumericAlias { .. } => &mut self.counters.acquires_unknown,
        };
        *counter += 1;
    }

    /// The queue that the newcomer met took its head as long as the head has waited; about as long
    /// from now there will be room.
    fn retry_hint(&self, now: Instant) -> Duration {
        let (least, most) = RETRY_HINT;
        let oldest = self.queue.heads().map(|waiter| waiter.since).min();
        oldest
            .map_or(least, |since| now.saturating_duration_since(since))
            .clamp(least, most)
    }

    pub(super) fn wanted(&self, lane: Lane) -> Option<InstanceName> {
        let slot = self.slots.get(&lane.wanted()?)?;
        Some(slot.name.clone())
    }
}
