//! Decides where a pool's name ends and its key begins.
//!
//! Both may contain `_`, so `PW_MCP_PROXY__X_SESSION_TIMEOUT` is either
//! `SESSION_TIMEOUT` of pool `X` or `TIMEOUT` of pool `X_SESSION`. The split
//! whose pool is declared elsewhere wins: by a variable that can be read in
//! one way only, `PW_MCP_PROXY__X_INSTANCES` being the natural one, or by a
//! table of the TOML file. If none is declared, the longest key wins. If
//! several are, nobody can tell what was meant, and that is an error.

use std::collections::BTreeSet;

use crate::error::Fault;
use crate::keys::{Key, table};
use crate::scope::{PoolName, Scope};

/// One way to read the name of a variable of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) pool: PoolName,
    pub(crate) key: Key,
}

impl Split {
    fn target(self) -> (Scope, Key) {
        (Scope::Pool(self.pool), self.key)
    }
}

/// What a name says, before the declared pools are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading {
    /// One meaning.
    Settled(Scope, Key),
    /// Several, the longest key first.
    Open(Vec<Split>),
}

impl Reading {
    /// The pool that this name declares, if it can be read in one way only.
    pub(crate) fn declares(&self) -> Option<&PoolName> {
        match self {
            Self::Settled(scope, _) => scope.pool(),
            Self::Open(_) => None,
        }
    }
}

/// Every way to split `text` into a pool name and a key.
pub(crate) fn splits(text: &str) -> Vec<Split> {
    let mut splits: Vec<Split> = table()
        .filter_map(|row| {
            let pool = text.strip_suffix(row.name)?.strip_suffix('_')?;
            let pool = PoolName::new(pool)?;
            Some(Split { pool, key: row.key })
        })
        .collect();
    splits.sort_by_key(|split| std::cmp::Reverse(split.key.name().len()));
    splits
}

/// Settles a reading, now that the declared pools are known.
pub(crate) fn decide(
    reading: Reading,
    declared: &BTreeSet<PoolName>,
) -> Result<(Scope, Key), Fault> {
    let splits = match reading {
        Reading::Settled(scope, key) => return Ok((scope, key)),
        Reading::Open(splits) => splits,
    };
    let mut known = splits.iter().filter(|split| declared.contains(&split.pool));
    match (known.next(), known.next()) {
        (Some(one), Some(other)) => Err(Fault::AmbiguousName {
            first_key: one.key.name(),
            first_pool: one.pool.to_string(),
            second_key: other.key.name(),
            second_pool: other.pool.to_string(),
        }),
        (Some(one), None) => Ok(one.clone().target()),
        (None, _) => {
            let longest = splits.into_iter().next();
            Ok(longest.expect("BUG: an open reading has splits").target())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pools(names: &[&str]) -> BTreeSet<PoolName> {
        names
            .iter()
            .map(|name| PoolName::new(name).unwrap())
            .collect()
    }

    fn decided(text: &str, declared: &[&str]) -> Option<(String, &'static str)> {
        let (scope, key) = decide(Reading::Open(splits(text)), &pools(declared)).ok()?;
        Some((scope.pool().unwrap().to_string(), key.name()))
    }

    #[test]
    fn the_declared_pool_wins_and_the_longest_key_otherwise() {
        for (text, declared, pool, key) in [
            ("X_SESSION_TIMEOUT", &[][..], "X", "SESSION_TIMEOUT"),
            ("X_SESSION_TIMEOUT", &["X"], "X", "SESSION_TIMEOUT"),
            ("X_SESSION_TIMEOUT", &["X_SESSION"], "X_SESSION", "TIMEOUT"),
            ("X_SESSION_TIMEOUT", &["OTHER"], "X", "SESSION_TIMEOUT"),
            ("A_MAX_INSTANCES", &["A_MAX"], "A_MAX", "INSTANCES"),
            ("A_MAX_INSTANCES", &["A"], "A", "MAX_INSTANCES"),
            (
                "X_HEALTH_CHECK_TIMEOUT",
                &["X_HEALTH_CHECK"],
                "X_HEALTH_CHECK",
                "TIMEOUT",
            ),
            (
                "X_SHUTDOWN_TIMEOUT",
                &["X_SHUTDOWN"],
                "X_SHUTDOWN",
                "TIMEOUT",
            ),
        ] {
            let expected = Some((pool.to_owned(), key));
            assert_eq!(decided(text, declared), expected, "{text} {declared:?}");
        }
    }

    #[test]
    fn two_declared_splits_are_an_error() {
        assert_eq!(decided("X_SESSION_TIMEOUT", &["X", "X_SESSION"]), None);
        assert_eq!(decided("A_MAX_INSTANCES", &["A", "A_MAX"]), None);
    }

    #[test]
    fn names_that_look_alike_split_in_one_way() {
        for (text, pool, key) in [
            ("ISOLATED_ISOLATED", "ISOLATED", Key::Isolated),
            ("MY_POOL_IS_DEFAULT", "MY_POOL", Key::IsDefault),
            ("X_MIN_IDLE", "X", Key::MinIdle),
            ("FOO_SERVER_HOST", "FOO", Key::ServerHost),
            ("SESSION_TIMEOUT", "SESSION", Key::Timeout),
        ] {
            let found = splits(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!((found[0].pool.as_str(), found[0].key), (pool, key));
        }
    }

    #[test]
    fn a_name_that_ends_in_no_key_or_begins_with_one_does_not_split() {
        for text in ["MAX_AGE", "HEADLESS", "X_COLOUR", "_HEADLESS", "x_HEADLESS"] {
            assert!(splits(text).is_empty(), "{text}");
        }
    }
}
