//! Watches the browser below an upstream.
//!
//! When its browser dies, the upstream says nothing to a caller who merely waits, and starts
//! another one with the next call: the caller finds an empty world and no word about it. So the
//! browser's process is watched from here. The upstream starts it with the first call and after
//! every close; it is looked up when a call has ended and none is known.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::programs::{ended, programs_of};
use crate::process::{Child, Identity};

#[derive(Debug)]
pub(super) struct BrowserWatch {
    lost: Arc<watch::Sender<bool>>,
    watched: Mutex<Option<Watched>>,
}

#[derive(Debug)]
struct Watched {
    id: Identity,
    task: AbortHandle,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl BrowserWatch {
    pub(super) fn new() -> Self {
        Self {
            lost: Arc::new(watch::Sender::new(false)),
            watched: Mutex::new(None),
        }
    }

    /// Looks for the browser if none is watched. The newest program is it: an older one is on its
    /// way out.
    pub(super) async fn look(&self, upstream: &Child) {
        if self.lock().is_some() || self.is_lost() {
            return;
        }
        match programs_of(upstream.root().pid).await {
            Ok(programs) => {
                if let Some(browser) = programs.last() {
                    self.watch(*browser);
                }
            }
            Err(error) => tracing::warn!(%error, "cannot look for the browser"),
        }
    }

    /// From here on the browser may end: somebody asked for it.
    pub(super) fn release(&self) {
        self.lock().take();
    }

    /// Resolves when the browser has ended though nobody asked for it.
    pub(super) async fn lost(&self) {
        let mut lost = self.lost.subscribe();
        // The sender lives as long as this watch does, so this cannot fail.
        let _ = lost.wait_for(|lost| *lost).await;
    }

    pub(super) fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    fn watch(&self, id: Identity) {
        let lost = Arc::clone(&self.lost);
        let task = tokio::spawn(async move {
            match ended(id).await {
                Ok(()) => drop(lost.send_replace(true)),
                Err(error) => tracing::warn!(%error, "cannot watch the browser"),
            }
        });
        tracing::debug!(pid = id.pid, "watching the browser");
        let task = task.abort_handle();
        *self.lock() = Some(Watched { id, task });
    }

    /// The process that is watched.
    pub(super) fn pid(&self) -> Option<i32> {
        self.lock().as_ref().map(|watched| watched.id.pid)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
