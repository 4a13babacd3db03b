//! The command line as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// Keeps browsers warm and ready for every AI agent.
#[derive(Debug, Parser)]
#[command(name = "greenroom", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Settings that every command takes. They win over the environment and every file.
#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// Read this TOML file instead of looking for greenroom.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address to listen on
    #[arg(long, global = true)]
    pub(crate) host: Option<String>,
    /// Port to listen on; 0 takes any free one
    #[arg(long, global = true)]
    pub(crate) port: Option<String>,
    /// Where sessions, responses and profiles are kept
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<String>,
    /// error, warn, info, debug or trace
    #[arg(long, global = true, value_name = "LEVEL")]
    pub(crate) log_level: Option<String>,
    /// Set any key: HEADLESS=false, SCRAPE.INSTANCES=3, SCRAPE.0.ALIAS=main (repeatable)
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the pools over HTTP, until a signal ends it
    Serve(ServeArgs),
    /// Serve one MCP client on stdin and stdout: through the running server, else with own browsers
    Stdio,
    /// Show the pools of the running server; exits 3 when there is none
    Status(StatusArgs),
    /// List your sessions, those of earlier runs too
    Sessions(SessionsArgs),
    /// Print a recorded answer by its ref_id: all of it, a part, or what is searched for
    Content(ContentArgs),
    /// Call one tool: greenroom call browser_navigate --arg url=https://example.com
    Call(CallArgs),
    /// Check, show or explain the configuration
    Config {
        #[command(subcommand)]
        action: ConfigAction,
    },
    /// Say what this machine lacks, with the command that fixes it
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell to complete in
        shell: Shell,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Validate everything and start nothing; exits 2 when something is wrong
    Check,
    /// Print every effective value with where it came from
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the reference of every key, as Markdown
    Reference,
    /// Print a commented example greenroom.toml
    Example,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// If the database is damaged, move it aside and begin a new one
    #[arg(long)]
    pub(crate) quarantine_database: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionsArgs {
    /// Print JSON, as list_sessions answers it
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContentArgs {
    /// The ref_id from the closing line of an answer
    pub(crate) ref_id: String,
    /// Only lines that contain this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Lines to show before and after each hit
    #[arg(long, value_name = "LINES", requires = "search")]
    pub(crate) context: Option<u32>,
    /// Search every page of the same session
    #[arg(long, requires = "search")]
    pub(crate) history: bool,
    /// JMESPath over the page: nodes[?role=='link'].name
    #[arg(long, value_name = "JMESPATH", conflicts_with = "search")]
    pub(crate) query: Option<String>,
    /// What differs from this earlier answer
    #[arg(long, value_name = "REF_ID", conflicts_with_all = ["search", "query"])]
    pub(crate) since: Option<String>,
    /// Skip this many lines
    #[arg(long, value_name = "LINES")]
    pub(crate) offset: Option<u64>,
    /// Print at most this many lines, or hits
    #[arg(long, value_name = "LINES")]
    pub(crate) limit: Option<u64>,
    /// Print the console messages instead
    #[arg(long, conflicts_with_all = ["search", "query", "since", "offset", "limit"])]
    pub(crate) console: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Print JSON, as browser_pool_status answers it
    #[arg(long)]
    pub(crate) json: bool,
    /// Show it again every second
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The tool's name
    pub(crate) tool: String,
    /// An argument: text, or JSON where it is JSON (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub(crate) arg: Vec<String>,
    /// Print the whole result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Install the pinned upstream into the data directory if it is missing, then check again
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
