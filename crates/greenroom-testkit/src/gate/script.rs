//! What the calls of a scripted manager do.

use std::collections::{HashMap, VecDeque};
use std::future::pending;

use greenroom_pool::InstanceId;

use super::Gate;

/// A call of the manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `create`.
    Create,
    /// `probe`.
    Probe,
    /// `reset`.
    Reset,
    /// `close`.
    Close,
}

/// What one call does.
#[derive(Clone, Debug)]
pub enum Act {
    /// Answers at once.
    Ok,
    /// Fails at once with this text.
    Error(String),
    /// Panics with this text.
    Panic(String),
    /// Waits for the gate, then answers.
    Slow(Gate),
    /// Waits for the gate, then fails with this text.
    SlowError(Gate, String),
    /// Waits for the test to [`answer`](super::GatedManager::answer) this very call.
    Held,
    /// Does not return.
    Never,
}

impl Act {
    /// An error with this text.
    pub fn error(text: &str) -> Self {
        Self::Error(text.to_owned())
    }

    pub(super) async fn play(self) -> Result<(), String> {
        match self {
            Self::Ok => Ok(()),
            Self::Error(text) => Err(text),
            Self::Panic(text) => panic!("{text}"),
            Self::Slow(gate) => {
                gate.passed().await;
                Ok(())
            }
            Self::SlowError(gate, text) => {
                gate.passed().await;
                Err(text)
            }
            Self::Held | Self::Never => pending().await,
        }
    }
}

#[derive(Default)]
pub(super) struct Scripts {
    lines: HashMap<(Op, InstanceId), VecDeque<Act>>,
    defaults: HashMap<(Op, InstanceId), Act>,
    fallbacks: HashMap<Op, Act>,
}

impl Scripts {
    pub(super) fn append(&mut self, op: Op, id: InstanceId, acts: impl IntoIterator<Item = Act>) {
        self.lines.entry((op, id)).or_default().extend(acts);
    }

    pub(super) fn set_default(&mut self, op: Op, id: InstanceId, act: Act) {
        self.defaults.insert((op, id), act);
    }

    pub(super) fn set_fallback(&mut self, op: Op, act: Act) {
        self.fallbacks.insert(op, act);
    }

    pub(super) fn next(&mut self, op: Op, id: InstanceId) -> Act {
        let scripted = self.lines.get_mut(&(op, id)).and_then(VecDeque::pop_front);
        let default = || self.defaults.get(&(op, id)).cloned();
        let fallback = || self.fallbacks.get(&op).cloned();
        scripted
            .or_else(default)
            .or_else(fallback)
            .unwrap_or(Act::Ok)
    }
}
