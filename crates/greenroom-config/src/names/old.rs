//! Names of earlier programs: those that are still accepted, and those whose
//! meaning changed so much that they stop the start with their new name.

use crate::keys::Key;
use crate::values::kind::Kind;
use crate::values::unit::Unit;

/// An older name of a global key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OldName {
    pub(crate) name: &'static str,
    pub(crate) key: Key,
    /// How its value is read, where that differs from the key itself.
    pub(crate) kind: Option<Kind>,
    /// What the reader should know about its value.
    pub(crate) note: &'static str,
}

/// The prefix of the accepted names; any other name with it is a mistake.
pub(crate) const OLD_PREFIX: &str = "PLAYWRIGHT_PROXY_";

/// The names that are still accepted.
pub(crate) const OLD_NAMES: &[OldName] = &[
    old("PLAYWRIGHT_PROXY_SERVER_HOST", Key::ServerHost),
    old("PLAYWRIGHT_PROXY_SERVER_PORT", Key::ServerPort),
    old("PLAYWRIGHT_PROXY_DATABASE_PATH", Key::DatabasePath),
    old("PLAYWRIGHT_PROXY_PLAYWRIGHT_BROWSER", Key::Browser),
    old("PLAYWRIGHT_PROXY_PLAYWRIGHT_HEADLESS", Key::Headless),
    old(
        "PLAYWRIGHT_PROXY_HEALTH_CHECK_INTERVAL",
        Key::HealthCheckInterval,
    ),
    old(
        "PLAYWRIGHT_PROXY_MAX_RESTART_ATTEMPTS",
        Key::MaxRestartAttempts,
    ),
    old("PLAYWRIGHT_PROXY_RESTART_WINDOW", Key::RestartWindow),
    old("PLAYWRIGHT_PROXY_SHUTDOWN_TIMEOUT", Key::ShutdownTimeout),
    old("PLAYWRIGHT_PROXY_LOG_LEVEL", Key::LogLevel),
    OldName {
        name: "BROWSER_TIMEOUT_MINUTES",
        key: Key::SessionTimeout,
        kind: Some(Kind::Time {
            unit: Unit::Minutes,
            min_ms: 1,
            max_ms: 365 * 24 * 3_600_000,
        }),
        note: "in minutes",
    },
];

const fn old(name: &'static str, key: Key) -> OldName {
    OldName {
        name,
        key,
        kind: None,
        note: "",
    }
}

const FIRST_PREFIX: &str = "PLAYWRIGHT_";

/// The keys that existed when names began with `PLAYWRIGHT_`.
const FIRST_KEYS: &[Key] = &[
    Key::Headless,
    Key::Browser,
    Key::Isolated,
    Key::Timeout,
    Key::WslWindows,
    Key::Instances,
    Key::IsDefault,
    Key::Description,
    Key::Alias,
];

/// The key that a name of the first version meant. Every other
/// `PLAYWRIGHT_*` variable is Playwright's own business.
pub(crate) fn first_version(name: &str) -> Option<Key> {
    let rest = name.strip_prefix(FIRST_PREFIX)?;
    FIRST_KEYS.iter().copied().find(|key| key.name() == rest)
}
