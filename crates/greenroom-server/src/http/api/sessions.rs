//! Sessions: open one, list them, close one. The tools of the same names do the work.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use serde_json::{Map, Value};
use utoipa::openapi::Type;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::{Object, ObjectBuilder};

use super::describe::Describe;
use super::name::Name;
use super::response::{answer_of, arguments_of, follow, json};
use super::{Route, call};
use crate::http::body::JsonBody;
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::Service;

pub(super) const CREATE: &str = "create_new_session";
pub(super) const LIST: &str = "list_sessions";
pub(super) const CLOSE: &str = "close_session";

pub(super) fn routes() -> [Route; 3] {
    let opening = Describe::new("createSession", "sessions", "Open an isolated session")
        .explain("The session_id of the answer is what POST /proxy takes.")
        .takes(arguments_of(CREATE))
        .response(
            201,
            json("It is open.", answer_of(CREATE))
                .link("close", follow("closeSession", "id", "session_id")),
        )
        .refuses(&[404, 409, 429, 500, 503]);
    let listing = Describe::new("listSessions", "sessions", "Your sessions and their states")
        .answers(200, "All of them.", answer_of(LIST))
        .refuses(&[500, 503]);
    let closing = Describe::new("closeSession", "sessions", "Close a session for good")
        .path("id", "Its session_id.", id_schema())
        .answers(200, "It is closed.", answer_of(CLOSE))
        .refuses(&[404, 409, 429, 500, 503]);
    [
        Route::new(HttpMethod::Post, "/sessions", post(open), opening),
        Route::new(HttpMethod::Get, "/sessions", get(list), listing),
        Route::new(HttpMethod::Delete, "/sessions/{id}", delete(close), closing),
    ]
}

/// What a session id looks like where nobody chose an unusual one.
pub(super) fn id_schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[!-~]{1,128}$"))
        .build()
}

async fn open(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    JsonBody(arguments): JsonBody<Map<String, Value>>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let opened = call::data(&service, principal, CREATE, arguments).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

async fn list(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
) -> Result<Json<Value>, Problem> {
    let listed = call::data(&service, principal, LIST, Map::new()).await?;
    Ok(Json(listed))
}

async fn close(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    Name(id): Name,
) -> Result<Json<Value>, Problem> {
    let arguments = Map::from_iter([("session_id".to_owned(), Value::String(id))]);
    let closed = call::data(&service, principal, CLOSE, arguments).await?;
    Ok(Json(closed))
}
