//! What may happen to a pool.

use proptest::prelude::*;
use proptest::sample::Index;

/// How many instances a pool begins with, and how many it may have.
pub const INSTANCES: u32 = 3;
pub const MOST_INSTANCES: usize = 5;

#[derive(Clone, Debug)]
pub enum Event {
    /// Somebody asks and polls once.
    Ask {
        wanted: Option<Wanted>,
        holder: u8,
        timeout: u64,
    },
    /// One who waits polls again.
    Poll(Index),
    /// All who wait poll again, in the order in which they came.
    PollAll,
    /// One who waits goes away.
    Cancel(Index),
    /// A lease ends.
    Return(Index, How),
    /// The instance dies by itself.
    Kill(u32),
    /// A creation that is under way ends.
    Created(u32, bool),
    /// A reset that is under way ends.
    WasReset(u32, bool),
    /// The owner asks for a restart.
    Restart(u32),
    /// The owner changes the size.
    Resize(usize),
    /// Time passes.
    Pass(u64),
    /// The pool stops taking work.
    Drain,
}

#[derive(Clone, Debug)]
pub enum Wanted {
    Id(u32),
    /// The alias that this instance had in the beginning.
    Alias(u32),
}

#[derive(Clone, Copy, Debug)]
pub enum How {
    AsIs,
    Reset,
    Poison,
    Fail,
}

pub fn any_event() -> impl Strategy<Value = Event> {
    let instance = || 0..INSTANCES + 1;
    let wanted = prop_oneof![
        3 => Just(None),
        2 => instance().prop_map(|id| Some(Wanted::Id(id))),
        1 => (0..INSTANCES).prop_map(|id| Some(Wanted::Alias(id))),
    ];
    let timeout = prop_oneof![Just(1_u64), Just(3), Just(8), Just(600)];
    let how = prop_oneof![
        6 => Just(How::AsIs),
        2 => Just(How::Reset),
        1 => Just(How::Poison),
        1 => Just(How::Fail),
    ];
    let ask = (wanted, 0..3_u8, timeout);
    let mostly = || prop::bool::weighted(0.8);
    prop_oneof![
        24 => ask.prop_map(|(wanted, holder, timeout)| Event::Ask { wanted, holder, timeout }),
        12 => any::<Index>().prop_map(Event::Poll),
        6 => Just(Event::PollAll),
        8 => any::<Index>().prop_map(Event::Cancel),
        20 => (any::<Index>(), how).prop_map(|(which, how)| Event::Return(which, how)),
        3 => instance().prop_map(Event::Kill),
        16 => (instance(), mostly()).prop_map(|(id, ok)| Event::Created(id, ok)),
        10 => (instance(), mostly()).prop_map(|(id, ok)| Event::WasReset(id, ok)),
        2 => instance().prop_map(Event::Restart),
        2 => (0..=MOST_INSTANCES).prop_map(Event::Resize),
        5 => prop_oneof![Just(1_u64), Just(2), Just(5), Just(200)].prop_map(Event::Pass),
        1 => prop::bool::weighted(0.1).prop_map(|drain| if drain { Event::Drain } else { Event::PollAll }),
    ]
}
