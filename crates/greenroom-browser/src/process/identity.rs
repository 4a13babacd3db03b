//! One process, for good.
//!
//! The kernel recycles pids. It never gives out the same pair of pid and start time twice within
//! one boot, so that pair is what is remembered, compared and signalled here.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;

use procfs::FromRead as _;
use procfs::process::Stat;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde::{Deserialize, Serialize};

/// A pid together with the moment its process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identity {
    /// The process id.
    pub pid: i32,
    /// Start time in clock ticks since boot, as /proc/PID/stat has it.
    pub start_ticks: u64,
}

impl Identity {
    /// The process that has this pid now, zombies included.
    pub fn of(pid: i32) -> Option<Self> {
        let stat = stat_of(pid)?;
        Some(Self {
            pid,
            start_ticks: stat.starttime,
        })
    }

    /// The calling process.
    pub fn of_self() -> Option<Self> {
        Self::of(own_pid())
    }

    /// Whether this very process still runs. A zombie does not.
    pub fn is_running(self) -> bool {
        stat_of(self.pid).is_some_and(|stat| stat.starttime == self.start_ticks && !is_dead(&stat))
    }

    /// A descriptor of this very process, or none when it is gone.
    ///
    /// The descriptor is opened first and the start time compared afterwards: when they agree, the
    /// pid belonged to this process at both moments, so the descriptor cannot mean another one.
    pub(super) fn pidfd(self) -> io::Result<Option<OwnedFd>> {
        let Some(pid) = Pid::from_raw(self.pid) else {
            return Ok(None);
        };
        let fd = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(fd) => fd,
            Err(Errno::SRCH) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok((Self::of(self.pid) == Some(self)).then_some(fd))
    }

    /// Sends a signal to this very process; a process that is gone is none of its business.
    pub(super) fn signal(self, signal: Signal) -> io::Result<()> {
        let Some(fd) = self.pidfd()? else {
            return Ok(());
        };
        match pidfd_send_signal(&fd, signal) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pid)
    }
}

/// The pid of the calling process.
pub(super) fn own_pid() -> i32 {
    rustix::process::getpid().as_raw_pid()
}

/// Zombies and processes that the kernel is taking apart have ended in every sense that counts.
pub(super) fn is_dead(stat: &Stat) -> bool {
    has_ended(stat.state, stat.num_threads)
}

/// The state is that of the main thread. When that one has ended and others have not, the process
/// looks like a zombie but runs on, and cannot be collected either.
fn has_ended(state: char, threads: i64) -> bool {
    matches!(state, 'Z' | 'X' | 'x') && threads <= 1
}

/// /proc/PID/stat, or none when the process is gone.
pub(super) fn stat_of(pid: i32) -> Option<Stat> {
    Stat::from_file(format!("/proc/{pid}/stat")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_running_and_the_same_pid_with_another_start_time_is_not() {
        let me = Identity::of_self().unwrap();
        assert!(me.is_running());
        let other = Identity {
            start_ticks: me.start_ticks + 1,
            ..me
        };
        assert!(!other.is_running());
        assert!(other.pidfd().unwrap().is_none());
    }

    #[test]
    fn a_process_has_ended_when_its_last_thread_has() {
        let table = [
            ('R', 1, false),
            ('S', 40, false),
            ('D', 1, false),
            ('T', 1, false),
            ('Z', 2, false),
            ('Z', 1, true),
            ('Z', 0, true),
            ('X', 0, true),
        ];
        for (state, threads, expected) in table {
            assert_eq!(has_ended(state, threads), expected, "{state} {threads}");
        }
    }

    #[test]
    fn a_signal_to_a_recycled_pid_reaches_nobody() {
        let other = Identity {
            pid: own_pid(),
            start_ticks: 1,
        };
        // Were it delivered, this test process would die of it.
        other.signal(Signal::KILL).unwrap();
    }
}
