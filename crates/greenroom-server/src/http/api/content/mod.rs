//! What a call left behind, read again: its page and its console.
//!
//! The parameters are those of the tools `get_content` and `get_console_content`, and so are their
//! meaning and their bounds: a query is nothing but their arguments as text.

mod schema;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::routing::get;
use serde_json::{Map, Value};
use utoipa::openapi::Type;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat};

use super::describe::Describe;
use super::name::Name;
use super::response::schema_of;
use super::{Route, call};
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::Service;
pub(super) use schema::{Console, Content, Kind, Message};

const CONTENT: &str = "get_content";
const CONSOLE: &str = "get_console_content";
const CONTENT_PATH: &str = "/content/{ref_id}";
const CONSOLE_PATH: &str = "/console/{ref_id}";
/// The tool behind each route.
pub(super) const TOOLS: [(&str, &str); 2] = [(CONTENT_PATH, CONTENT), (CONSOLE_PATH, CONSOLE)];
/// The argument that is in the path.
pub(super) const REF_ID: &str = "ref_id";

type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

pub(super) fn routes() -> [Route; 2] {
    let content = Describe::new("readContent", "content", "The page after a call")
        .explain(
            "A first read gives everything; later reads give what changed since, or nothing. \
             Reads with offset, limit, search_for or query do not count as reads.",
        )
        .path(REF_ID, "The response.", ref_id_schema())
        .answers(
            200,
            "The page, or what was asked of it.",
            schema_of::<Content>(),
        )
        .refuses(&[404, 409, 413, 429, 500, 503]);
    let console = Describe::new("readConsole", "content", "The console after a call")
        .path(REF_ID, "The response.", ref_id_schema())
        .answers(200, "Its messages.", schema_of::<Console>())
        .refuses(&[404, 413, 429, 500, 503]);
    [
        Route::new(HttpMethod::Get, CONTENT_PATH, get(self::content), content),
        Route::new(HttpMethod::Get, CONSOLE_PATH, get(self::console), console),
    ]
}

fn ref_id_schema() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::Custom("uuid".to_owned())))
}

async fn content(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    Name(ref_id): Name,
    query: Pairs,
) -> Result<Json<Value>, Problem> {
    read(&service, principal, CONTENT, ref_id, query).await
}

async fn console(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    Name(ref_id): Name,
    query: Pairs,
) -> Result<Json<Value>, Problem> {
    read(&service, principal, CONSOLE, ref_id, query).await
}

async fn read(
    service: &Service,
    principal: Principal,
    tool: &str,
    ref_id: String,
    query: Pairs,
) -> Result<Json<Value>, Problem> {
    let Query(pairs) = query.map_err(|rejection| Problem::invalid(rejection.body_text()))?;
    let mut arguments = arguments(pairs, &parameters(service, tool))?;
    arguments.insert(REF_ID.to_owned(), Value::String(ref_id));
    let data = call::data(service, principal, tool, arguments).await?;
    Ok(Json(data))
}

/// The parameters that a query may hold.
fn parameters(service: &Service, tool: &str) -> Vec<String> {
    let tools = service.tools();
    let found = tools.iter().find(|view| view.name == tool);
    let properties = found.and_then(|view| view.input_schema.get("properties")?.as_object());
    let names = properties.into_iter().flat_map(Map::keys);
    names.filter(|name| *name != REF_ID).cloned().collect()
}

/// A query as arguments. They stay text: the tools take numbers and truth values in quotes.
fn arguments(
    pairs: Vec<(String, String)>,
    known: &[String],
) -> Result<Map<String, Value>, Problem> {
    let mut arguments = Map::new();
    for (name, value) in pairs {
        if !known.contains(&name) {
            let known = known.join(", ");
            let detail = format!("unknown parameter '{name}': the parameters are {known}");
            return Err(Problem::invalid(detail));
        }
        if arguments.contains_key(&name) {
            let detail = format!("'{name}' comes twice: send it once");
            return Err(Problem::invalid(detail));
        }
        arguments.insert(name, Value::String(value));
    }
    Ok(arguments)
}
