//! Settles each entry: which scope and key it sets, whether that level and
//! that source may do so, and what its value is.

use std::collections::BTreeSet;

use crate::error::Fault;
use crate::keys::{Key, Levels, nearest};
use crate::merge::{Assignment, Merged};
use crate::names::{self, Reading};
use crate::notice::Notice;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::scope::{Level, PoolName, Scope};
use crate::sources::{Collected, Entry, Trust};
use crate::values::kind::Kind;
use crate::values::mask;
use crate::values::parse::{Refusal, parse};
use crate::values::raw::Raw;
use crate::values::value::Value;

/// Settles everything that was collected.
pub(crate) fn settle(collected: Collected, merged: &mut Merged) -> Vec<Problem> {
    let mut problems = collected.problems;
    let declared = declared(&collected.entries, collected.tables.keys());
    for (pool, origin) in collected.tables {
        merged.mention(&pool, &origin);
    }
    for (scope, key) in collected.guesses {
        merged.misplace(scope, key);
    }
    for entry in collected.entries {
        if is_unset(&entry) {
            continue;
        }
        let place = entry.origin.clone();
        if let Err(fault) = settle_one(entry, &declared, merged) {
            problems.push(Problem::at(place, fault));
        }
    }
    problems
}

/// The pools that are declared beyond doubt.
fn declared<'a>(
    entries: &'a [Entry],
    tables: impl Iterator<Item = &'a PoolName>,
) -> BTreeSet<PoolName> {
    let variables = entries.iter().filter(|entry| !is_unset(entry));
    variables
        .filter_map(|entry| entry.reading.declares())
        .chain(tables)
        .cloned()
        .collect()
}

/// An empty value counts as not set, except for free text, of which it is a
/// value like any other.
fn is_unset(entry: &Entry) -> bool {
    let prose = matches!(entry.reading, Reading::Settled(_, key) if key.row().kind == Kind::Prose);
    entry.raw.is_empty() && !prose
}

fn settle_one(
    entry: Entry,
    declared: &BTreeSet<PoolName>,
    merged: &mut Merged,
) -> Result<(), Fault> {
    let (scope, key) = names::decide(entry.reading.clone(), declared)?;
    if let Some(pool) = scope.pool() {
        merged.mention(pool, &entry.origin);
    }
    let refusal = check_level(&scope, key, &entry.origin).and_then(|()| check_trust(key, &entry));
    if let Err(fault) = refusal {
        merged.misplace(scope, key);
        return Err(fault);
    }
    let value = read(key, &entry);
    if let Some(old) = entry.old {
        merged.notices.push(Notice::OldName {
            place: entry.origin.clone(),
            new: names::variable(&scope, key),
            note: old.note,
        });
    }
    // A value that cannot be read still takes its place, so that nothing is
    // called missing which is only wrong.
    merged.assign(Assignment {
        scope,
        key,
        value: value.as_ref().ok().cloned(),
        origin: entry.origin,
        old: entry.old.is_some(),
    });
    value.map(|_| ())
}

fn check_level(scope: &Scope, key: Key, origin: &Origin) -> Result<(), Fault> {
    let levels = key.row().levels;
    if levels.allow(scope.level()) {
        return Ok(());
    }
    let level = match scope.level() {
        Level::Global => "globally",
        Level::Pool => "for a pool",
        Level::Instance => "for an instance",
    };
    let owner = match levels {
        Levels::Global => "the whole server",
        Levels::Pool => "a pool",
        Levels::Instance => "an instance",
        Levels::All => unreachable!("BUG: such a key is allowed at every level"),
    };
    Err(Fault::WrongLevel {
        key: key.name(),
        level,
        owner,
        remedy: right_place(scope, key, origin),
    })
}

/// Where a misplaced key belongs, in the words of its source.
fn right_place(scope: &Scope, key: Key, origin: &Origin) -> String {
    let pool = scope.pool().map_or("<POOL>", PoolName::as_str);
    let name = key.row().toml_name();
    let in_file = matches!(origin, Origin::File { .. });
    match (key.home(), in_file) {
        (Level::Global, _) => names::remedy(&Scope::Global, key, origin),
        (Level::Pool, false) => format!("{}_{pool}_{key}", names::PREFIX),
        (Level::Pool, true) => format!("`{name}` under [pools.{pool}]"),
        (Level::Instance, false) => format!("{}_{pool}__<ID>_{key}", names::PREFIX),
        (Level::Instance, true) => format!("`{name}` under [pools.{pool}.instances.<ID>]"),
    }
}

fn check_trust(key: Key, entry: &Entry) -> Result<(), Fault> {
    if !key.row().chooses_what_runs() {
        return Ok(());
    }
    let remedy = match entry.trust {
        Trust::Chosen => return Ok(()),
        Trust::FoundFile => "name the file with --config, or set the variable in the environment",
        Trust::FoundDotenv => "set the variable in the environment, or use a file and --config",
    };
    Err(Fault::RefusedHere {
        key: key.name(),
        remedy,
    })
}

fn read(key: Key, entry: &Entry) -> Result<Value, Fault> {
    let kind = entry.old.and_then(|old| old.kind).unwrap_or(key.row().kind);
    parse(kind, &entry.raw, &entry.base).map_err(|refusal| match refusal {
        Refusal::Because(reason) => Fault::Refused {
            key: key.name(),
            reason,
        },
        Refusal::Kind => Fault::BadValue {
            key: key.name(),
            written: written(kind, &entry.raw),
            expected: kind.expected(),
            suggestion: suggestion(kind, &entry.raw),
        },
    })
}

/// The value as a message may repeat it.
fn written(kind: Kind, raw: &Raw) -> String {
    match (kind, raw.text()) {
        (kind, Some(_)) if kind.is_sensitive() => {
            "set to something else (not repeated here, it may hold a secret)".to_owned()
        }
        (Kind::Warmup | Kind::SearchUrl, Some(text)) => format!("`{}`", mask::url(text)),
        _ => mask::addresses(&raw.quoted()),
    }
}

fn suggestion(kind: Kind, raw: &Raw) -> Option<String> {
    let Kind::Choice { words, .. } = kind else {
        return None;
    };
    let text = raw.text()?.to_ascii_lowercase();
    nearest(&text, words.iter().copied()).map(|(word, _)| word.to_owned())
}
