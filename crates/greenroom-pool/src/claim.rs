//! What became of one call of `acquire` that could not be answered at once.
//!
//! Every such call has exactly one claim until it ends, so the number of claims is the number of
//! callers in flight. The answer is left in the claim by whoever decides it and fetched by the
//! caller; a caller that goes away instead finds there what it has to give back.

use std::task::Waker;

use crate::error::PoolError;
use crate::instance::InstanceId;
use crate::live::Live;
use crate::queue::Lane;

/// What a holder finds in the instance that it was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// Nothing: the instance is new or was reset.
    Blank,
    /// What the same holder left in it.
    AsLeft,
}

/// A lease in the making: the books say that it is held, the holder has yet to get it.
#[derive(Debug)]
pub(crate) struct Grant<I> {
    pub(crate) live: Live<I>,
    pub(crate) world: World,
}

#[derive(Debug)]
pub(crate) enum Stage<I> {
    /// It waits in the queue.
    Queued(Lane),
    /// This instance is being reset for it.
    Reserved(InstanceId),
    /// The answer lies ready.
    Settled(Result<Grant<I>, PoolError>),
}

#[derive(Debug)]
pub(crate) struct Claim<I> {
    pub(crate) stage: Stage<I>,
    pub(crate) waker: Option<Waker>,
}

impl<I> Claim<I> {
    pub(crate) fn new(stage: Stage<I>) -> Self {
        Self { stage, waker: None }
    }

    /// Remembers whom to wake; returns the waker that this replaced.
    pub(crate) fn listen(&mut self, waker: &Waker) -> Option<Waker> {
        match &self.waker {
            Some(known) if known.will_wake(waker) => None,
            _ => self.waker.replace(waker.clone()),
        }
    }
}
