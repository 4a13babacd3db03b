use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::{Answer, BlobView, Incoming, ProgressSink, Refusal, Refused, ToolView, UnknownTool};
use crate::identity::{Caller, ConnectionId, Principal};

/// What stands behind the facade. In the product that is the dispatcher over the fleet; tests of a
/// transport put something simpler there, and the conformance server adds its fixtures.
pub trait Backend: Send + Sync + 'static {
    /// See [`Service::tools`](super::Service::tools).
    fn tools(&self) -> Arc<Vec<ToolView>>;

    /// See [`Service::instructions`](super::Service::instructions).
    fn instructions(&self) -> String;

    /// See [`Service::call`](super::Service::call).
    fn call(
        &self,
        caller: Caller,
        tool: String,
        arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> BoxFuture<'static, Result<Answer, UnknownTool>>;

    /// See [`Service::status`](super::Service::status).
    ///
    /// # Errors
    /// When there is no such pool.
    fn status(&self, principal: &Principal, pool: Option<&str>) -> Result<Value, String>;

    /// See [`Service::readiness`](super::Service::readiness).
    fn readiness(&self) -> (bool, Value);

    /// See [`Service::blobs`](super::Service::blobs). A backend without a store has none.
    fn blobs(
        &self,
        _principal: Principal,
        _limit: usize,
    ) -> BoxFuture<'static, Result<Vec<BlobView>, Refusal>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// See [`Service::open_blob`](super::Service::open_blob).
    fn open_blob(
        &self,
        _principal: Principal,
        _id: String,
    ) -> BoxFuture<'static, Result<(BlobView, tokio::fs::File), Refusal>> {
        Box::pin(async { Err(nothing_is_stored(Refused::NotFound)) })
    }

    /// See [`Service::put_blob`](super::Service::put_blob).
    fn put_blob(
        &self,
        _principal: Principal,
        _mime_type: String,
        _bytes: Incoming,
    ) -> BoxFuture<'static, Result<BlobView, Refusal>> {
        Box::pin(async { Err(nothing_is_stored(Refused::Unavailable)) })
    }

    /// See [`Service::open_connection`](super::Service::open_connection).
    fn open_connection(&self) -> ConnectionId;

    /// See [`Service::close_connection`](super::Service::close_connection).
    fn close_connection(&self, connection: ConnectionId);
}

fn nothing_is_stored(kind: Refused) -> Refusal {
    let message = "nothing is stored here; ask a server that has a data directory";
    Refusal::new(kind, message)
}
