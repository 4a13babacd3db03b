//! Who is served next.
//!
//! # The rule
//!
//! A waiter is either *plain* (any instance will do) or *keyed* (only one will do). When an
//! instance becomes free it goes to the waiter that **came first among those whom it can serve**:
//! all plain waiters, and those keyed to this instance. Three things follow:
//!
//! - Between plain and keyed waiters of the same instance only the time of arrival counts.
//! - A keyed waiter never holds anybody else up: instances that it cannot use pass it by.
//! - A free instance and a waiter whom it could serve never exist side by side, because the one
//!   who returns an instance hands it over before anybody else can look. A newcomer may therefore
//!   take any free instance without overtaking somebody.
//!
//! A waiter whose instance turned out to be unfit before it got it goes back to its old place: the
//! ticket that it drew on arrival is its place, whatever happens in between.
//!
//! # The structure
//!
//! One ordered map, by lane and then by ticket. The first of a lane is found, and anybody removed,
//! in logarithmic time, so ten thousand waiters cost no more per step than a few.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Bound;

use tokio::time::Instant;

use crate::instance::InstanceId;
use crate::request::{Activity, Holder};

/// A place in the order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticket(u64);

impl Ticket {
    const FIRST: Self = Self(0);
    const LAST: Self = Self(u64::MAX);
}

/// Which instances will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    Any,
    Only(InstanceId),
}

impl Lane {
    pub(crate) fn admits(self, id: InstanceId) -> bool {
        match self {
            Self::Any => true,
            Self::Only(wanted) => wanted == id,
        }
    }

    pub(crate) fn wanted(self) -> Option<InstanceId> {
        match self {
            Self::Any => None,
            Self::Only(id) => Some(id),
        }
    }
}

/// One who waits.
#[derive(Clone, Debug)]
pub(crate) struct Waiter {
    pub(crate) lane: Lane,
    pub(crate) holder: Holder,
    pub(crate) activity: Option<Activity>,
    pub(crate) since: Instant,
    pub(crate) deadline: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiters: BTreeMap<(Lane, Ticket), Waiter>,
    drawn: u64,
}

impl Queue {
    /// Draws the next place in the order of arrival.
    pub(crate) fn draw(&mut self) -> Ticket {
        let ticket = Ticket(self.drawn);
        self.drawn += 1;
        ticket
    }

    /// Lets somebody wait at the place of this ticket.
    pub(crate) fn insert(&mut self, ticket: Ticket, waiter: Waiter) {
        let former = self.waiters.insert((waiter.lane, ticket), waiter);
        debug_assert!(former.is_none(), "BUG: a ticket was in the queue twice");
    }

    /// Takes somebody out, wherever it stands.
    pub(crate) fn remove(&mut self, lane: Lane, ticket: Ticket) -> Option<Waiter> {
        self.waiters.remove(&(lane, ticket))
    }

    /// Takes out the one to be served by this instance.
    pub(crate) fn take_first_for(&mut self, id: InstanceId) -> Option<(Ticket, Waiter)> {
        if self.waiters.is_empty() {
            return None;
        }
        let plain = self.first(Lane::Any);
        let keyed = self.first(Lane::Only(id));
        let (lane, ticket) = match (plain, keyed) {
            (Some(plain), Some(keyed)) if keyed < plain => (Lane::Only(id), keyed),
            (Some(plain), _) => (Lane::Any, plain),
            (None, keyed) => (Lane::Only(id), keyed?),
        };
        self.remove(lane, ticket).map(|waiter| (ticket, waiter))
    }

    fn first(&self, lane: Lane) -> Option<Ticket> {
        let places = (lane, Ticket::FIRST)..=(lane, Ticket::LAST);
        self.waiters
            .range(places)
            .next()
            .map(|((_, ticket), _)| *ticket)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiters.len()
    }

    /// The first of every lane. Skips from lane to lane, so a long queue does not make it slow.
    pub(crate) fn heads(&self) -> impl Iterator<Item = &Waiter> {
        let mut from = Bound::Unbounded;
        iter::from_fn(move || {
            let ((lane, _), waiter) = self.waiters.range((from, Bound::Unbounded)).next()?;
            from = Bound::Excluded((*lane, Ticket::LAST));
            Some(waiter)
        })
    }

    /// Everybody, lane by lane and in order of arrival within a lane.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Ticket, &Waiter)> {
        self.waiters
            .iter()
            .map(|((_, ticket), waiter)| (*ticket, waiter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn join(queue: &mut Queue, lane: Lane) -> Ticket {
        let ticket = queue.draw();
        let since = Instant::now();
        let holder = Holder::new("somebody");
        let deadline = since + Duration::from_secs(1);
        queue.insert(
            ticket,
            Waiter {
                lane,
                holder,
                activity: None,
                since,
                deadline,
            },
        );
        ticket
    }

    fn served(queue: &mut Queue, id: u32) -> Option<Ticket> {
        queue
            .take_first_for(InstanceId::new(id))
            .map(|(ticket, _)| ticket)
    }

    fn only(id: u32) -> Lane {
        Lane::Only(InstanceId::new(id))
    }

    #[test]
    fn plain_and_keyed_waiters_are_served_in_the_order_in_which_they_came() {
        let mut queue = Queue::default();
        let first = join(&mut queue, only(1));
        let second = join(&mut queue, Lane::Any);
        let third = join(&mut queue, only(1));
        assert_eq!(served(&mut queue, 1), Some(first));
        assert_eq!(served(&mut queue, 1), Some(second));
        assert_eq!(served(&mut queue, 1), Some(third));
        assert_eq!(served(&mut queue, 1), None);
    }

    #[test]
    fn an_instance_passes_by_those_who_wait_for_another() {
        let mut queue = Queue::default();
        let patient = join(&mut queue, only(2));
        let plain = join(&mut queue, Lane::Any);
        assert_eq!(served(&mut queue, 1), Some(plain));
        assert_eq!(served(&mut queue, 1), None);
        assert_eq!(served(&mut queue, 2), Some(patient));
    }

    #[test]
    fn the_heads_are_the_first_of_every_lane() {
        let mut queue = Queue::default();
        assert_eq!(queue.heads().count(), 0);
        for lane in [only(2), Lane::Any, only(2), Lane::Any, only(7)] {
            join(&mut queue, lane);
        }
        let lanes: Vec<Lane> = queue.heads().map(|waiter| waiter.lane).collect();
        assert_eq!(lanes, [Lane::Any, only(2), only(7)]);
    }

    #[test]
    fn whoever_comes_back_with_an_old_ticket_has_its_old_place() {
        let mut queue = Queue::default();
        let old = join(&mut queue, Lane::Any);
        let newer = join(&mut queue, Lane::Any);
        let (ticket, waiter) = queue
            .take_first_for(InstanceId::new(0))
            .expect("somebody waits");
        queue.insert(ticket, waiter);
        assert_eq!(served(&mut queue, 0), Some(old));
        assert_eq!(served(&mut queue, 0), Some(newer));
    }
}
