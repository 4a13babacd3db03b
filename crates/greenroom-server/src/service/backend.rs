use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::{Answer, ProgressSink, ToolView, UnknownTool};
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

    /// See [`Service::open_connection`](super::Service::open_connection).
    fn open_connection(&self) -> ConnectionId;

    /// See [`Service::close_connection`](super::Service::close_connection).
    fn close_connection(&self, connection: ConnectionId);
}
