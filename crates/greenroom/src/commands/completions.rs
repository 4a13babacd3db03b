use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::Code;
use crate::output;

pub(super) fn run(shell: Shell) -> anyhow::Result<Code> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "greenroom", &mut script);
    output::to_stdout(&String::from_utf8(script)?)?;
    Ok(Code::Ok)
}
