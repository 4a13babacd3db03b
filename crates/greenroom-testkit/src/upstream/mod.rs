//! A fake `@playwright/mcp`: a real program that speaks MCP over stdio and misbehaves on request.
//!
//! Without a script it behaves like the real one: the same handshake, the same tool list, answers
//! of the same shape, and one page whose snapshot names its URL, the number of visits and the
//! process. A [`Script`] changes any of that. The program is `fake-upstream`; tests find it with
//! [`fake_upstream`](crate::fake_upstream) and read back what it saw with [`read_journal`].
//!
//! It is made of plain threads, so that it starts within milliseconds: one reads stdin, one waits
//! for signals, and every call has its own, as the real one does not serialise calls either.

mod arguments;
mod calls;
mod catalogue;
mod grandchild;
mod journal;
mod page;
mod script;
mod server;
mod start;
mod wire;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

pub use calls::huge_text;
pub use catalogue::tool_names;
pub use journal::{Entry, read_journal};
pub use script::{
    CallRule, Era, ExitLater, Grandchild, Noise, Reply, Script, Start, ToolChanges, Wire,
};

/// A command line that makes no sense.
const USAGE: u8 = 64;

/// The program.
pub fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    if let Some(grandchild) = grandchild::asked_for(&argv) {
        return grandchild::live(grandchild);
    }
    if argv.iter().any(|argument| argument == "--version") {
        return say("Version 0.0.83\n");
    }
    let cwd = std::env::current_dir().unwrap_or_default();
    match arguments::Arguments::read(&argv, &cwd) {
        Ok(arguments) => start::start(&argv, cwd, arguments),
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "fake-upstream: {reason}");
            ExitCode::from(USAGE)
        }
    }
}

fn say(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Ends the program at once, from whichever thread.
fn leave(code: u8) -> ! {
    #[expect(
        clippy::disallowed_methods,
        reason = "a crash that runs no destructors is the point"
    )]
    std::process::exit(code.into())
}

/// Lets time pass. Nobody ever sends, so only the timeout ends it.
fn wait(longest: Duration) {
    let (_sender, receiver) = mpsc::channel::<()>();
    let _ = receiver.recv_timeout(longest);
}

/// Does nothing until the process is ended from outside.
fn wait_forever() -> ! {
    loop {
        std::thread::park();
    }
}

/// Writes megabytes to stderr in lines of a kilobyte.
fn flood_stderr(megabytes: usize) {
    let line = format!("{}\n", "e".repeat(1023));
    let mut stderr = std::io::stderr().lock();
    for _ in 0..megabytes * 1024 {
        if stderr.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}
