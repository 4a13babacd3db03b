//! The one table of keys. Parsing, validation, defaults, `config show`, the
//! reference and the example are all read from it; to add a key is to add a
//! variant of [`Key`] and a row.

mod engine_rows;
mod nearest;
mod pool_rows;
mod server_rows;
mod table;

pub(crate) use nearest::nearest;
pub use table::{Key, table};

use crate::scope::Level;
use crate::values::kind::Kind;

/// One key: everything there is to know about it.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The key.
    pub key: Key,
    /// Its name as variables spell it; TOML spells it in lower case.
    pub name: &'static str,
    /// The levels that may hold it.
    pub levels: Levels,
    /// The kind of its value.
    pub kind: Kind,
    /// What holds when nobody sets it.
    pub fallback: Fallback,
    /// Why that is the default, or what follows from it.
    pub because: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// Whether setting it changes anything in this version.
    pub effect: Effect,
}

impl Row {
    /// Whether the key names what is run. Such keys are refused from files
    /// that happen to lie in the working directory: a cloned repository must
    /// not choose what runs.
    #[must_use]
    pub fn chooses_what_runs(&self) -> bool {
        matches!(
            self.key,
            Key::ExecutablePath | Key::UpstreamCommand | Key::Args
        )
    }

    /// The name as TOML spells it.
    #[must_use]
    pub fn toml_name(&self) -> String {
        self.name.to_ascii_lowercase()
    }
}

/// The levels that may hold a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// The server as a whole.
    Global,
    /// A pool.
    Pool,
    /// An instance.
    Instance,
    /// Any level; the more specific one wins.
    All,
}

impl Levels {
    /// Whether `level` may hold the key.
    #[must_use]
    pub fn allow(self, level: Level) -> bool {
        match self {
            Self::Global => level == Level::Global,
            Self::Pool => level == Level::Pool,
            Self::Instance => level == Level::Instance,
            Self::All => true,
        }
    }
}

/// What holds when nobody sets a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// This value, written as a variable would write it.
    Is(&'static str),
    /// A value that depends on others, by the rule that is told.
    Computed(&'static str),
    /// No value; the text says what happens then.
    Nothing(&'static str),
    /// There is none: the key must be set.
    Required,
}

impl Fallback {
    /// The default as the documentation shows it.
    #[must_use]
    pub fn shown(self) -> &'static str {
        match self {
            Self::Is("") => "empty",
            Self::Is(text) | Self::Computed(text) | Self::Nothing(text) => text,
            Self::Required => "required",
        }
    }
}

/// Whether the capability behind a key is part of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Setting it changes what Greenroom does.
    Now,
    /// It is read and checked, and changes nothing yet.
    NotYet,
}
