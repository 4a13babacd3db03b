//! Which profile directory an instance has. No two instances share one: a
//! directory that is named for many is the parent of one for each.

use std::path::{Path, PathBuf};

use crate::keys::Key;
use crate::merge::Merged;
use crate::scope::{InstanceId, Level, PoolName, Scope};

/// The profile directory of an instance; none when its profile lives in
/// memory or the answer is not known.
pub(crate) fn directory(merged: &Merged, scope: &Scope) -> Option<PathBuf> {
    let Scope::Instance(pool, id) = scope else {
        return None;
    };
    let isolated: bool = merged.effective(scope, Key::Isolated).get()?;
    if isolated {
        return None;
    }
    let named = merged.effective(scope, Key::UserDataDir);
    if named.level == Some(Level::Instance) {
        return named.get();
    }
    Some(below(&parent(merged, pool)?, pool, *id))
}

/// The parent of the profile directories of a pool.
pub(crate) fn parent(merged: &Merged, pool: &PoolName) -> Option<PathBuf> {
    let named = merged.effective(&Scope::Pool(pool.clone()), Key::UserDataDir);
    if named.is_set() {
        return named.get();
    }
    let data: PathBuf = merged.effective(&Scope::Global, Key::DataDir).get()?;
    Some(data.join("profiles"))
}

/// The directory of one instance below a parent.
pub(crate) fn below(parent: &Path, pool: &PoolName, id: InstanceId) -> PathBuf {
    parent.join(pool.as_str()).join(id.to_string())
}
