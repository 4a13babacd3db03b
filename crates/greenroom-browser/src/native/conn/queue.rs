//! The events of one session on their way to one listener.
//!
//! The reader of the connection never waits for a listener, for all sessions wait behind it; and a
//! page can make events without end. So a queue is bounded, by number and by bytes, and something
//! must give when its listener is slow. Events are of two kinds. *Chatter* (network, console) is
//! dropped, the oldest first, without touching the others. What changes the page itself (frames,
//! contexts, dialogs, targets) is dropped only when there is far more of it than any page makes
//! that is not out to hurt. In both cases the listener is told how much it has missed, at the
//! place where it would have stood, and can look for itself. Replies never pass through here.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::event::Event;

/// What a listener hears next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something happened.
    Event(Event),
    /// Events were dropped here, because the listener was slow.
    Missed(Missed),
}

/// How much a listener has missed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Missed {
    /// Events of networks and consoles.
    pub chatter: u64,
    /// Events that change what the page is: whoever follows the page must look at it afresh.
    pub vital: u64,
}

impl Missed {
    fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// The bounds of one kind of events.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    count: usize,
    bytes: usize,
}

const CHATTER: Bounds = Bounds {
    count: 16_384,
    bytes: 16 << 20,
};
const VITAL: Bounds = Bounds {
    count: 16_384,
    bytes: 16 << 20,
};

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Debug)]
struct State {
    chatter: Lane,
    vital: Lane,
    missed: Missed,
    /// The order in which events came, over both lanes.
    next: u64,
    closed: bool,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                chatter: Lane::new(CHATTER),
                vital: Lane::new(VITAL),
                missed: Missed::default(),
                next: 0,
                closed: false,
            }),
            news: Notify::new(),
        }
    }

    /// Adds an event; never waits.
    pub(super) fn push(&self, event: Event) {
        let mut state = self.lock();
        let order = state.next;
        state.next += 1;
        if event.is_chatter() {
            let dropped = state.chatter.push(order, event);
            state.missed.chatter += dropped;
        } else {
            let dropped = state.vital.push(order, event);
            state.missed.vital += dropped;
        }
        drop(state);
        self.news.notify_one();
    }

    /// No more will come. What is queued can still be heard.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_one();
    }

    /// The next notice, or `None` after the last one. For one listener at a time.
    pub(super) async fn next(&self) -> Option<Notice> {
        loop {
            {
                let mut state = self.lock();
                if let Some(notice) = state.pop() {
                    return Some(notice);
                }
                if state.closed {
                    return None;
                }
            }
            // A notification that comes before this line is kept for it.
            self.news.notified().await;
        }
    }

    /// The next notice if there is one already.
    pub(super) fn try_next(&self) -> Option<Notice> {
        self.lock().pop()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop(&mut self) -> Option<Notice> {
        if !self.missed.is_nothing() {
            return Some(Notice::Missed(std::mem::take(&mut self.missed)));
        }
        let chatter_first = match (self.chatter.first(), self.vital.first()) {
            (Some(chatter), Some(vital)) => chatter < vital,
            (chatter, _) => chatter.is_some(),
        };
        let lane = if chatter_first {
            &mut self.chatter
        } else {
            &mut self.vital
        };
        lane.pop().map(Notice::Event)
    }
}

/// Events of one kind, each with its place in the order of all.
#[derive(Debug)]
struct Lane {
    events: VecDeque<(u64, Event)>,
    bytes: usize,
    bounds: Bounds,
}

impl Lane {
    fn new(bounds: Bounds) -> Self {
        Self {
            events: VecDeque::new(),
            bytes: 0,
            bounds,
        }
    }

    fn first(&self) -> Option<u64> {
        self.events.front().map(|(order, _)| *order)
    }

    fn pop(&mut self) -> Option<Event> {
        let (_, event) = self.events.pop_front()?;
        self.bytes -= event.cost();
        Some(event)
    }

    /// Adds an event and makes room for it; says how many were dropped.
    fn push(&mut self, order: u64, event: Event) -> u64 {
        self.bytes += event.cost();
        self.events.push_back((order, event));
        let mut dropped = 0;
        while self.events.len() > self.bounds.count || self.bytes > self.bounds.bytes {
            self.pop();
            dropped += 1;
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn event(method: &'static str, size: usize) -> Event {
        Event::new(
            Bytes::from_static(method.as_bytes()),
            vec![b'x'; size].into(),
        )
    }

    fn drain(queue: &Queue) -> Vec<Notice> {
        std::iter::from_fn(|| queue.try_next()).collect()
    }

    #[test]
    fn events_of_both_kinds_keep_their_order() {
        let queue = Queue::new();
        let methods = ["Page.a", "Network.b", "Page.c", "Log.d", "Log.e", "Page.f"];
        for method in methods {
            queue.push(event(method, 1));
        }
        let heard = drain(&queue).into_iter().map(|notice| match notice {
            Notice::Event(event) => event.method().to_owned(),
            Notice::Missed(missed) => panic!("{missed:?}"),
        });
        assert_eq!(heard.collect::<Vec<_>>(), methods);
    }

    #[test]
    fn a_flood_of_chatter_drops_the_oldest_of_it_and_nothing_vital() {
        let queue = Queue::new();
        queue.push(event("Page.javascriptDialogOpening", 1));
        for _ in 0..CHATTER.count + 10 {
            queue.push(event("Network.dataReceived", 1));
        }
        let heard = drain(&queue);
        let missed = Missed {
            chatter: 10,
            vital: 0,
        };
        assert_eq!(heard[0], Notice::Missed(missed));
        assert_eq!(
            heard[1],
            Notice::Event(event("Page.javascriptDialogOpening", 1))
        );
        assert_eq!(heard.len(), CHATTER.count + 2);
    }

    #[test]
    fn bytes_are_bounded_as_well_as_numbers() {
        let queue = Queue::new();
        for _ in 0..40 {
            queue.push(event("Runtime.consoleAPICalled", 1 << 20));
            queue.push(event("Page.frameNavigated", 1 << 20));
            let state = queue.lock();
            assert!(state.chatter.bytes <= CHATTER.bytes && state.vital.bytes <= VITAL.bytes);
        }
        let Some(Notice::Missed(missed)) = queue.try_next() else {
            panic!("the listener must be told");
        };
        assert!(missed.chatter >= 24 && missed.vital >= 24, "{missed:?}");
    }

    #[test]
    fn one_event_beyond_the_bound_is_not_kept_at_all() {
        let queue = Queue::new();
        queue.push(event("Network.x", CHATTER.bytes + 1));
        let missed = Missed {
            chatter: 1,
            vital: 0,
        };
        assert_eq!(drain(&queue), [Notice::Missed(missed)]);
    }

    #[tokio::test]
    async fn what_was_queued_before_the_end_is_still_heard() {
        let queue = Queue::new();
        queue.push(event("Page.a", 1));
        queue.close();
        assert!(matches!(queue.next().await, Some(Notice::Event(_))));
        assert_eq!(queue.next().await, None);
        assert_eq!(queue.next().await, None);
    }
}
