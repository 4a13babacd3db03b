//! Collecting the dead.
//!
//! Greenroom is a *subreaper*: when a process of a tree dies, its children become Greenroom's
//! instead of init's. That keeps them findable, and it makes Greenroom the one who must collect
//! them when they end, or they stay as zombies. When Greenroom is PID 1 the same holds for every
//! orphan of the container.
//!
//! The roots of trees must *not* be collected here: each is held as a zombie by its owner until
//! its tree is gone, so that its pid and its group cannot be given to a stranger meanwhile, and
//! its owner wants its exit status. So there is one register of held children for the whole
//! process, and its lock is held from before the fork until the child is entered: whoever
//! collects under the same lock sees either no child or a held one. It is a static because what
//! it describes, the children of this process, is one per process.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use rustix::process::{Pid, WaitOptions, set_child_subreaper, waitpid};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::identity::{Identity, own_pid};
use super::table::{Entry, Table};

#[derive(Debug)]
struct Children {
    /// Roots with an owner, and children of others who asked to keep them.
    held: BTreeSet<Identity>,
    /// Children that were there before us, because this program was exec'ed over another one.
    /// They are collected when they end, but they are not ours to kill.
    inherited: BTreeSet<Identity>,
}

static CHILDREN: Mutex<Children> = Mutex::new(Children {
    held: BTreeSet::new(),
    inherited: BTreeSet::new(),
});

static FIRST: Once = Once::new();

fn children() -> MutexGuard<'static, Children> {
    // Every change is one insertion or removal, so the sets are whole even after a panic.
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the one that orphans are handed to.
///
/// Must run inside a runtime; the returned stream wakes whenever a child may have ended.
pub(super) fn become_subreaper() -> io::Result<Signal> {
    let mut error = Ok(());
    FIRST.call_once(|| error = note_inherited());
    error?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    signal(SignalKind::child())
}

fn note_inherited() -> io::Result<()> {
    let mut children = children();
    let table = Table::read()?;
    let ours = table.children_of(own_pid()).map(|entry| entry.id);
    let inherited: Vec<Identity> = ours.filter(|id| !children.held.contains(id)).collect();
    children.inherited.extend(inherited);
    Ok(())
}

/// Collects orphans whenever one may have ended, until dropped.
pub(super) async fn collect_forever(mut child_ended: Signal) {
    loop {
        // A scan reads all of /proc: not on a thread that serves others.
        match tokio::task::spawn_blocking(collect).await {
            Ok(Ok(0)) | Err(_) => {}
            Ok(Ok(count)) => tracing::debug!(count, "collected orphans that had ended"),
            Ok(Err(error)) => tracing::warn!(%error, "cannot look for orphans that have ended"),
        }
        if child_ended.recv().await.is_none() {
            return;
        }
    }
}

/// Starts a command whose end its caller awaits: orphan collection leaves the child alone.
///
/// Whoever must start a program outside a [`Supervisor`](super::Supervisor) in a process that has
/// one does it through here, or finds the exit status gone.
pub fn spawn_held(command: &mut Command) -> io::Result<Child> {
    hold(command).map(|(child, _)| child)
}

/// Forks and enters the child in one step.
pub(super) fn hold(command: &mut Command) -> io::Result<(Child, Identity)> {
    let mut children = children();
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where children begin"
    )]
    let child = command.spawn()?;
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    // It cannot be gone: only its owner, who does not know it yet, may collect it.
    let id = Identity::of(pid).ok_or_else(|| io::Error::other("cannot read /proc"))?;
    children.held.insert(id);
    Ok((child, id))
}

/// Collects a held child if it has ended, and lets go of it either way: one that still lives
/// (because it hangs in the kernel) is collected as an orphan whenever it ends.
pub(super) fn release(id: Identity) {
    let mut children = children();
    collect_one(id.pid);
    children.held.remove(&id);
}

/// Orphans that were handed to us.
pub(super) fn orphans(table: &Table) -> impl Iterator<Item = &Entry> {
    let children = children();
    let unknown =
        move |id: &Identity| !children.held.contains(id) && !children.inherited.contains(id);
    table
        .children_of(own_pid())
        .filter(move |entry| unknown(&entry.id))
}

/// Collects every ended child that nobody holds; says how many there were.
pub(super) fn collect() -> io::Result<usize> {
    let mut children = children();
    let table = Table::read()?;
    // Holders that collected their child themselves, and recycled pids, drop out here.
    let still_there = |id: &Identity| table.get(id.pid).is_some_and(|entry| entry.id == *id);
    children.held.retain(still_there);
    children.inherited.retain(still_there);
    let dead = table.children_of(own_pid()).filter(|entry| entry.dead);
    let free = dead.filter(|entry| !children.held.contains(&entry.id));
    Ok(free.filter(|entry| collect_one(entry.id.pid)).count())
}

fn collect_one(pid: i32) -> bool {
    let Some(pid) = Pid::from_raw(pid) else {
        return false;
    };
    waitpid(Some(pid), WaitOptions::NOHANG).is_ok_and(|status| status.is_some())
}
