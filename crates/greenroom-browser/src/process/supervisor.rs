//! The one place from which children are started.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{ffi::OsString, io};

use tokio::io::unix::AsyncFd;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::actor::{Actor, Root};
use super::blocking;
use super::books::{Books, Live};
use super::child::{Child, Progress};
use super::marker::{Marker, UniqueId};
use super::readiness;
use super::reap;
use super::run::Run;
use super::scratch::Scratch;
use super::spawn::{Spawn, Started};
use super::stderr::Drain;
use super::tree::{KILL_DEADLINE, Tree};
use crate::Error;

/// Starts children in a run and sees to it that none outlives it. Clones share one supervisor.
#[derive(Debug, Clone)]
pub struct Supervisor(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    run: Run,
    books: Books,
    collector: AbortHandle,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.collector.abort();
    }
}

impl Supervisor {
    /// Takes charge of a run. From here on this process collects orphans.
    ///
    /// Must be called within a runtime.
    pub fn new(run: Run) -> Result<Self, Error> {
        let child_ended =
            reap::become_subreaper().map_err(|source| Error::Supervision { source })?;
        let collector = tokio::spawn(reap::collect_forever(child_ended)).abort_handle();
        Ok(Self(Arc::new(Inner {
            run,
            books: Books::default(),
            collector,
        })))
    }

    /// The run that this supervisor is in charge of.
    pub fn run(&self) -> &Run {
        &self.0.run
    }

    /// How many child trees live.
    pub fn live(&self) -> usize {
        self.0.books.live()
    }

    /// Directories for a child that is to be started.
    pub fn scratch(&self, label: &str) -> Result<Scratch, Error> {
        self.0.run.scratch(label)
    }

    /// Starts a child in its directories.
    ///
    /// It gets `TMPDIR` and the markers on top of the environment in `spawn`. The directories are
    /// removed when its tree is gone, or at once when it cannot be started.
    pub fn spawn(&self, spawn: Spawn, scratch: Scratch) -> Result<Child, Error> {
        let live = self.0.books.enter().ok_or_else(|| Error::Closing {
            label: scratch.label().to_owned(),
        })?;
        let id = UniqueId::fresh().map_err(|source| Error::Supervision { source })?;
        let marker = Marker::child(&id);
        let own = [
            Marker::run(self.0.run.id()).variable(),
            marker.variable(),
            (OsString::from("TMPDIR"), scratch.tmp().into()),
        ];
        let home = scratch.path().to_owned();
        let started = spawn.start(own, &home)?;
        // From here on dropping the root kills the tree, so every way out is clean.
        let root = Root::new(started.id, Tree::new(marker, [started.id]));
        adopt(started, root, scratch, live)
    }

    /// Ends everything: stops every tree, kills whatever else the run has left, removes its
    /// directory. Nothing can be started afterwards. May be called more than once.
    pub async fn close(&self, grace: Duration) -> Result<(), Error> {
        self.0.books.close(grace).await;
        let inner = Arc::clone(&self.0);
        blocking(move || inner.clear()).await?
    }
}

impl Inner {
    fn clear(&self) -> Result<(), Error> {
        let everything = Tree::new(Marker::run(self.run.id()), []).with_orphans();
        let survivors = everything.kill(KILL_DEADLINE).survivors;
        // The collector may be dropped before it hears of those who were just killed.
        let _ = reap::collect();
        if !survivors.is_empty() {
            return Err(Error::Survivors {
                label: "this run".to_owned(),
                survivors,
            });
        }
        self.run.remove()
    }
}

/// Gives a started child its owner and its handle.
fn adopt(started: Started, root: Root, mut scratch: Scratch, live: Live) -> Result<Child, Error> {
    scratch.record_root(started.id)?;
    let program = started.program.clone();
    let pipes = Pipes::of(started).map_err(|source| Error::Spawn {
        program: program.clone(),
        source,
    })?;
    scratch.put_to_use();
    let (stops, stop_requests) = mpsc::unbounded_channel();
    let (progress, watch) = watch::channel(Progress::default());
    let child = Child {
        label: scratch.label().to_owned(),
        program,
        root: root.id,
        stdin: Mutex::new(Some(pipes.stdin)),
        stdout: Mutex::new(Some(pipes.stdout)),
        stderr: pipes.stderr.tail(),
        tree: Arc::clone(&root.tree),
        stops,
        progress: watch,
    };
    let actor = Actor {
        root,
        pidfd: pipes.pidfd,
        stderr: pipes.stderr,
        scratch: Arc::new(scratch),
        stops: stop_requests,
        progress,
        live,
    };
    tokio::spawn(actor.run());
    Ok(child)
}

/// What connects us with a child.
struct Pipes {
    pidfd: AsyncFd<OwnedFd>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Drain,
}

impl Pipes {
    fn of(mut started: Started) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe to the child is missing");
        let pidfd = started.id.pidfd()?.ok_or_else(missing)?;
        let child = &mut started.child;
        Ok(Self {
            pidfd: readiness::of(pidfd)?,
            stdin: ChildStdin::from_std(child.stdin.take().ok_or_else(missing)?)?,
            stdout: ChildStdout::from_std(child.stdout.take().ok_or_else(missing)?)?,
            stderr: Drain::new(child.stderr.take().ok_or_else(missing)?)?,
        })
    }
}
