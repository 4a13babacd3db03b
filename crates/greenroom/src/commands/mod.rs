//! One file per command; each turns arguments into work and work into an exit code.

mod completions;
mod config;
mod doctor;

use crate::cli::{Cli, Command};
use crate::exit::Code;

/// Runs the command that was typed.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Code> {
    match cli.command {
        Command::Config { action } => config::run(&action, &cli.settings),
        Command::Doctor(args) => doctor::run(&args, &cli.settings),
        Command::Completions { shell } => completions::run(shell),
    }
}
