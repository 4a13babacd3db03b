//! `GET /openapi.json`: what is served here, for programs and for those who write them.
//!
//! The operations come from the routes. The schemas come from two places: the types of this edge,
//! and the tools, whose own schemas are repeated as `<tool>.arguments` and `<tool>.answer`. They
//! are taken from the service at each request, because an upstream may bring tools of its own.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::{HttpMethod, Operation, Paths};
use utoipa::openapi::schema::ComponentsBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, OpenApiBuilder, Ref, SecurityRequirement};

use super::blobs::{Blob, Blobs};
use super::content::{self, Console, Content, Kind, Message};
use super::describe::Describe;
use super::proxy::{OutcomeWord, ProxyAnswer, ProxyCall, ResponseMetadata, Status};
use super::response::problem;
use super::status::{Health, Readiness};
use super::{Route, sessions, status};
use crate::http::problem::Written;
use crate::service::{Service, ToolView};

const PATH: &str = "/openapi.json";
/// The one route that needs no token.
const OPEN: &str = "/health";
const BEARER: &str = "bearer";
/// The schema of the document itself: not repeated in it.
const DOCUMENT: &str = "Document";
/// The tools whose schemas the routes name.
const DESCRIBED: [&str; 4] = [
    sessions::CREATE,
    sessions::LIST,
    sessions::CLOSE,
    status::TOOL,
];

/// The route of the document about `others` and itself.
pub(super) fn route(others: &[Route], wants_tokens: bool) -> Route {
    let (takes, own) = Describe::new("openapi", "status", "This document")
        .answers(200, "OpenAPI 3.1.", Ref::from_schema_name(DOCUMENT))
        .done();
    let others = others
        .iter()
        .map(|route| (route.path, &route.method, &route.operation));
    let mut paths = Paths::new();
    for (path, method, operation) in others.chain([(PATH, &HttpMethod::Get, &own)]) {
        let operation = secured(path, operation.clone(), wants_tokens);
        paths.add_path_operation(path, vec![method.clone()], operation);
    }
    let document = Arc::new(document(paths));
    let serve = move |State(service): State<Service>| {
        let document = with_tools(&document, &service.tools());
        std::future::ready(Json(document))
    };
    Route {
        path: PATH,
        method: HttpMethod::Get,
        handler: get(serve),
        takes,
        operation: own,
    }
}

/// Whoever needs a token may lack it.
fn secured(path: &str, mut operation: Operation, wants_tokens: bool) -> Operation {
    if path == OPEN {
        return operation;
    }
    let refused = problem(401).into();
    let responses = &mut operation.responses.responses;
    responses.insert("401".to_owned(), refused);
    let token = SecurityRequirement::new(BEARER, Vec::<String>::new());
    // Where no tokens are configured, none is as good as one.
    let none = (!wants_tokens).then(SecurityRequirement::default);
    operation.security = Some(none.into_iter().chain([token]).collect());
    operation
}

fn document(paths: Paths) -> Value {
    let info = InfoBuilder::new()
        .title("Greenroom")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Browsers in named pools, for any program."));
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("One of the configured AUTH_TOKENS."));
    let components = ComponentsBuilder::new()
        .schema_from::<Written<'_>>()
        .schema_from::<Health>()
        .schema_from::<Readiness>()
        .schema_from::<ProxyCall>()
        .schema_from::<ProxyAnswer>()
        .schema_from::<ResponseMetadata>()
        .schema_from::<Status>()
        .schema_from::<OutcomeWord>()
        .schema_from::<Content>()
        .schema_from::<Kind>()
        .schema_from::<Console>()
        .schema_from::<Message>()
        .schema_from::<Blob>()
        .schema_from::<Blobs>()
        .security_scheme(BEARER, SecurityScheme::Http(token.build()));
    let document = OpenApiBuilder::new()
        .info(info.build())
        .paths(paths)
        .components(Some(components.build()))
        .build();
    let mut document = serde_json::to_value(document).expect("BUG: the document is JSON");
    document["components"]["schemas"][DOCUMENT] = json!({"type": "object"});
    document
}

/// The document with what the tools of this server take and answer.
fn with_tools(document: &Value, tools: &[ToolView]) -> Value {
    let mut document = document.clone();
    let schemas = &mut document["components"]["schemas"];
    for tool in DESCRIBED {
        // What a route names must be there, even if this server does not describe the tool.
        for part in ["arguments", "answer"] {
            schemas[format!("{tool}.{part}")] = json!({"type": "object"});
        }
    }
    for tool in tools {
        schemas[format!("{}.arguments", tool.name)] = tool.input_schema.as_ref().clone().into();
        if let Some(answer) = &tool.output_schema {
            schemas[format!("{}.answer", tool.name)] = answer.as_ref().clone().into();
        }
    }
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    schemas["ProxyCall"]["properties"]["tool"]["enum"] = json!(names);
    for (path, name) in content::TOOLS {
        let parameters = document["paths"][path]["get"]["parameters"].as_array_mut();
        let tool = tools.iter().find(|tool| tool.name == name);
        if let (Some(parameters), Some(tool)) = (parameters, tool) {
            parameters.extend(query_parameters(tool));
        }
    }
    document
}

/// The arguments of a tool as parameters of a query, but for the one in the path.
fn query_parameters(tool: &ToolView) -> impl Iterator<Item = Value> {
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let arguments = properties.into_iter().flat_map(Map::iter);
    let in_query = arguments.filter(|(name, _)| *name != content::REF_ID);
    in_query.map(|(name, schema)| {
        let mut parameter =
            json!({"name": name, "in": "query", "required": false, "schema": schema});
        // Few arguments are described in words: most names say it.
        if let Some(description) = schema.get("description") {
            parameter["description"] = description.clone();
        }
        parameter
    })
}
