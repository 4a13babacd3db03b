//! A process on the same database that tests can talk to, lock out, starve and kill.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Victim {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

/// The program itself.
pub(crate) fn program(role: &str, database: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_store-victim"));
    command.arg(role).arg(database);
    command
}

impl Victim {
    pub(crate) fn start(role: &str, database: &Path) -> Self {
        Self::spawn(program(role, database))
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns its child and reaps it"
    )]
    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            input,
            output,
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it says next. `None` once it is gone.
    pub(crate) fn line(&mut self) -> Option<String> {
        self.output.next().transpose().ok().flatten()
    }

    /// Tells it something and waits for its answer.
    pub(crate) fn ask(&mut self, order: &str) -> String {
        writeln!(self.input.as_mut().unwrap(), "{order}").unwrap();
        self.line()
            .unwrap_or_else(|| panic!("the victim died of: {order}"))
    }

    /// SIGKILL, then everything that it had said.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let rest = self.output.by_ref().map_while(Result::ok).collect();
        self.child.wait().unwrap();
        rest
    }

    /// Closes its input, which ends it, and waits.
    pub(crate) fn finish(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
