//! The programs that an upstream runs: found, and watched for their end.
//!
//! The supervisor ends the whole tree with its root. What it does not tell is that one program
//! further down has ended while the root carries on, which is what a dead browser looks like.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use procfs::process::{Stat, all_processes};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::process::Identity;

/// Shells that wrap a program and wait for it, as Debian's `chromium` does.
const SHELLS: &[&str] = &["sh", "dash", "bash", "busybox", "ash", "zsh", "ksh"];

/// The programs that a process has started itself and that still run, the oldest first. A shell
/// that wraps a program is passed over in favour of the program.
pub(super) async fn programs_of(parent: i32) -> io::Result<Vec<Identity>> {
    tokio::task::spawn_blocking(move || scan(parent)).await?
}

/// Resolves when this very process has ended, at once when it has already.
pub(super) async fn ended(id: Identity) -> io::Result<()> {
    let Some(pid) = Pid::from_raw(id.pid) else {
        return Ok(());
    };
    let pidfd = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(pidfd) => pidfd,
        Err(Errno::SRCH) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    // Opened first, compared afterwards: when they agree, the descriptor means no other process.
    if Identity::of(id.pid) != Some(id) {
        return Ok(());
    }
    register(pidfd)?.readable().await.map(drop)
}

#[allow(
    unsafe_code,
    reason = "the runtime has to be promised that the descriptor stays the same"
)]
fn register(pidfd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open, always names the same descriptor, and is closed only by its
    // owner, which from here on is the `AsyncFd` itself.
    let registered = unsafe { AsyncFd::register_with_interest(pidfd, Interest::READABLE) };
    Ok(registered?)
}

fn scan(parent: i32) -> io::Result<Vec<Identity>> {
    // Processes that come and go meanwhile are passed over.
    let all = all_processes().map_err(io::Error::other)?;
    let running: Vec<Stat> = all
        .filter_map(|process| process.ok()?.stat().ok())
        .filter(|stat| !matches!(stat.state, 'Z' | 'X' | 'x'))
        .collect();
    let mut found: Vec<Identity> = Vec::new();
    let mut parents = vec![parent];
    while let Some(parent) = parents.pop() {
        for child in running.iter().filter(|stat| stat.ppid == parent) {
            if is_shell(child.pid) {
                parents.push(child.pid);
            } else {
                found.push(Identity {
                    pid: child.pid,
                    start_ticks: child.starttime,
                });
            }
        }
    }
    found.sort_by_key(|id| (id.start_ticks, id.pid));
    Ok(found)
}

/// Judged by the file that runs, because a script's own name is that of the script.
fn is_shell(pid: i32) -> bool {
    let exe = std::fs::read_link(format!("/proc/{pid}/exe"));
    let name = exe.as_deref().ok().and_then(Path::file_name);
    name.and_then(|name| name.to_str())
        .is_some_and(|name| SHELLS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::spawn_held;
    use std::process::{Child, Command, Stdio};

    /// A shell that runs a program below it and waits for it.
    fn wrapped() -> Child {
        let mut command = Command::new("sh");
        command
            .args(["-c", "cat; true"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        spawn_held(&mut command).unwrap()
    }

    /// Says something and waits for it to come back: then the program below runs.
    fn greet(shell: &mut Child) {
        use std::io::{Read as _, Write as _};
        shell.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        shell.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    }

    #[tokio::test]
    async fn a_program_is_found_behind_the_shell_that_wraps_it_and_its_end_is_seen() {
        let mut shell = wrapped();
        greet(&mut shell);
        let pid = i32::try_from(shell.id()).unwrap();
        let found = programs_of(pid).await.unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].is_running());
        drop(shell.stdin.take());
        ended(found[0]).await.unwrap();
        assert!(!found[0].is_running());
        shell.wait().unwrap();
        assert_eq!(programs_of(pid).await.unwrap(), []);
    }

    #[tokio::test]
    async fn a_process_that_is_gone_or_another_has_ended() {
        let me = Identity::of_self().unwrap();
        let other = Identity {
            start_ticks: me.start_ticks + 1,
            ..me
        };
        ended(other).await.unwrap();
    }
}
