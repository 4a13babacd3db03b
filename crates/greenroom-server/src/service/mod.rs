//! The one way in. Every transport turns what it hears into [`Service::call`] and what comes back
//! into its own words; none of them sees a pool, a session or a process.

mod answer;
mod backend;
mod blob;
mod refusal;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use answer::{Answer, Metadata, Outcome, Progress, ProgressSink, ToolView, UnknownTool};
pub(crate) use answer::{Facts, text_block};
pub use backend::Backend;
pub use blob::{BlobView, Incoming};
pub use refusal::{Refusal, Refused};

use crate::identity::{Caller, ConnectionId, Principal};

/// The facade: cheap to clone, shared by all transports.
#[derive(Clone)]
pub struct Service {
    backend: Arc<dyn Backend>,
}

impl Service {
    /// The service that this backend gives.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend }
    }

    /// The tools on offer: the same for everybody, in the same order.
    pub fn tools(&self) -> Arc<Vec<ToolView>> {
        self.backend.tools()
    }

    /// What an agent should know before its first call.
    pub fn instructions(&self) -> String {
        self.backend.instructions()
    }

    /// Runs one tool. What went wrong is an answer too, written for the agent; only a tool that does
    /// not exist is an error of the protocol. Dropping the future cancels the call.
    pub async fn call(
        &self,
        caller: &Caller,
        tool: &str,
        arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> Result<Answer, UnknownTool> {
        let call = self
            .backend
            .call(caller.clone(), tool.to_owned(), arguments, progress);
        call.await
    }

    /// The state of the pools as `browser_pool_status` tells it.
    ///
    /// # Errors
    /// When there is no such pool; the text lists what exists.
    pub fn status(&self, principal: &Principal, pool: Option<&str>) -> Result<Value, String> {
        self.backend.status(principal, pool)
    }

    /// Whether the default pool has a healthy instance, and how many each pool has.
    pub fn readiness(&self) -> (bool, Value) {
        self.backend.readiness()
    }

    /// The newest blobs of a principal, at most `limit`, last named first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn blobs(
        &self,
        principal: &Principal,
        limit: usize,
    ) -> Result<Vec<BlobView>, Refusal> {
        self.backend.blobs(principal.clone(), limit).await
    }

    /// A blob to be read. It stays readable even if it is removed meanwhile.
    ///
    /// # Errors
    /// When this principal has no such blob.
    pub async fn open_blob(
        &self,
        principal: &Principal,
        id: &str,
    ) -> Result<(BlobView, tokio::fs::File), Refusal> {
        self.backend
            .open_blob(principal.clone(), id.to_owned())
            .await
    }

    /// Stores a blob.
    ///
    /// # Errors
    /// When it is too large or cannot be stored.
    pub async fn put_blob(
        &self,
        principal: &Principal,
        mime_type: &str,
        bytes: Incoming,
    ) -> Result<BlobView, Refusal> {
        let storing = self
            .backend
            .put_blob(principal.clone(), mime_type.to_owned(), bytes);
        storing.await
    }

    /// Registers a client process or legacy HTTP session, which then has a world of its own.
    pub fn open_connection(&self) -> ConnectionId {
        self.backend.open_connection()
    }

    /// The client is gone: its implicit sessions end and their browsers are wiped.
    pub fn close_connection(&self, connection: ConnectionId) {
        self.backend.close_connection(connection);
    }
}
