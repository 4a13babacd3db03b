//! Who is calling, and through which lasting connection.

use std::fmt;
use std::sync::Arc;

/// Who is calling: the name of a token, or `local` where no tokens are configured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The principal of callers that need no token.
    pub fn local() -> Self {
        Self::named("local")
    }

    /// The principal of a token's name.
    pub fn named(name: &str) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One client process over stdio, or one MCP session of a legacy HTTP client. Two of them never
/// share a page unless they name the same session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// The caller of a tool.
#[derive(Debug, Clone)]
pub struct Caller {
    /// On whose behalf.
    pub principal: Principal,
    /// Through which connection. `None` for a client of MCP 2026-07-28 over HTTP: each of its
    /// requests stands alone, so that only a `session_id` can tie two of them together.
    pub connection: Option<ConnectionId>,
}
