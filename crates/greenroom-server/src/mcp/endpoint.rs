//! MCP over streamable HTTP, both eras on one path, as a tower service.
//!
//! rmcp speaks the protocol. Around it, this endpoint decides what rmcp does not know about: a
//! legacy session answers only to the principal that opened it (to others it does not exist), their
//! number is capped, and a session id on a request of the new era means nothing. It trusts the
//! [`Principal`] in the request's extensions and serves nothing without one.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::header::{CONTENT_TYPE, RETRY_AFTER};
use ::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;
use futures::future::BoxFuture;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::ServerHandler;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::SessionConfig;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::handler::Handler;
use super::identity::{SESSION_HEADER, session_id};
use super::sessions::{Arrival, Sessions};
use crate::identity::Principal;
use crate::service::Service;
use crate::shutdown::Shutdown;

type Reply = Response<BoxBody<Bytes, Infallible>>;

/// When a client that found no room for its session should come back.
const RETRY_SECONDS: &str = "30";

/// What a legacy session may cost.
#[derive(Debug, Clone)]
pub struct EndpointOptions {
    /// How many legacy sessions may be open at once. Beyond it new ones are refused; none is
    /// closed to make room, because each holds somebody's browser.
    pub max_sessions: usize,
    /// How long a legacy session lives without a message in either direction. Long, because many
    /// clients treat the end of a session as the end of the server, and because a call that says
    /// nothing for this long would lose its session.
    pub keep_alive: Duration,
    /// How long the answer to a finished request can be fetched again after a lost connection.
    pub completed_cache: Duration,
    /// The largest request body.
    pub max_body_bytes: usize,
}

impl Default for EndpointOptions {
    fn default() -> Self {
        Self {
            max_sessions: 1024,
            keep_alive: Duration::from_secs(6 * 3600),
            completed_cache: Duration::from_secs(60),
            max_body_bytes: 4 * 1024 * 1024,
        }
    }
}

impl EndpointOptions {
    fn session_config(&self) -> SessionConfig {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(self.keep_alive);
        config.completed_cache_ttl = self.completed_cache;
        config
    }

    fn http_config(&self, shutdown: &Shutdown) -> StreamableHttpServerConfig {
        // Host and Origin are checked for all routes alike, before a request comes here.
        StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_json_response(true)
            .with_max_request_body_bytes(self.max_body_bytes)
            .with_cancellation_token(shutdown.cancel_token().clone())
    }
}

/// The service behind `/mcp`.
pub struct Endpoint<H = Handler> {
    rmcp: StreamableHttpService<H, Sessions>,
    sessions: Arc<Sessions>,
}

impl<H> Clone for Endpoint<H> {
    fn clone(&self) -> Self {
        Self {
            rmcp: self.rmcp.clone(),
            sessions: self.sessions.clone(),
        }
    }
}

impl Endpoint {
    /// Serves `service`. Must be called within a runtime.
    #[must_use]
    pub fn new(service: &Service, options: &EndpointOptions, shutdown: &Shutdown) -> Self {
        Self::wrapping(service, options, shutdown, |handler| handler)
    }
}

impl<H: ServerHandler> Endpoint<H> {
    /// Serves `service` through handlers that `wrap` puts around ours, on the same stack. Must be
    /// called within a runtime.
    #[must_use]
    pub fn wrapping(
        service: &Service,
        options: &EndpointOptions,
        shutdown: &Shutdown,
        wrap: impl Fn(Handler) -> H + Send + Sync + 'static,
    ) -> Self {
        let cut_off = shutdown.cancel_token().clone();
        let sessions = Arc::new(Sessions::new(
            service.clone(),
            options.max_sessions,
            options.session_config(),
            cut_off,
        ));
        close_with(shutdown.clone(), &sessions);
        let handler = Handler::for_http(service.clone(), sessions.clone());
        let rmcp = StreamableHttpService::new(
            move || Ok(wrap(handler.clone())),
            sessions.clone(),
            options.http_config(shutdown),
        );
        Self { rmcp, sessions }
    }

    async fn answer<B>(self, mut request: Request<B>) -> Reply
    where
        B: http_body::Body + Send + 'static,
        B::Error: Display,
    {
        let Some(principal) = request.extensions().get::<Principal>().cloned() else {
            tracing::error!("BUG: a request came to MCP without a principal");
            return refusal(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the request has no principal",
            );
        };
        if is_modern(request.headers()) {
            request.headers_mut().remove(SESSION_HEADER);
        } else if let Some(id) = session_id(request.headers())
            && self.sessions.find(id, &principal).is_none()
        {
            return refusal(
                StatusCode::NOT_FOUND,
                "session not found: initialize a new one",
            );
        }
        let deletes = request.method() == Method::DELETE;
        let arrival = Arrival::of(principal);
        let mut reply = arrival.serve(self.rmcp.handle(request)).await;
        if arrival.was_refused() {
            return no_room();
        }
        if deletes && reply.status() == StatusCode::ACCEPTED {
            // It is done, not merely accepted; some clients report anything else as a failure.
            *reply.status_mut() = StatusCode::NO_CONTENT;
        }
        reply
    }
}

/// rmcp ends response streams by itself, but not the sessions behind them.
fn close_with(shutdown: Shutdown, sessions: &Arc<Sessions>) {
    let sessions = Arc::downgrade(sessions);
    tokio::spawn(async move {
        shutdown.cancelled().await;
        if let Some(sessions) = sessions.upgrade() {
            sessions.close_all().await;
        }
    });
}

/// Whether a request speaks a revision without sessions. The header decides: rmcp refuses a body
/// that contradicts it. Revisions are dates and compare as text.
fn is_modern(headers: &HeaderMap) -> bool {
    headers
        .get("mcp-protocol-version")
        .and_then(|version| version.to_str().ok())
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str())
}

fn no_room() -> Reply {
    let detail = "too many sessions are open: close one with DELETE, or retry later";
    let mut reply = refusal(StatusCode::SERVICE_UNAVAILABLE, detail);
    let seconds = HeaderValue::from_static(RETRY_SECONDS);
    reply.headers_mut().insert(RETRY_AFTER, seconds);
    reply
}

/// A refusal in the form that MCP clients show: a JSON-RPC error that answers no request.
fn refusal(status: StatusCode, message: &str) -> Reply {
    let body = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32000, "message": message},
    });
    let mut reply = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *reply.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    reply.headers_mut().insert(CONTENT_TYPE, json);
    reply
}

impl<B, H> tower::Service<Request<B>> for Endpoint<H>
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Display,
    H: ServerHandler,
{
    type Response = Reply;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Reply, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let endpoint = self.clone();
        Box::pin(async move { Ok(endpoint.answer(request).await) })
    }
}
