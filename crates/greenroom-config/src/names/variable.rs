//! Reads the name of a variable, or the dotted path of `--set`.

use crate::error::Fault;
use crate::keys::{Key, nearest, table};
use crate::names::split::{Reading, splits};
use crate::names::{OLD_NAMES, OldName, PREFIX, old, variable};
use crate::scope::{InstanceId, Level, PoolName, Scope};

/// Whose name it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    /// A setting.
    Setting(Reading),
    /// A setting under an older name.
    Old(&'static OldName),
    /// Meant for Greenroom, but wrong.
    Wrong(Misread),
    /// None of our business.
    Foreign,
}

/// A name that could not be read, and what was probably meant by it. The
/// guess keeps one typing error from being reported a second time as a
/// missing setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misread {
    pub(crate) fault: Box<Fault>,
    pub(crate) guess: Option<(Scope, Key)>,
}

impl From<Fault> for Misread {
    fn from(fault: Fault) -> Self {
        Self {
            fault: Box::new(fault),
            guess: None,
        }
    }
}

/// Reads the name of a variable.
pub(crate) fn read_name(name: &str) -> Name {
    if let Some(rest) = name.strip_prefix(PREFIX) {
        let reading = match rest.strip_prefix('_') {
            None => global(rest),
            Some(rest) => match rest.split_once("__") {
                None => pool(rest),
                Some((pool, rest)) => instance(pool, rest),
            },
        };
        return reading.map_or_else(Name::Wrong, Name::Setting);
    }
    if let Some(old) = OLD_NAMES.iter().find(|old| old.name == name) {
        return Name::Old(old);
    }
    if name.starts_with(old::OLD_PREFIX) {
        let near = nearest(name, OLD_NAMES.iter().map(|old| old.name));
        return Name::Wrong(unknown(name, near.map(|(name, _)| name.to_owned())).into());
    }
    match old::first_version(name) {
        Some(key) => Name::Wrong(Fault::FirstVersionName { new: new_name(key) }.into()),
        None => Name::Foreign,
    }
}

/// Reads the path of `--set`: `KEY`, `POOL.KEY` or `POOL.ID.KEY`.
pub(crate) fn read_path(path: &str) -> Result<Reading, Misread> {
    let parts: Vec<&str> = path.split('.').collect();
    let (scope, key) = match parts[..] {
        [key] => (Scope::Global, key),
        [pool, key] => (Scope::Pool(pool_name(pool)?), key),
        [pool, id, key] => (Scope::Instance(pool_name(pool)?, instance_id(id)?), key),
        _ => return Err(Fault::MalformedSet.into()),
    };
    let upper = key.to_ascii_uppercase();
    exact(scope, &upper, |_, guess| guess.name().to_owned())
}

fn global(rest: &str) -> Result<Reading, Misread> {
    let reading = exact(Scope::Global, rest, variable);
    // A single underscore before a pool's name is the likeliest mistake.
    match (reading, splits(rest).into_iter().next()) {
        (Err(_), Some(split)) => {
            let target = (Scope::Pool(split.pool), split.key);
            let suggestion = variable(&target.0, target.1);
            Err(Misread {
                fault: Box::new(unknown(rest, Some(suggestion))),
                guess: Some(target),
            })
        }
        (reading, _) => reading,
    }
}

fn pool(rest: &str) -> Result<Reading, Misread> {
    let mut splits = splits(rest);
    match splits.len() {
        0 => Err(no_split(rest)),
        1 => {
            let only = splits.remove(0);
            Ok(Reading::Settled(Scope::Pool(only.pool), only.key))
        }
        _ => Ok(Reading::Open(splits)),
    }
}

fn instance(pool: &str, rest: &str) -> Result<Reading, Misread> {
    let pool = pool_name(pool)?;
    let (id, key) = rest.split_once('_').unwrap_or((rest, ""));
    let id = instance_id(id)?;
    exact(Scope::Instance(pool, id), key, variable)
}

fn pool_name(text: &str) -> Result<PoolName, Misread> {
    PoolName::new(text).ok_or_else(|| Fault::bad_pool_name(text).into())
}

fn instance_id(text: &str) -> Result<InstanceId, Misread> {
    let fault = || Fault::InstanceIdNotANumber {
        text: text.to_owned(),
    };
    InstanceId::parse(text).ok_or_else(|| fault().into())
}

fn exact(
    scope: Scope,
    name: &str,
    spell: impl Fn(&Scope, Key) -> String,
) -> Result<Reading, Misread> {
    if let Some(key) = Key::from_name(name) {
        return Ok(Reading::Settled(scope, key));
    }
    let near = nearest(name, table().map(|row| row.name));
    let key = near.and_then(|(name, _)| Key::from_name(name));
    Err(Misread {
        fault: Box::new(unknown(name, key.map(|key| spell(&scope, key)))),
        guess: key.map(|key| (scope, key)),
    })
}

/// The fault of a pool variable that ends in no known key. Every underscore
/// may be the one before the key, so the best guess over all of them is made.
fn no_split(rest: &str) -> Misread {
    let guesses = rest.match_indices('_').filter_map(|(at, _)| {
        let pool = PoolName::new(&rest[..at])?;
        let (name, distance) = nearest(&rest[at + 1..], table().map(|row| row.name))?;
        Some((distance, pool, Key::from_name(name)?))
    });
    match guesses.min_by_key(|(distance, ..)| *distance) {
        Some((_, pool, key)) => {
            let scope = Scope::Pool(pool);
            Misread {
                fault: Box::new(unknown(rest, Some(variable(&scope, key)))),
                guess: Some((scope, key)),
            }
        }
        None => match lower_case_pool(rest) {
            Some(pool) => Fault::bad_pool_name(&pool).into(),
            None => unknown(rest, None).into(),
        },
    }
}

/// The name before a known key, when only that name is wrong.
fn lower_case_pool(rest: &str) -> Option<String> {
    table().find_map(|row| {
        let pool = rest.strip_suffix(row.name)?.strip_suffix('_')?;
        Some(pool.to_owned())
    })
}

fn unknown(name: &str, suggestion: Option<String>) -> Fault {
    Fault::UnknownKey {
        name: name.to_owned(),
        suggestion,
    }
}

fn new_name(key: Key) -> String {
    match key.home() {
        Level::Global => format!("{PREFIX}{key}"),
        Level::Pool => format!("{PREFIX}_<POOL>_{key}"),
        Level::Instance => format!("{PREFIX}_<POOL>__<ID>_{key}"),
    }
}
