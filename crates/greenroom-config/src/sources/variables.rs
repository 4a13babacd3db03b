//! Turns one variable, of whichever source, into an entry.

use crate::names::{Name, Reading, read_name};
use crate::origin::Origin;
use crate::scope::Scope;
use crate::sources::{Collected, Entry, Trust};
use crate::values::parse::Base;
use crate::values::raw::Raw;

/// Whether a variable of this name is meant for Greenroom.
pub(crate) fn is_ours(name: &str) -> bool {
    read_name(name) != Name::Foreign
}

/// Adds the variable, or the problem with its name.
pub(crate) fn add(
    name: &str,
    text: &str,
    origin: Origin,
    base: &Base,
    trust: Trust,
    collected: &mut Collected,
) {
    let (reading, old) = match read_name(name) {
        Name::Foreign => return,
        // An empty variable counts as not set, whatever its name says.
        Name::Wrong(_) if text.trim().is_empty() => return,
        Name::Wrong(misread) => return collected.misread(origin, misread),
        Name::Setting(reading) => (reading, None),
        Name::Old(old) => (Reading::Settled(Scope::Global, old.key), Some(old)),
    };
    collected.entries.push(Entry {
        reading,
        old,
        raw: Raw::Plain(text.to_owned()),
        origin,
        base: base.clone(),
        trust,
    });
}
