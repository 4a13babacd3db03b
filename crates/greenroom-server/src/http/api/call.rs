//! From a tool's answer to JSON or a problem.

use std::panic::AssertUnwindSafe;

use axum::http::StatusCode;
use futures::FutureExt;
use serde_json::{Map, Value};

use crate::http::problem::Problem;
use crate::identity::{Caller, Principal};
use crate::service::{Answer, Refused, Service, UnknownTool};

/// How a failure begins in the text for models.
const ERROR_HEADING: &str = "### Error\n";
/// How the line begins that tells models what is in the metadata.
const CLOSING_LINE: &str = "[greenroom] ";

/// Calls a tool. Plain HTTP has no lasting connection, so only a session ties two calls together.
pub(super) async fn call(
    service: &Service,
    principal: Principal,
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<Answer, Problem> {
    let caller = Caller {
        principal,
        connection: None,
    };
    let calling = service.call(&caller, tool, arguments, None);
    match AssertUnwindSafe(calling).catch_unwind().await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(unknown)) => Err(unknown_tool(&unknown)),
        // Without this the connection would just end, and nobody would know why.
        Err(_) => {
            tracing::error!(tool, "the call panicked");
            let detail = "internal error: the call broke off and its outcome is unknown. Take a \
                          snapshot to see where the page stands, then decide whether to repeat it.";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
        }
    }
}

/// Calls one of Greenroom's own tools, whose whole answer is data.
pub(super) async fn data(
    service: &Service,
    principal: Principal,
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<Value, Problem> {
    let mut answer = call(service, principal, tool, arguments).await?;
    if answer.is_error {
        let kind = answer.refused.unwrap_or(Refused::Failed);
        return Err(Problem::refused(kind, text(&answer)).with_ref_id(answer.ref_id()));
    }
    let data = answer.data.take().or(answer.structured.take());
    data.ok_or_else(|| {
        tracing::error!(tool, "BUG: the tool answered no data");
        let detail = format!("internal error: {tool} answered no data. Call it with POST /proxy.");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    })
}

/// What an answer says in words, without what is told elsewhere.
pub(super) fn text(answer: &Answer) -> String {
    let blocks = answer.content.iter();
    let texts = blocks.filter_map(|block| block["text"].as_str());
    let own = texts.filter(|text| !text.starts_with(CLOSING_LINE));
    let own: Vec<_> = own
        .map(|text| text.strip_prefix(ERROR_HEADING).unwrap_or(text))
        .collect();
    own.join("\n")
}

fn unknown_tool(unknown: &UnknownTool) -> Problem {
    let hint = match &unknown.nearest {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => "GET /openapi.json names those that exist".to_owned(),
    };
    Problem::invalid(format!("unknown tool '{}': {hint}", unknown.name))
}
