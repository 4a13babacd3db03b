//! `POST /proxy`: any tool, called as over MCP and answered with what is known about its response.
//!
//! The content of the response stays where it is recorded and is read with `GET /content`. A call
//! that did not run is a problem; one that ran and failed is an answer, because its response was
//! recorded like any other and its effect on the page is real.

mod answer;

use axum::Json;
use axum::extract::{Extension, State};
use axum::routing::post;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::path::HttpMethod;

use super::describe::Describe;
use super::response::{follow, json, schema_of};
use super::{Route, call};
use crate::http::body::JsonBody;
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::{Refused, Service};
pub(super) use answer::{OutcomeWord, ProxyAnswer, ResponseMetadata, Status};

/// The session of callers that name neither a session nor a browser.
const DEFAULT_SESSION: &str = "default";

pub(super) fn routes() -> [Route; 1] {
    let calling = Describe::new("callTool", "tools", "Call a tool")
        .explain(
            "Without session_id, browser tools run in your session `default`, unless params name \
             a browser_instance. Read the response with GET /content/{ref_id}.",
        )
        .takes(schema_of::<ProxyCall>())
        .response(
            200,
            json("The call ran.", schema_of::<ProxyAnswer>())
                .link("content", follow("readContent", "ref_id", "ref_id"))
                .link("console", follow("readConsole", "ref_id", "ref_id")),
        )
        .refuses(&[404, 409, 429, 500, 503]);
    [Route::new(HttpMethod::Post, "/proxy", post(proxy), calling)]
}

/// A tool to call.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProxyCall {
    /// The session to run in.
    #[schema(pattern = "^[!-~]{1,128}$")]
    session_id: Option<String>,
    /// Which tool.
    tool: String,
    /// Its arguments: the schema `<tool>.arguments` of this document says which.
    params: Option<Map<String, Value>>,
}

impl ProxyCall {
    /// The arguments with the session in its place.
    fn arguments(self, service: &Service) -> Result<(String, Map<String, Value>), Problem> {
        let mut arguments = self.params.unwrap_or_default();
        let says = |arguments: &Map<String, Value>, name: &str| {
            arguments.get(name).is_some_and(|value| !value.is_null())
        };
        let session = match self.session_id {
            Some(outer) if says(&arguments, "session_id") && arguments["session_id"] != *outer => {
                let detail = "session_id and params.session_id differ: send one of them";
                return Err(Problem::invalid(detail));
            }
            Some(outer) => Some(outer),
            None if says(&arguments, "session_id") || says(&arguments, "browser_instance") => None,
            None => runs_in_a_browser(service, &self.tool).then(|| DEFAULT_SESSION.to_owned()),
        };
        if let Some(session) = session {
            arguments.insert("session_id".to_owned(), Value::String(session));
        }
        Ok((self.tool, arguments))
    }
}

/// Whether a tool can be told in which browser to run.
fn runs_in_a_browser(service: &Service, tool: &str) -> bool {
    let tools = service.tools();
    let found = tools.iter().find(|view| view.name == tool);
    let properties = found.and_then(|view| view.input_schema.get("properties"));
    properties.is_some_and(|properties| properties.get("browser_instance").is_some())
}

async fn proxy(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    JsonBody(asked): JsonBody<ProxyCall>,
) -> Result<Json<ProxyAnswer>, Problem> {
    let (tool, arguments) = asked.arguments(&service)?;
    let answer = call::call(&service, principal, &tool, arguments).await?;
    match answer.refused {
        // These ran.
        None | Some(Refused::TimedOut | Refused::Failed) => Ok(Json(answer.into())),
        Some(kind) => Err(Problem::refused(kind, call::text(&answer)).with_ref_id(answer.ref_id())),
    }
}
