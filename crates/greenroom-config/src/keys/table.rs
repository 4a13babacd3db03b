//! The keys, and the table assembled from its three parts.

use crate::keys::engine_rows::ENGINE_ROWS;
use crate::keys::pool_rows::POOL_ROWS;
use crate::keys::server_rows::SERVER_ROWS;
use crate::keys::{Levels, Row};
use crate::scope::Level;

/// Declares the keys in the order of the table.
macro_rules! keys {
    ($($key:ident),+ $(,)?) => {
        /// A key of the configuration.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the row of each key says what it means")]
        pub enum Key { $($key),+ }
    };
}

keys! {
    Instances, IsDefault, Description, Alias,
    MinIdle, MaxInstances, ContextsPerBrowser, Sticky, LeaseTimeout, MaxQueue, MinHold, IdleTimeout,
    Browser, Engine, Headless, Isolated, Process, Timeout, WslWindows, ExecutablePath, Args,
    UserDataDir, StorageState, Viewport, UserAgent, ProxyServer, IgnoreHttpsErrors, Sandbox,
    CdpEndpoint, AllowRunCode, UpstreamCommand, SessionTimeout, SessionTtl, MaxTabs, RecycleAfter,
    MaxAge, MemoryLimitMb, Warmup, HealthCheckInterval, HealthCheckTimeout, HealthStrikes,
    MaxRestartAttempts, RestartWindow,
    ServerHost, ServerPort, DataDir, DatabasePath, LogLevel, ShutdownTimeout, AuthTokens,
    AllowedHosts, AllowedOrigins, Durability, ResponseMode, InlineMax, RetentionHours, MaxStoreMb,
    Tools, SearchUrl,
}

/// Every row, in the order of [`Key`].
pub fn table() -> impl Iterator<Item = &'static Row> + Clone {
    POOL_ROWS.iter().chain(ENGINE_ROWS).chain(SERVER_ROWS)
}

impl Key {
    /// The row of this key.
    #[must_use]
    pub fn row(self) -> &'static Row {
        let index = self as usize;
        let engine = index.wrapping_sub(POOL_ROWS.len());
        let server = engine.wrapping_sub(ENGINE_ROWS.len());
        POOL_ROWS
            .get(index)
            .or_else(|| ENGINE_ROWS.get(engine))
            .or_else(|| SERVER_ROWS.get(server))
            .expect("BUG: a key without a row")
    }

    /// The name of this key as variables spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The key of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        table().find(|row| row.name == name).map(|row| row.key)
    }

    /// The most general level that may hold this key.
    pub(crate) fn home(self) -> Level {
        match self.row().levels {
            Levels::Global | Levels::All => Level::Global,
            Levels::Pool => Level::Pool,
            Levels::Instance => Level::Instance,
        }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::defaults;
    use crate::keys::Fallback;

    #[test]
    fn every_key_has_its_own_row_in_the_order_of_the_keys() {
        for (index, row) in table().enumerate() {
            assert_eq!(row.key as usize, index, "{}", row.name);
            assert_eq!(row.key.row().name, row.name);
            assert_eq!(Key::from_name(row.name), Some(row.key));
        }
        assert_eq!(table().count(), Key::SearchUrl as usize + 1);
    }

    #[test]
    fn names_are_unique_upper_case_and_without_double_underscores() {
        let names: BTreeSet<_> = table().map(|row| row.name).collect();
        assert_eq!(names.len(), table().count());
        for name in names {
            assert!(name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            assert!(!name.contains("__") && !name.starts_with('_') && !name.ends_with('_'));
        }
    }

    #[test]
    fn every_default_is_a_valid_value_of_its_key_and_has_a_reason() {
        for row in table() {
            assert!(!row.because.is_empty(), "{}", row.name);
            assert!(!row.meaning.is_empty(), "{}", row.name);
            let valid = defaults::value(row.key).is_some();
            assert_eq!(
                valid,
                matches!(row.fallback, Fallback::Is(_)),
                "{}",
                row.name
            );
        }
    }
}
