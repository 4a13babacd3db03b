//! How many worlds a browser holds.
//!
//! A seat is taken before its world is made and given back when the world is gone, whatever
//! happens in between; so the count is never wrong, and two callers never get the last one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

#[derive(Debug)]
pub(super) struct Seats {
    capacity: usize,
    taken: AtomicUsize,
    /// No new worlds: one of them could not be got rid of.
    retired: AtomicBool,
}

/// A place for one world.
#[derive(Debug)]
pub(super) struct Seat(Arc<Seats>);

impl Seats {
    pub(super) fn new(capacity: usize) -> Arc<Self> {
        Arc::new(Self {
            capacity,
            taken: AtomicUsize::new(0),
            retired: AtomicBool::new(false),
        })
    }

    /// Takes a seat, if there is one.
    pub(super) fn take(self: &Arc<Self>) -> Option<Seat> {
        if self.is_retired() {
            return None;
        }
        let one_more = |taken: usize| (taken < self.capacity).then_some(taken + 1);
        let took = self.taken.try_update(SeqCst, SeqCst, one_more);
        took.ok().map(|_| Seat(self.clone()))
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn taken(&self) -> usize {
        self.taken.load(SeqCst)
    }

    pub(super) fn free(&self) -> usize {
        if self.is_retired() {
            return 0;
        }
        self.capacity.saturating_sub(self.taken())
    }

    pub(super) fn retire(&self) {
        self.retired.store(true, SeqCst);
    }

    pub(super) fn is_retired(&self) -> bool {
        self.retired.load(SeqCst)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_seats_as_said_and_they_come_back() {
        let seats = Seats::new(2);
        let (first, _second) = (seats.take().unwrap(), seats.take().unwrap());
        assert!(seats.take().is_none());
        drop(first);
        assert_eq!((seats.taken(), seats.free()), (1, 1));
        assert!(seats.take().is_some());
    }

    #[test]
    fn a_retired_browser_takes_nobody_in() {
        let seats = Seats::new(2);
        let _guest = seats.take().unwrap();
        seats.retire();
        assert!(seats.take().is_none());
        assert_eq!((seats.taken(), seats.free()), (1, 0));
    }
}
