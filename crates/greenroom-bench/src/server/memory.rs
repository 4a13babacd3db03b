use std::io::{self, BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::Programs;

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
    let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", child.id()));
    child.kill()?;
    child.wait()?;
    heard?;
    let rollup = rollup?;
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = pss.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kilobytes
        .map(|kilobytes| kilobytes / 1024.0)
        .ok_or_else(|| io::Error::other("no PSS of the server"))
}
