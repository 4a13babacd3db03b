//! The `greenroom` command: browsers kept warm and ready for every agent.

mod cli;
mod commands;
mod exit;
mod house;
mod output;
mod signals;
mod telemetry;
mod wiring;

use clap::Parser as _;

fn main() -> std::process::ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code.into(),
        Err(error) => exit::report(&error).into(),
    }
}
