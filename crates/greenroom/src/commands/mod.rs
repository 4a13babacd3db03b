//! One file per command; each turns arguments into work and work into an exit code.

mod call;
mod completions;
mod config;
mod content;
mod doctor;
mod record;
mod serve;
mod sessions;
mod snippets;
mod status;
mod stdio;

use crate::cli::{Cli, Command};
use crate::exit::Code;

/// Runs the command that was typed.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Code> {
    match cli.command {
        Command::Serve(args) => serve::run(&args, &cli.settings),
        Command::Stdio => stdio::run(&cli.settings),
        Command::Status(args) => status::run(&args, &cli.settings),
        Command::Sessions(args) => sessions::run(&args, &cli.settings),
        Command::Content(args) => content::run(&args, &cli.settings),
        Command::Call(args) => call::run(&args, &cli.settings),
        Command::Config { action } => config::run(&action, &cli.settings),
        Command::Doctor(args) => doctor::run(&args, &cli.settings),
        Command::Completions { shell } => completions::run(shell),
    }
}
