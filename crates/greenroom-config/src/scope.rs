//! Where a setting applies: the whole server, one pool, or one instance.

use std::fmt;

use serde::Serialize;

/// Longest accepted pool name; it becomes part of directory names.
const LONGEST_NAME: usize = 64;

/// The name of a pool: `A-Z 0-9 _`, no `__`, no `_` at either end.
///
/// The rules keep variable names readable in one way only: `__` separates the
/// pool from an instance id, so it can never be part of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PoolName(String);

impl PoolName {
    /// The name, if `text` follows the rules.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let valid = !text.is_empty()
            && text.len() <= LONGEST_NAME
            && text.chars().all(allowed)
            && !text.contains("__")
            && !text.starts_with('_')
            && !text.ends_with('_');
        valid.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of an instance in its pool: 0, 1, 2…
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// Reads an id. Leading zeros are refused, because `00` and `0` would
    /// otherwise be two spellings of one instance.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let canonical = text == "0" || !text.starts_with('0');
        let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        (canonical && digits)
            .then(|| text.parse().ok().map(Self))
            .flatten()
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How far a setting reaches. Ordered from the general to the specific, so
/// that a greater level wins over a lesser one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Every pool and instance, or the server itself.
    Global,
    /// One pool and its instances.
    Pool,
    /// One instance.
    Instance,
}

/// The thing a setting is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Every pool and instance, or the server itself.
    Global,
    /// One pool.
    Pool(PoolName),
    /// One instance of a pool.
    Instance(PoolName, InstanceId),
}

impl Scope {
    /// The level of this scope.
    #[must_use]
    pub fn level(&self) -> Level {
        match self {
            Self::Global => Level::Global,
            Self::Pool(_) => Level::Pool,
            Self::Instance(..) => Level::Instance,
        }
    }

    /// The pool it belongs to, if it is not global.
    #[must_use]
    pub fn pool(&self) -> Option<&PoolName> {
        match self {
            Self::Global => None,
            Self::Pool(pool) | Self::Instance(pool, _) => Some(pool),
        }
    }

    /// The scope that this one inherits from.
    pub(crate) fn parent(&self) -> Option<Self> {
        match self {
            Self::Global => None,
            Self::Pool(_) => Some(Self::Global),
            Self::Instance(pool, _) => Some(Self::Pool(pool.clone())),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global => f.write_str("the server"),
            Self::Pool(pool) => write!(f, "pool {pool}"),
            Self::Instance(pool, id) => write!(f, "pool {pool}, instance {id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pool_names_follow_the_rules() {
        for good in ["A", "DEFAULT", "MY_POOL", "0", "A_1_B", "ISOLATED"] {
            assert!(PoolName::new(good).is_some(), "{good}");
        }
        let long = "A".repeat(65);
        for bad in ["", "a", "_A", "A_", "A__B", "A-B", "Ä", "A B", &long] {
            assert!(PoolName::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn instance_ids_have_one_spelling() {
        assert_eq!(InstanceId::parse("0"), Some(InstanceId(0)));
        assert_eq!(InstanceId::parse("17"), Some(InstanceId(17)));
        for bad in ["", "00", "01", "-1", "+1", "x", "1a", "99999999999"] {
            assert_eq!(InstanceId::parse(bad), None, "{bad}");
        }
    }
}
