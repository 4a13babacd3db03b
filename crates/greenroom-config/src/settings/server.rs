//! Settings of the server as a whole.

use std::path::PathBuf;
use std::time::Duration;

use crate::values::choices::{Durability, LogLevel, ResponseMode, Tools};
use crate::values::secret::MaskedUrl;
use crate::values::value::AuthToken;

/// The server as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Host name or address to listen on, without brackets.
    pub host: String,
    /// Port to listen on; 0 takes any free one.
    pub port: u16,
    /// Directory of everything that Greenroom keeps.
    pub data_dir: PathBuf,
    /// The database.
    pub database_path: PathBuf,
    /// How much is logged.
    pub log_level: LogLevel,
    /// Time for a graceful stop.
    pub shutdown_timeout: Duration,
    /// Bearer tokens; without any, whoever reaches the server is `local`.
    pub auth_tokens: Vec<AuthToken>,
    /// Host headers that are served, in lower case; one without a port
    /// allows every port.
    pub allowed_hosts: Vec<String>,
    /// Origin headers that are served, in lower case; one without a port
    /// allows every port.
    pub allowed_origins: Vec<String>,
    /// What an acknowledged call survives.
    pub durability: Durability,
    /// How much of a response travels with the reply.
    pub response_mode: ResponseMode,
    /// Most bytes of text that are inline in auto mode.
    pub inline_max: usize,
    /// Age at which stored responses are deleted.
    pub retention: Duration,
    /// Size of the store, in mebibytes, beyond which the oldest responses
    /// are deleted.
    pub max_store_mb: u64,
    /// Which set of tools is listed.
    pub tools: Tools,
    /// The search page; `{query}` and `{page}` are to be filled in.
    pub search_url: MaskedUrl,
}
