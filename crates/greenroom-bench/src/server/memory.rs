use std::io::{self, BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::Programs;
use crate::measure::pss;

/// The proportional memory, in megabytes, of a server whose only instance cannot start.
#[allow(
    clippy::disallowed_methods,
    reason = "the child is killed and waited for below"
)]
pub(super) fn measure(programs: &Programs) -> io::Result<f64> {
    let data = tempfile::tempdir()?;
    let mut child = Command::new(&programs.greenroom)
        .args([
            "serve",
            "--port",
            "0",
            "--set",
            "UPSTREAM_COMMAND=/bin/false",
        ])
        .args([
            "--set",
            "ENGINE=playwright",
            "--set",
            "MAX_RESTART_ATTEMPTS=0",
            "--data-dir",
        ])
        .arg(data.path())
        .stderr(Stdio::piped())
        .spawn()?;
    // Its first words come when it listens and its instances have been tried.
    let stderr = child
        .stderr
        .take()
        .ok_or_else(|| io::Error::other("no stderr"))?;
    let heard = BufReader::new(stderr).lines().next().transpose();
    let pss = pss(child.id());
    child.kill()?;
    child.wait()?;
    heard?;
    pss
}
