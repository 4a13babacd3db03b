//! The end of a family of processes: found, killed, and looked for again until none is left.
//!
//! Everything here blocks: it reads /proc and waits for processes to end. Async code calls it on
//! a blocking thread.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Signal, pidfd_send_signal};
use tokio::time::Instant;

use super::family::{Seeds, members};
use super::identity::{Identity, own_pid};
use super::marker::Marker;
use super::pause::{pause, pause_for};
use super::reap;
use super::table::{Entry, ProcessInfo, Table};

/// How long the kernel may take over SIGKILL. It is instant but for processes that hang in a
/// system call, and for big ones whose memory is being taken apart.
pub(super) const KILL_DEADLINE: Duration = Duration::from_secs(5);

/// How long to wait for the killed before /proc is read again.
const ROUND: Duration = Duration::from_millis(50);

/// What became of a family.
#[derive(Debug, Default)]
pub(super) struct Killed {
    /// Everyone who was sent SIGKILL.
    pub(super) killed: Vec<ProcessInfo>,
    /// Whoever was still there at the deadline.
    pub(super) survivors: Vec<ProcessInfo>,
}

/// A family that can be found again.
#[derive(Debug)]
pub(super) struct Tree {
    marker: Marker,
    /// Orphans that were handed to us and that no one can place belong too.
    with_orphans: bool,
    /// Members stay members: one that overwrote its environment and lost its parent in the last
    /// round of killing is still recognised in this one.
    known: Mutex<BTreeSet<Identity>>,
}

impl Tree {
    pub(super) fn new(marker: Marker, roots: impl IntoIterator<Item = Identity>) -> Self {
        Self {
            marker,
            with_orphans: false,
            known: Mutex::new(roots.into_iter().collect()),
        }
    }

    pub(super) fn with_orphans(mut self) -> Self {
        self.with_orphans = true;
        self
    }

    /// The living members at this moment.
    pub(super) fn members(&self) -> io::Result<Vec<Entry>> {
        let table = Table::read()?;
        let us = own_pid();
        let mut known = self.known();
        if self.with_orphans {
            known.extend(reap::orphans(&table).map(|entry| entry.id));
        }
        let seeds = Seeds {
            known: &known,
            is_marked: &|entry| self.marker.is_on(entry.id.pid),
            us,
        };
        let found: Vec<Entry> = members(&table, &seeds).into_iter().cloned().collect();
        known.extend(found.iter().map(|entry| entry.id));
        Ok(found)
    }

    /// Sends SIGKILL to every member, over and over, until none is found or the time is up.
    ///
    /// One round is not enough: a member may have forked while the table was read.
    pub(super) fn kill(&self, deadline: Duration) -> Killed {
        let end = Instant::now() + deadline;
        let mut seen = BTreeSet::new();
        let mut outcome = Killed::default();
        loop {
            let found = match self.members() {
                Ok(found) if found.is_empty() => return outcome,
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "cannot read /proc while ending a process tree");
                    Vec::new()
                }
            };
            let new = found.iter().filter(|entry| seen.insert(entry.id));
            outcome.killed.extend(new.map(Entry::info));
            let dying: Vec<OwnedFd> = found.iter().filter_map(kill_one).collect();
            if Instant::now() >= end {
                outcome.survivors = found.iter().map(Entry::info).collect();
                return outcome;
            }
            wait_for(&dying);
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeSet<Identity>> {
        // The set is only ever added to, so a panic elsewhere cannot have left it half changed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kills one process and returns the descriptor on which its end can be awaited.
fn kill_one(entry: &Entry) -> Option<OwnedFd> {
    let fd = match entry.id.pidfd() {
        Ok(fd) => fd?,
        Err(error) => {
            tracing::warn!(process = %entry.info(), %error, "cannot open a process to kill it");
            return None;
        }
    };
    if let Err(error) = pidfd_send_signal(&fd, Signal::KILL)
        && error != rustix::io::Errno::SRCH
    {
        tracing::warn!(process = %entry.info(), %error, "cannot kill a process");
    }
    Some(fd)
}

/// Waits until all have ended, one round at the longest. With nobody to wait for the whole round
/// passes: then /proc or a pidfd was refused, and trying again at once would only burn time.
fn wait_for(processes: &[OwnedFd]) {
    let end = Instant::now() + ROUND;
    if processes.is_empty() {
        pause_for(ROUND);
    }
    for process in processes {
        let left = end.saturating_duration_since(Instant::now());
        pause(&mut [PollFd::new(process, PollFlags::IN)], left);
    }
}
