//! The task that owns one child tree, from its start until nothing of it is left.
//!
//! It moves through three stages and never back: *serving* until the root ends or someone wants
//! it stopped, *stopping* while the root has its grace, *clearing* while what is left is killed.
//! The root is not collected before the tree is gone: a zombie keeps its pid and its process
//! group from being given to strangers while its descendants are looked for.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::unix::AsyncFd;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::books::Live;
use super::child::Progress;
use super::exit::{Ended, Exit};
use super::identity::Identity;
use super::reap;
use super::scratch::Scratch;
use super::stderr::Drain;
use super::table::ProcessInfo;
use super::tree::{KILL_DEADLINE, Tree};

/// The grace of a tree whose handle was dropped.
const DROPPED_GRACE: Duration = Duration::from_secs(2);

/// How long a cancelled owner may block to see its tree dead. SIGKILL takes a moment, no more.
const LAST_RESORT: Duration = Duration::from_millis(500);

/// Everything that belongs to one child tree.
#[derive(Debug)]
pub(super) struct Actor {
    pub(super) root: Root,
    pub(super) pidfd: AsyncFd<OwnedFd>,
    pub(super) stderr: Drain,
    pub(super) scratch: Arc<Scratch>,
    pub(super) stops: mpsc::UnboundedReceiver<Duration>,
    pub(super) progress: watch::Sender<Progress>,
    pub(super) live: Live,
}

/// What an owner can be told.
enum Event {
    Exited,
    Stop(Duration),
    Deadline,
}

impl Actor {
    pub(super) async fn run(mut self) {
        let asked = match self.next(None).await {
            Event::Stop(grace) => {
                self.terminate(grace).await;
                true
            }
            Event::Exited | Event::Deadline => false,
        };
        if Ended::peek(self.pidfd.get_ref()) != Ended::Never {
            self.announce_exit(asked);
        }
        let Some(survivors) = self.clear().await else {
            return;
        };
        self.progress
            .send_modify(|progress| progress.survivors = Some(survivors));
    }

    /// Asks the root to end and gives it time to do so.
    async fn terminate(&mut self, grace: Duration) {
        let mut end = Instant::now() + grace;
        self.meet_the_family().await;
        if !grace.is_zero()
            && let Err(error) = self.root.id.signal(Signal::TERM)
        {
            tracing::warn!(child = self.scratch.label(), %error, "cannot send SIGTERM");
        }
        loop {
            match self.next(Some(end)).await {
                Event::Exited | Event::Deadline => return,
                // Whoever has less patience wins.
                Event::Stop(grace) => end = end.min(Instant::now() + grace),
            }
        }
    }

    /// Learns who belongs to the tree while the root still ties it together: a descendant without
    /// a marker in a session of its own cannot be placed once its parents have left.
    async fn meet_the_family(&self) {
        let tree = Arc::clone(&self.root.tree);
        // Who is found stays known to the tree; that is all this is for.
        let _ = tokio::task::spawn_blocking(move || tree.members()).await;
    }

    /// Waits for the next event, keeping stderr empty meanwhile.
    async fn next(&mut self, deadline: Option<Instant>) -> Event {
        let out_of_time = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        let dropped = deadline.is_some() && self.stops.is_closed() && self.stops.is_empty();
        tokio::select! {
            biased;
            _ = self.pidfd.readable() => Event::Exited,
            () = out_of_time => Event::Deadline,
            // A dropped handle is told once: the channel stays closed and would be ready forever.
            stop = self.stops.recv(), if !dropped => Event::Stop(stop.unwrap_or(DROPPED_GRACE)),
            grace = self.live.closing() => Event::Stop(grace),
            never = self.stderr.drain() => match never {},
        }
    }

    fn announce_exit(&mut self, asked: bool) {
        self.stderr.drain_now();
        let exit = Exit {
            ended: Ended::peek(self.pidfd.get_ref()),
            asked,
            stderr: self.stderr.tail().text(),
        };
        tracing::debug!(child = self.scratch.label(), asked, ended = %exit.ended, "child ended");
        self.progress
            .send_modify(|progress| progress.exit = Some(exit));
    }

    /// Kills what is left and removes the scratch directory. Says who survived; none when the
    /// runtime shuts down and runs nothing new, and dropping the root does what can be done.
    async fn clear(&mut self) -> Option<Vec<ProcessInfo>> {
        let tree = Arc::clone(&self.root.tree);
        let scratch = Arc::clone(&self.scratch);
        let clearing = tokio::task::spawn_blocking(move || clear_away(&tree, &scratch));
        let survivors = clearing.await.ok()?;
        self.root.cleared = survivors.is_empty();
        if self.progress.borrow().exit.is_none() {
            self.announce_exit(true);
        }
        reap::release(self.root.id);
        Some(survivors)
    }
}

fn clear_away(tree: &Tree, scratch: &Scratch) -> Vec<ProcessInfo> {
    let outcome = tree.kill(KILL_DEADLINE);
    if !outcome.killed.is_empty() {
        // Those who became ours when their parent died: gone means gone, not soon to be.
        let _ = reap::collect();
    }
    let survivors = outcome.survivors;
    // Whoever survived may still use the directory, and a later sweep needs its record.
    if survivors.is_empty()
        && let Err(error) = scratch.remove()
    {
        tracing::warn!(child = scratch.label(), %error, "cannot remove a scratch directory");
    }
    survivors
}

/// The root of a tree, which takes the tree with it when its owner is cancelled.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) id: Identity,
    pub(super) tree: Arc<Tree>,
    cleared: bool,
}

impl Root {
    pub(super) fn new(id: Identity, tree: Tree) -> Self {
        Self {
            id,
            tree: Arc::new(tree),
            cleared: false,
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if !self.cleared {
            self.tree.kill(LAST_RESORT);
            reap::release(self.id);
            // Whoever collects orphans may have been cancelled too.
            let _ = reap::collect();
        }
    }
}
