//! The result: plain, immutable settings for the other crates.

mod build;
mod instance;
mod pool;
pub(crate) mod profile;
mod server;

pub use instance::InstanceSettings;
pub(crate) use instance::engine_of;
pub use pool::PoolSettings;
pub use server::ServerSettings;

pub(crate) use build::build;

use crate::keys::Key;
use crate::merge::Merged;
use crate::notice::Notice;
use crate::origin::Origin;
use crate::scope::{Level, PoolName, Scope};

/// A configuration that was found to be valid.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server as a whole.
    pub server: ServerSettings,
    /// The pools, by name; never empty.
    pub pools: Vec<PoolSettings>,
    /// What is worth knowing about it.
    pub notices: Vec<Notice>,
    pub(crate) merged: Merged,
}

impl Settings {
    /// The pool of calls that name none.
    #[must_use]
    pub fn default_pool(&self) -> &PoolSettings {
        let default = self.pools.iter().find(|pool| pool.is_default);
        default.expect("BUG: exactly one pool is the default")
    }

    /// The pool of this name.
    #[must_use]
    pub fn pool(&self, name: &str) -> Option<&PoolSettings> {
        self.pools.iter().find(|pool| pool.name.as_str() == name)
    }

    /// The names of the pools, in order.
    pub fn pool_names(&self) -> impl Iterator<Item = &PoolName> {
        self.pools.iter().map(|pool| &pool.name)
    }

    /// The value of `key` for `scope` and where it came from.
    #[must_use]
    pub fn explain(&self, scope: &Scope, key: Key) -> Explanation {
        let effective = self.merged.effective(scope, key);
        Explanation {
            value: effective.shown(),
            origin: effective.origin,
            level: effective.level,
        }
    }
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The value as text, secrets masked; none when nothing is set.
    pub value: Option<String>,
    /// Where it came from.
    pub origin: Origin,
    /// The level that set it; none for defaults.
    pub level: Option<Level>,
}
