//! The routes, and what answers to none of them.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use tower::Service as TowerService;

use super::api::{self, Api};
use super::body::{BodyLimits, read_body};
use super::content_type::json_only;
use super::guard::{Guard, guard};
use super::limits::Limits;
use super::problem::Problem;
use crate::service::Service;
use crate::shutdown::Shutdown;

/// Everything that Greenroom serves over HTTP, behind `gate`. `mcp` answers at `/mcp`.
pub fn router<M>(
    service: Service,
    mcp: M,
    gate: Guard,
    limits: &Limits,
    shutdown: &Shutdown,
) -> Router
where
    M: TowerService<Request, Error = Infallible> + Clone + Send + Sync + 'static,
    M::Response: IntoResponse,
    M::Future: Send + 'static,
{
    let body = BodyLimits {
        bytes: limits.body_bytes,
        time: limits.body_time,
    };
    let mcp = Router::new()
        .route_service("/mcp", mcp.clone())
        .route_service("/mcp/", mcp)
        .layer(middleware::from_fn_with_state(body, read_body))
        .layer(middleware::from_fn(json_only))
        .layer(middleware::from_fn_with_state(
            shutdown.drain_token().clone(),
            end_listening,
        ));
    api::router(Api { service, body }, gate.wants_tokens())
        .merge(mcp)
        .fallback(no_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::new(gate), guard))
}

async fn no_route(uri: Uri) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        format!("nothing is served at {}", uri.path()),
    )
}

async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let detail = format!(
        "{} does not answer to {method}: see the Allow header",
        uri.path()
    );
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}

/// Ends the streams on which clients only listen as soon as draining begins: they would never end
/// by themselves, while the answer to a request does.
async fn end_listening(
    State(draining): State<CancellationToken>,
    request: Request,
    next: Next,
) -> Response {
    let listens = request.method() == Method::GET;
    let response = next.run(request).await;
    if !listens {
        return response;
    }
    response.map(|body| {
        let events = body.into_data_stream();
        Body::from_stream(events.take_until(draining.cancelled_owned()))
    })
}
