//! Default values, read once from the table with the parser that reads
//! everything else, and the values of the built-in pool.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::keys::{Fallback, Key, table};
use crate::scope::PoolName;
use crate::values::parse::{Base, parse};
use crate::values::raw::Raw;
use crate::values::value::Value;

static DEFAULTS: LazyLock<BTreeMap<Key, Value>> = LazyLock::new(|| {
    let fixed = |fallback| match fallback {
        Fallback::Is(text) => Some(text),
        _ => None,
    };
    table()
        .filter_map(|row| Some((row.key, read(row.key, fixed(row.fallback)?))))
        .collect()
});

/// What the built-in pool sets beyond the defaults: two warm, isolated worlds
/// at once and room for many callers, because whoever configures nothing
/// should still be able to share one server among many agents.
const BUILT_IN: &[(Key, &str)] = &[
    (Key::Instances, "2"),
    (Key::IsDefault, "true"),
    (Key::MinIdle, "2"),
    (Key::MaxInstances, "16"),
    (Key::Isolated, "true"),
];

/// The name of the built-in pool.
pub(crate) fn built_in_pool() -> PoolName {
    PoolName::new("DEFAULT").expect("BUG: the built-in name follows the rules")
}

/// The fixed default of `key`, if it has one.
pub(crate) fn value(key: Key) -> Option<&'static Value> {
    DEFAULTS.get(&key)
}

/// The value of `key` in the built-in pool, if that differs from the default.
pub(crate) fn built_in(key: Key) -> Option<Value> {
    let (_, text) = BUILT_IN.iter().find(|(other, _)| *other == key)?;
    Some(read(key, text))
}

fn read(key: Key, text: &str) -> Value {
    // No default is a path, so the base is never looked at.
    let base = Base {
        directory: "/".into(),
        home: None,
    };
    parse(key.row().kind, &Raw::Plain(text.to_owned()), &base)
        .unwrap_or_else(|_| panic!("BUG: the default of {key} is not a valid value"))
}
