//! Logs, to stderr only: over stdio, stdout belongs to MCP.

use std::io::IsTerminal as _;

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
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_target(false);
    // A file or the log of an MCP client cannot show colours.
    let log = if std::io::stderr().is_terminal() {
        log
    } else {
        log.with_ansi(false)
    };
    // A second start in one process would be a second writer, not a reason to stop.
    drop(log.try_init());
}
