//! Whether the server runs, whether it can work, and with what.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::Type;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::ObjectBuilder;

use super::describe::Describe;
use super::response::{answer_of, schema_of};
use super::{Api, Route};
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::Service;

/// The tool that answers the same as `/pools`.
pub(super) const TOOL: &str = "browser_pool_status";

pub(super) fn routes() -> [Route; 3] {
    let health = Describe::new("health", "status", "Whether the server runs")
        .explain("Needs no token, so that a watchdog can ask.")
        .answers(200, "It runs.", schema_of::<Health>());
    let ready = Describe::new("ready", "status", "Whether calls can be served at once")
        .answers(
            200,
            "The default pool has a healthy browser.",
            schema_of::<Readiness>(),
        )
        .answers(503, "It has none.", schema_of::<Readiness>());
    let name = ObjectBuilder::new().schema_type(Type::String);
    let pools = Describe::new(
        "pools",
        "status",
        "The state of the pools and their browsers",
    )
    .query("pool_name", "Only this pool.", name)
    .answers(200, "Pool by pool.", answer_of(TOOL))
    .refuses(&[404]);
    [
        Route::new(HttpMethod::Get, "/health", get(self::health), health),
        Route::new(HttpMethod::Get, "/ready", get(self::ready), ready),
        Route::new(HttpMethod::Get, "/pools", get(self::pools), pools),
    ]
}

/// The server runs.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// Always `ok`: a server that does not run does not answer.
    status: &'static str,
    /// Its version.
    version: &'static str,
}

/// Whether calls can be served at once, with how many healthy browsers each pool has.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "the service gives this as JSON; here it is described"
)]
pub(super) struct Readiness {
    /// Whether the default pool has a healthy browser.
    ready: bool,
}

async fn health() -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    })
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
    State(Api { service, .. }): State<Api>,
    Extension(principal): Extension<Principal>,
    query: Result<Query<PoolsQuery>, QueryRejection>,
) -> Result<Json<Value>, Problem> {
    let Query(query) = query.map_err(|rejection| {
        let text = rejection.body_text();
        Problem::invalid(format!("{text}: the one parameter is pool_name"))
    })?;
    service
        .status(&principal, query.pool_name.as_deref())
        .map(Json)
        .map_err(|message| Problem::new(StatusCode::NOT_FOUND, message))
}
