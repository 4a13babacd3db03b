//! Which requests of a stream wait for their answer.

use std::collections::HashSet;
use std::sync::Arc;

use rmcp::model::RequestId;
use tokio::sync::watch;

/// The requests that came in and have not been answered. Clones share it.
#[derive(Clone)]
pub(super) struct Unanswered(Arc<watch::Sender<HashSet<RequestId>>>);

impl Unanswered {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(HashSet::new())))
    }

    /// A request came in.
    pub(super) fn asked(&self, id: RequestId) {
        self.0.send_modify(|open| {
            open.insert(id);
        });
    }

    /// A request has been answered, or never will be.
    pub(super) fn forget(&self, id: &RequestId) {
        self.0.send_if_modified(|open| open.remove(id));
    }

    /// Resolves when everything has been answered.
    pub(super) async fn none(&self) {
        let mut open = self.0.subscribe();
        // The sender lives in self, so that waiting cannot fail.
        let _ = open.wait_for(HashSet::is_empty).await;
    }
}
