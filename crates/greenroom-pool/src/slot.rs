//! One place in a pool and the lives that an instance leads in it.
//!
//! ```text
//!             created              granted              returned for reset
//!  Starting ───────────▶ Free ◀────────────▶ Leased ───────────────▶ Resetting ──▶ Free
//!   ▲   │                 │     returned        │                        │
//!   │   │ start failed    │ died                │ died                   │ died
//!   │   ▼                 ▼                     ▼                        ▼
//!   └─ Down ◀───────────────────────────────────────────────────────────┘
//!  retry due
//! ```
//!
//! From the three live states a slot also moves straight to `Starting`, with the next generation,
//! when its instance is to be *replaced* (poisoned, not resettable, restart asked for), and from
//! every state to `Gone` when it is retired or the pool closes. A free instance that is granted to
//! somebody other than its last user passes through `Resetting` on the way, reserved for that one.
//!
//! The slot knows moves, not policy: who gets an instance, and what a failure means to those who
//! wait, is decided in `inner`.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::backoff::Budget;
use crate::instance::{Generation, InstanceName, InstanceSpec};
use crate::live::Live;
use crate::manager::CloseReason;
use crate::options::{Health, Options};
use crate::queue::{Ticket, Waiter};
use crate::request::{Activity, Holder};
use crate::snapshot::{CheckView, FailureView};

/// Whose traces an instance bears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Traces {
    OfNobody,
    Of(Holder),
}

impl Traces {
    /// Whether this holder may have the instance without a reset.
    pub(crate) fn suits(&self, holder: &Holder) -> bool {
        match self {
            Self::OfNobody => true,
            Self::Of(last) => last == holder,
        }
    }
}

#[derive(Debug)]
pub(crate) enum State<I> {
    /// The supervisor closes the former life, if there was one, and creates the next.
    Starting,
    /// On the free list.
    Free { live: Live<I>, since: Instant },
    /// Held; its traces say by whom.
    Leased {
        live: Live<I>,
        activity: Option<Activity>,
        since: Instant,
    },
    /// The supervisor resets it: for somebody, or because it came back with that wish.
    Resetting {
        live: Live<I>,
        next: Option<(Ticket, Waiter)>,
        since: Instant,
    },
    /// Failed; without a time it stays so until somebody asks for a restart.
    Down { retry_at: Option<Instant> },
    /// Out of the pool; the supervisor closes what is left and removes the slot.
    Gone,
}

#[derive(Debug)]
pub(crate) struct Slot<I> {
    pub(crate) name: InstanceName,
    pub(crate) health: Health,
    pub(crate) budget: Budget,
    pub(crate) generation: Generation,
    pub(crate) state: State<I>,
    pub(crate) traces: Traces,
    pub(crate) strikes: u32,
    pub(crate) last_check: Option<CheckView>,
    pub(crate) last_failure: Option<FailureView>,
    pub(crate) restarts: u64,
    /// Leaves the pool when its holder returns it.
    pub(crate) retiring: bool,
    /// Is replaced when its holder returns it.
    pub(crate) restart_asked: bool,
    /// Why the life that ended last did; the supervisor passes it to the manager.
    pub(crate) ending: CloseReason,
    /// Wakes the supervisor to look at the state.
    pub(crate) supervisor: Arc<Notify>,
}

impl<I> Slot<I> {
    pub(crate) fn new(spec: InstanceSpec, generation: Generation, options: &Options) -> Self {
        Self {
            health: spec.health.unwrap_or(options.health),
            budget: Budget::new(spec.restart.unwrap_or(options.restart)),
            name: spec.name,
            generation,
            state: State::Starting,
            traces: Traces::OfNobody,
            strikes: 0,
            last_check: None,
            last_failure: None,
            restarts: 0,
            retiring: false,
            restart_asked: false,
            ending: CloseReason::PoolClosed,
            supervisor: Arc::new(Notify::new()),
        }
    }

    /// The running instance, whoever has it.
    pub(crate) fn live(&self) -> Option<&Live<I>> {
        match &self.state {
            State::Free { live, .. }
            | State::Leased { live, .. }
            | State::Resetting { live, .. } => Some(live),
            State::Starting | State::Down { .. } | State::Gone => None,
        }
    }

    /// Whether this very life is going on.
    pub(crate) fn lives(&self, generation: Generation) -> bool {
        self.generation == generation && self.live().is_some()
    }

    /// Whether this very life is leased.
    pub(crate) fn is_leased_in(&self, generation: Generation) -> bool {
        self.generation == generation && matches!(self.state, State::Leased { .. })
    }

    /// Whether somebody has the instance or is about to.
    pub(crate) fn is_held(&self) -> bool {
        matches!(
            self.state,
            State::Leased { .. } | State::Resetting { next: Some(_), .. }
        )
    }

    /// Whether newcomers may still wait for it.
    pub(crate) fn is_member(&self) -> bool {
        !self.retiring && !matches!(self.state, State::Gone)
    }

    /// Whether it may serve somebody before this moment.
    pub(crate) fn may_serve_by(&self, deadline: Instant) -> bool {
        match self.state {
            State::Down { retry_at } => retry_at.is_some_and(|at| at <= deadline),
            State::Gone => false,
            _ => true,
        }
    }

    /// The instance runs: nobody has it and nobody has used it.
    pub(crate) fn started(&mut self, now: Instant) {
        self.traces = Traces::OfNobody;
        self.strikes = 0;
        self.restart_asked = false;
        self.last_check = Some(CheckView {
            at: now,
            error: None,
        });
    }

    /// Takes the running instance out, to put it into the next state at once.
    pub(crate) fn take_live(&mut self) -> Live<I> {
        match std::mem::replace(&mut self.state, State::Gone) {
            State::Free { live, .. }
            | State::Leased { live, .. }
            | State::Resetting { live, .. } => live,
            _ => panic!("BUG: an instance that does not run was handed on"),
        }
    }

    /// Moves on to `state`; if that ends a life, says whose business it was.
    ///
    /// Only a life that was going on leaves a reason for its closing: a slot that merely waited
    /// must not overwrite the reason of a life that the supervisor has yet to close.
    pub(crate) fn end_life(&mut self, state: State<I>, reason: CloseReason) -> Option<Ended<I>> {
        let (live, leased, next) = match std::mem::replace(&mut self.state, state) {
            State::Free { live, .. } => (live, false, None),
            State::Leased { live, .. } => (live, true, None),
            State::Resetting { live, next, .. } => (live, false, next),
            State::Starting | State::Down { .. } | State::Gone => return None,
        };
        self.ending = reason;
        Some(Ended { live, leased, next })
    }

    /// Begins the next life. The former one must have ended.
    pub(crate) fn begin_life(&mut self) {
        debug_assert!(self.live().is_none(), "BUG: a life began inside another");
        self.generation = self.generation.next();
        self.state = State::Starting;
    }

    /// Notes why it does not run, for status and for those who are turned away.
    pub(crate) fn note_failure(&mut self, reason: &Arc<str>, now: Instant) {
        self.last_check = Some(CheckView {
            at: now,
            error: Some(Arc::clone(reason)),
        });
        self.last_failure = Some(FailureView {
            at: now,
            reason: Arc::clone(reason),
        });
    }
}

/// A life that ended, and whose business it was.
pub(crate) struct Ended<I> {
    pub(crate) live: Live<I>,
    /// Somebody held it.
    pub(crate) leased: bool,
    /// Somebody was about to.
    pub(crate) next: Option<(Ticket, Waiter)>,
}
