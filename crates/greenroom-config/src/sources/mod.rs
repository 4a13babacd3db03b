//! The four places where settings are written. Each turns what it finds into
//! [`Entry`]s, without knowing the others and without deciding anything that
//! depends on them.

mod dotenv;
mod environment;
mod file;
mod find;
mod flags;
mod lines;
mod variables;

pub use environment::Environment;
pub use flags::Flags;

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::Fault;
use crate::keys::Key;
use crate::names::{Misread, OldName, Reading};
use crate::origin::Origin;
use crate::problem::Problem;
use crate::scope::{PoolName, Scope};
use crate::values::parse::Base;
use crate::values::raw::Raw;

/// Everything that [`crate::load`] looks at.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The environment and the working directory.
    pub environment: Environment,
    /// The command line.
    pub flags: Flags,
}

/// A setting as a source wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) reading: Reading,
    /// Set when an older name was used.
    pub(crate) old: Option<&'static OldName>,
    pub(crate) raw: Raw,
    pub(crate) origin: Origin,
    pub(crate) base: Base,
    pub(crate) trust: Trust,
}

/// Whether a source may say what is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user chose it: a flag, the environment, a file named with
    /// `--config` or the one in the user's configuration directory.
    Chosen,
    /// `greenroom.toml` of the working directory.
    FoundFile,
    /// `.env` of the working directory.
    FoundDotenv,
}

/// What all sources together said, in the order of their precedence.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) entries: Vec<Entry>,
    pub(crate) problems: Vec<Problem>,
    /// Pools that a TOML table declares, whether or not it holds a key.
    pub(crate) tables: BTreeMap<PoolName, Origin>,
    /// What misspelt names were probably meant to set.
    pub(crate) guesses: Vec<(Scope, Key)>,
    /// A source could not be read, so that nothing may be called missing.
    pub(crate) incomplete: bool,
}

impl Collected {
    fn problem(&mut self, place: Origin, fault: Fault) {
        self.problems.push(Problem::at(place, fault));
    }

    fn misread(&mut self, place: Origin, misread: Misread) {
        self.guesses.extend(misread.guess);
        self.problem(place, *misread.fault);
    }

    /// A source that could not be read at all.
    fn unread(&mut self, place: Origin, fault: Fault) {
        self.incomplete = true;
        self.problem(place, fault);
    }
}

/// Reads every source, the least important first.
pub(crate) fn collect(inputs: &Inputs) -> Collected {
    let mut collected = Collected::default();
    file::collect(inputs, &mut collected);
    dotenv::collect(&inputs.environment, &mut collected);
    environment::collect(&inputs.environment, &mut collected);
    flags::collect(inputs, &mut collected);
    collected
}

fn base(environment: &Environment, directory: &Path) -> Base {
    Base {
        directory: directory.to_owned(),
        home: environment.home(),
    }
}
