//! Spells a setting the way each source writes it, for messages that tell
//! people what to write.

use crate::keys::Key;
use crate::names::PREFIX;
use crate::origin::Origin;
use crate::scope::Scope;

/// The variable that sets `key` for `scope`.
pub(crate) fn variable(scope: &Scope, key: Key) -> String {
    match scope {
        Scope::Global => format!("{PREFIX}{key}"),
        Scope::Pool(pool) => format!("{PREFIX}_{pool}_{key}"),
        Scope::Instance(pool, id) => format!("{PREFIX}_{pool}__{id}_{key}"),
    }
}

/// The place in TOML that sets `key` for `scope`.
fn toml_place(scope: &Scope, key: Key) -> String {
    let name = key.row().toml_name();
    match scope {
        Scope::Global => format!("`{name}` at the top of the file"),
        Scope::Pool(pool) => format!("`{name}` under [pools.{pool}]"),
        Scope::Instance(pool, id) => format!("`{name}` under [pools.{pool}.instances.{id}]"),
    }
}

/// The setting in the words of the source that `like` came from.
pub(crate) fn remedy(scope: &Scope, key: Key, like: &Origin) -> String {
    match like {
        Origin::File { .. } => toml_place(scope, key),
        _ => variable(scope, key),
    }
}
