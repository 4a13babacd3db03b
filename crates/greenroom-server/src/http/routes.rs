//! The routes, and what answers to none of them.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures::StreamExt;
use serde::Deserialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tower::Service as TowerService;

use super::body::{BodyLimits, read_body};
use super::guard::{Guard, guard};
use super::limits::Limits;
use super::problem::Problem;
use crate::identity::Principal;
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
        .layer(middleware::from_fn_with_state(
            shutdown.drain_token().clone(),
            end_listening,
        ));
    Router::new()
        .route("/health", get(health))
        .route("/ready", get(ready))
        .route("/pools", get(pools))
        .with_state(service)
        .merge(mcp)
        .fallback(no_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::new(gate), guard))
}

async fn health() -> Json<serde_json::Value> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}))
}

async fn ready(State(service): State<Service>) -> Response {
    let (ready, body) = service.readiness();
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(body)).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolsQuery {
    pool_name: Option<String>,
}

async fn pools(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    query: Result<Query<PoolsQuery>, QueryRejection>,
) -> Result<Json<serde_json::Value>, Problem> {
    let Query(query) = query.map_err(|rejection| {
        let detail = format!("{}: the one parameter is pool_name", rejection.body_text());
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
    service
        .status(&principal, query.pool_name.as_deref())
        .map(Json)
        .map_err(|message| Problem::new(StatusCode::NOT_FOUND, message))
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
