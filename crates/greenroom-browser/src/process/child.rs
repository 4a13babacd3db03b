//! The handle of one child tree.

use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};

use super::blocking;
use super::exit::Exit;
use super::identity::Identity;
use super::memory::{self, Memory};
use super::stderr::Tail;
use super::table::ProcessInfo;
use super::tree::Tree;
use crate::{Error, Unready};

/// A child whose pipes are closed is usually about to end. This long it may take to do so by
/// itself after it failed to get ready, because its own exit code says more than our SIGKILL.
const LAST_CHANCE: Duration = Duration::from_millis(250);

/// How far a tree has come.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// Set when the root has ended.
    pub(super) exit: Option<Exit>,
    /// Set when the whole tree is gone, or as gone as it will ever be.
    pub(super) survivors: Option<Vec<ProcessInfo>>,
}

/// A running child and everything it starts.
///
/// A task owns the tree; this handle talks to it. Dropping the handle stops the tree in the
/// background, after a short grace; [`Child::stop`] is the way to know that it is gone.
#[derive(Debug)]
pub struct Child {
    pub(super) label: String,
    pub(super) program: PathBuf,
    pub(super) root: Identity,
    pub(super) stdin: Mutex<Option<ChildStdin>>,
    pub(super) stdout: Mutex<Option<ChildStdout>>,
    pub(super) stderr: Tail,
    pub(super) tree: Arc<Tree>,
    pub(super) stops: mpsc::UnboundedSender<Duration>,
    pub(super) progress: watch::Receiver<Progress>,
}

impl Child {
    /// Whom it is for, as a person would say it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The program that was started.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The process at the root of the tree.
    pub fn root(&self) -> Identity {
        self.root
    }

    /// The child's stdin, once. Dropping it tells the child that no more will come.
    pub fn take_stdin(&self) -> Option<ChildStdin> {
        take(&self.stdin)
    }

    /// The child's stdout, once. It must be read, or the child blocks when the pipe is full.
    pub fn take_stdout(&self) -> Option<ChildStdout> {
        take(&self.stdout)
    }

    /// The end of what the child has written to stderr so far.
    pub fn stderr_tail(&self) -> String {
        self.stderr.text()
    }

    /// Resolves as soon as the root has ended, whether it was asked to or not.
    pub async fn exited(&self) -> Exit {
        self.watch().exited().await
    }

    /// A watch on the end of the root that does not keep the child alive.
    pub fn watch(&self) -> ExitWatch {
        ExitWatch(self.progress.clone())
    }

    /// How the root ended, if it has.
    pub fn try_exited(&self) -> Option<Exit> {
        self.progress.borrow().exit.clone()
    }

    /// Stops the tree: closes stdin if nobody took it, sends SIGTERM to the root, waits up to
    /// `grace` for it to end, then kills whatever is left. Returns when the tree is gone and its
    /// scratch directory is removed.
    ///
    /// May be called again, also with a shorter grace. When the returned future is dropped, the
    /// stop goes on.
    pub async fn stop(&self, grace: Duration) -> Result<Exit, Error> {
        drop(self.take_stdin());
        // An owner that is gone has finished already.
        let _ = self.stops.send(grace);
        self.gone().await
    }

    /// Waits until the whole tree is gone, for whatever reason.
    pub async fn gone(&self) -> Result<Exit, Error> {
        let mut progress = self.progress.clone();
        let label = || self.label.clone();
        let last = match progress.wait_for(|now| now.survivors.is_some()).await {
            Ok(last) => last.clone(),
            Err(_) => return Err(Error::Abandoned { label: label() }),
        };
        match (last.exit, last.survivors) {
            (Some(exit), Some(survivors)) if survivors.is_empty() => Ok(exit),
            (_, survivors) => Err(Error::Survivors {
                label: label(),
                survivors: survivors.unwrap_or_default(),
            }),
        }
    }

    /// Waits for the child to get ready, for which it has `deadline`.
    ///
    /// When `ready` fails, when the time is up, or when the child ends first, the tree is killed
    /// and the error says which of these it was, at which stage, and what the child's last words
    /// were.
    pub async fn ready_within<T, E: fmt::Display>(
        &self,
        stage: &'static str,
        deadline: Duration,
        ready: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        let why = tokio::select! {
            // Readiness first: a child that answers and then ends has answered.
            biased;
            result = ready => match result {
                Ok(ready) => return Ok(ready),
                Err(error) => Unready::Failed(error.to_string()),
            },
            _ = self.exited() => Unready::Exited,
            () = tokio::time::sleep(deadline) => Unready::Deadline(deadline),
        };
        if matches!(why, Unready::Failed(_)) {
            let _ = tokio::time::timeout(LAST_CHANCE, self.exited()).await;
        }
        let exit = self.stop(Duration::ZERO).await?;
        Err(Error::NotReady {
            label: self.label.clone(),
            program: self.program.clone(),
            stage,
            why,
            exit: Box::new(exit),
        })
    }

    /// The memory of all living processes of the tree.
    pub async fn memory(&self) -> Result<Memory, Error> {
        let tree = Arc::clone(&self.tree);
        let sum = move || {
            let members = tree.members()?;
            let mut sum = Memory::default();
            let each = members.iter().filter_map(|entry| memory::of(entry.id.pid));
            each.for_each(|one| sum += one);
            Ok(sum)
        };
        blocking(sum)
            .await?
            .map_err(|source| Error::Supervision { source })
    }
}

/// Tells when the root of a tree ends. It may outlive the handle.
#[derive(Debug, Clone)]
pub struct ExitWatch(watch::Receiver<Progress>);

impl ExitWatch {
    /// Resolves as soon as the root has ended.
    pub async fn exited(&mut self) -> Exit {
        let exit = match self.0.wait_for(|now| now.exit.is_some()).await {
            Ok(now) => now.exit.clone(),
            // The owner is gone with its runtime: nobody will ever know more.
            Err(_) => None,
        };
        match exit {
            Some(exit) => exit,
            None => std::future::pending().await,
        }
    }
}

fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}
