//! A process that leaves its parent's session and stays.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use signal_hook::consts::SIGTERM;

use super::script::Grandchild;
use super::{wait, wait_forever};

const FLAG: &str = "--be-grandchild";

/// The grandchild that this command line asks for.
pub(super) fn asked_for(argv: &[OsString]) -> Option<Grandchild> {
    let [_, flag, options] = argv else {
        return None;
    };
    let options = options.to_str().filter(|_| flag == FLAG)?;
    serde_json::from_str(options).ok()
}

/// Starts a grandchild and returns its pid when it has left this session.
pub(super) fn start(options: Grandchild) -> std::io::Result<u32> {
    let json = serde_json::to_string(&options)?;
    let mut command = Command::new(std::env::current_exe()?);
    // Stderr is inherited: real strays keep the pipes of their parent open too.
    command
        .args([FLAG, &json])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    if options.clear_env {
        command.env_clear();
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "a child without an owner is the point"
    )]
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().map(BufReader::new);
    let mut ready = String::new();
    stdout.map_or(Ok(0), |mut out| out.read_line(&mut ready))?;
    Ok(child.id())
}

/// The life of a grandchild.
pub(super) fn live(options: Grandchild) -> ExitCode {
    // A new child leads no group, so this cannot fail.
    rustix::process::setsid().expect("BUG: a new child can leave its session");
    if options.ignore_sigterm {
        // A handler that does nothing but note the signal.
        let flag = std::sync::Arc::default();
        signal_hook::flag::register(SIGTERM, flag).expect("SIGTERM can be handled");
    }
    let _ = writeln!(std::io::stdout(), "ready");
    match options.lives_ms {
        Some(ms) => wait(Duration::from_millis(ms)),
        None => wait_forever(),
    }
    ExitCode::SUCCESS
}
