//! What MCP's requests mean: a thin layer between rmcp and the service.
//!
//! A handler is a few shared pointers, because rmcp makes one per stream, per legacy session and
//! per request of the new era. It answers requests that cannot be routed with a JSON-RPC error and
//! everything that a model should read with a result.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, DiscoverResult, Implementation,
    ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::task::TaskTracker;

use super::answer;
use super::catalogue::Catalogue;
use super::connection::Connection;
use super::identity::{Identity, Origin};
use super::progress::{Relay, notifier};
use super::resources;
use super::sessions::Sessions;
use crate::service::{Answer, ProgressSink, Service, UnknownTool};

/// The list changes only with the server's version, but a client that outlives a restart should
/// notice before long.
const LIST_TTL_MS: u64 = 5 * 60 * 1000;
/// What is named by its content never changes; only whether it is still there does.
const BLOB_TTL_MS: u64 = 24 * 60 * 60 * 1000;

/// Greenroom's MCP server, seen from one stream or one HTTP request.
#[derive(Clone)]
pub struct Handler {
    service: Service,
    catalogue: Arc<Catalogue>,
    origin: Origin,
    calls: TaskTracker,
}

impl Handler {
    /// A handler for one byte stream; `calls` counts what runs.
    pub(crate) fn for_stream(
        service: Service,
        connection: Arc<Connection>,
        calls: TaskTracker,
    ) -> Self {
        Self {
            catalogue: Arc::new(Catalogue::new(service.clone())),
            service,
            origin: Origin::Stream(connection),
            calls,
        }
    }

    /// A handler for HTTP, cloned for each session and each request.
    pub(crate) fn for_http(service: Service, sessions: Arc<Sessions>) -> Self {
        Self {
            catalogue: Arc::new(Catalogue::new(service.clone())),
            service,
            origin: Origin::Http(sessions),
            calls: TaskTracker::new(),
        }
    }

    /// Runs one call; a panic in it is an answer, because rmcp would leave the caller waiting.
    async fn run(
        &self,
        identity: &Identity,
        request: CallToolRequestParams,
        progress: Option<ProgressSink>,
    ) -> Result<CallToolResult, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let call = self
            .service
            .call(&identity.caller, &request.name, arguments, progress);
        match AssertUnwindSafe(call).catch_unwind().await {
            Ok(outcome) => conclude(outcome),
            Err(_) => {
                tracing::error!(tool = %request.name, "the call panicked");
                Ok(answer::failure(
                    "internal error: the call broke off and its outcome is unknown. Take a \
                     snapshot to see where the page stands, then decide whether to repeat it.",
                ))
            }
        }
    }

    async fn run_with_progress(
        &self,
        identity: &Identity,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(token) = context.meta.get_progress_token() else {
            return self.run(identity, request, None).await;
        };
        let relay = Relay::new(notifier(context.peer.clone(), token));
        let sink = relay.sink();
        relay
            .alongside(self.run(identity, request, Some(sink)))
            .await
    }
}

fn conclude(outcome: Result<Answer, UnknownTool>) -> Result<CallToolResult, ErrorData> {
    match outcome {
        Ok(answer) => Ok(answer::result(answer)),
        Err(unknown) => Err(answer::unknown_tool(&unknown)),
    }
}

/// Our lists are one page each, so no cursor of ours exists.
fn only_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    if request.is_some_and(|page| page.cursor.is_some()) {
        let message = "unknown cursor: ask without one";
        return Err(ErrorData::invalid_params(message, None));
    }
    Ok(())
}

/// Whether the request speaks a revision without sessions.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Nobody reads this: rmcp drops answers to cancelled requests.
fn cancelled() -> ErrorData {
    ErrorData::internal_error("the call was cancelled", None)
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources();
        ServerConfig::new(capabilities.build())
            .with_server_info(Implementation::new("greenroom", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.service.instructions())
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request)?;
        let result = ListToolsResult::with_all_items(self.catalogue.current().tools().to_vec());
        Ok(if is_modern(&context) {
            result
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            result
        })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.catalogue.current().get(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let identity = self.origin.identify(&context)?;
        let _running = self.calls.token();
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(cancelled()),
            () = identity.ended() => Err(cancelled()),
            result = self.run_with_progress(&identity, request, &context) => result.map(Into::into),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        only_page(request)?;
        let identity = self.origin.identify(&context)?;
        resources::list(&self.service, &identity.caller.principal).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request)?;
        let result = resources::templates();
        Ok(if is_modern(&context) {
            result
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            result
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let identity = self.origin.identify(&context)?;
        let principal = &identity.caller.principal;
        let result = resources::read(&self.service, principal, &request.uri).await?;
        Ok(if is_modern(&context) {
            result
                .with_ttl_ms(BLOB_TTL_MS)
                .with_cache_scope(CacheScope::Private)
        } else {
            result
        }
        .into())
    }

    // rmcp would answer these with empty results; a capability that was not declared does not exist.

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }
}
