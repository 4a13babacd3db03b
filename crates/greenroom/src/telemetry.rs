//! Logs, to stderr only: over stdio, stdout belongs to MCP.

use greenroom_config::LogLevel;
use tracing_subscriber::EnvFilter;

/// Starts logging at this level. Libraries below us are quieter: their news is ours only when
/// something is wrong.
pub(crate) fn start(level: LogLevel) {
    let level = level.as_str();
    let filter = match level {
        "debug" | "trace" => level.to_owned(),
        _ => format!("{level},rmcp=warn,hyper=warn"),
    };
    let started = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_target(false)
        .try_init();
    // A second start in one process would be a second writer, not a reason to stop.
    drop(started);
}
