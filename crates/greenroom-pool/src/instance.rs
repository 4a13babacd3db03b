//! What an instance is called: its id, its alias, and the generation of its present life.

use std::fmt;
use std::sync::Arc;

use crate::options::{Health, Restart};

/// The number of an instance in its pool; written `"0"`, `"1"`…
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);

impl InstanceId {
    /// The id with this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number of this id.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Reads an id as it is written. `"07"` and `"+7"` are not ids: an instance has one spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.parse().ok()?;
        (Self(number).to_string() == text).then_some(Self(number))
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<u32> for InstanceId {
    fn from(number: u32) -> Self {
        Self(number)
    }
}

/// Counts the lives of one instance: every start, restart and replacement has the next number.
///
/// A report that carries an older generation is about a life that is over and is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(u64);

impl Generation {
    pub(crate) const FIRST: Self = Self(1);

    /// The number of this generation; the first is 1.
    pub const fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Both names of an instance, for messages: `2` or `2 (main)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceName {
    /// Its number.
    pub id: InstanceId,
    /// Its other name, if it has one.
    pub alias: Option<Arc<str>>,
}

impl fmt::Display for InstanceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.alias {
            Some(alias) => write!(f, "{} ({alias})", self.id),
            None => write!(f, "{}", self.id),
        }
    }
}

/// One instance that a pool shall keep, with the rules that differ from those of its pool.
#[derive(Clone, Debug)]
pub struct InstanceSpec {
    /// Its names. An alias that reads like an id is refused: it would shadow an instance.
    pub name: InstanceName,
    /// How it is probed; the pool's rule when absent.
    pub health: Option<Health>,
    /// How it is restarted; the pool's rule when absent.
    pub restart: Option<Restart>,
}

impl InstanceSpec {
    /// An instance with this id, no alias and the rules of its pool.
    pub fn new(id: impl Into<InstanceId>) -> Self {
        Self {
            name: InstanceName {
                id: id.into(),
                alias: None,
            },
            health: None,
            restart: None,
        }
    }

    /// Gives it a second name.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<Arc<str>>) -> Self {
        self.name.alias = Some(alias.into());
        self
    }

    /// Gives it its own health rule.
    #[must_use]
    pub fn health(mut self, health: Health) -> Self {
        self.health = Some(health);
        self
    }

    /// Gives it its own restart rule.
    #[must_use]
    pub fn restart(mut self, restart: Restart) -> Self {
        self.restart = Some(restart);
        self
    }

    /// `count` instances without aliases: `0`, `1`…
    pub fn numbered(count: u32) -> Vec<Self> {
        (0..count).map(Self::new).collect()
    }
}
