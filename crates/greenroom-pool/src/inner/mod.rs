//! The books of a pool: everything that its lock protects.
//!
//! Nothing here is async, reads a clock or calls out: `now` comes in as an argument, and what has
//! to happen outside is left in [`Effects`]. So every method is one indivisible step, and the pool
//! is as correct as these steps are. They are sorted by who takes them:
//!
//! - `admit`: a caller asks, gets its answer, goes away or runs out of time;
//! - `grant`: an instance becomes free and finds its next holder;
//! - `life`: a supervisor reports what became of its instance and asks what to do next;
//! - `ending`: a life ends, and those who counted on it are looked after;
//! - `size`: the owner adds, retires and restarts instances;
//! - `shutdown`: the pool stops taking work and lets go of everything;
//! - `view`: somebody wants to know.
//!
//! Invariants: an instance is on the free list exactly when its slot is `Free`; a free instance
//! and a queued waiter whom it could serve never exist side by side; every caller in flight has
//! one claim, and stands in the queue exactly when its claim says so.

mod admit;
mod ending;
mod grant;
mod life;
mod shutdown;
mod size;
mod view;

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::claim::Claim;
use crate::effects::Effects;
use crate::instance::{Generation, InstanceId};
use crate::options::Options;
use crate::queue::{Queue, Ticket};
use crate::slot::Slot;
use crate::stats::Counters;

pub(crate) use admit::Admission;
pub(crate) use grant::Return;
pub(crate) use life::{Step, Work};
pub(crate) use size::Opened;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Takes work.
    Open,
    /// Takes no new work; leases may still come back.
    Draining,
    /// Lets go of everything.
    Closed,
}

#[derive(Debug)]
pub(crate) struct Inner<I> {
    options: Options,
    phase: Phase,
    slots: BTreeMap<InstanceId, Slot<I>>,
    /// The last generation of instances that left: an id that is used again goes on from there, so
    /// that a lease of its former life is never taken for one of its present life.
    former: BTreeMap<InstanceId, Generation>,
    /// Free instances; the one that came back earliest is in front.
    free: VecDeque<InstanceId>,
    queue: Queue,
    claims: HashMap<Ticket, Claim<I>>,
    counters: Counters,
    pub(crate) effects: Effects<I>,
}

impl<I> Inner<I> {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            phase: Phase::Open,
            slots: BTreeMap::new(),
            former: BTreeMap::new(),
            free: VecDeque::new(),
            queue: Queue::default(),
            claims: HashMap::new(),
            counters: Counters::default(),
            effects: Effects::none(),
        }
    }

    fn slot_mut(&mut self, id: InstanceId) -> &mut Slot<I> {
        self.slots
            .get_mut(&id)
            .expect("BUG: a slot was removed before its supervisor stopped")
    }

    fn claim_mut(&mut self, ticket: Ticket) -> &mut Claim<I> {
        self.claims
            .get_mut(&ticket)
            .expect("BUG: somebody waits without a claim")
    }

    fn wake_supervisor(&mut self, id: InstanceId) {
        if let Some(slot) = self.slots.get(&id) {
            self.effects.supervise(&slot.supervisor);
        }
    }
}
