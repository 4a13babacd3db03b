//! What is told about a call that ran.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::api::call;
use crate::service::{Answer, Metadata};

/// What is known about the response of a call.
#[derive(Serialize, ToSchema)]
pub(in crate::http::api) struct ProxyAnswer {
    /// By what name the response is read again; null for tools that leave none.
    ref_id: Option<String>,
    /// Whether the tool did what it was asked.
    #[schema(value_type = Status)]
    status: &'static str,
    /// About the recorded response; null where there is none.
    metadata: Option<ResponseMetadata>,
    /// The session that the call ran in.
    session_id: Option<String>,
    /// `unknown`: the browser was lost in mid-call and nobody can tell what happened.
    #[schema(value_type = OutcomeWord)]
    outcome: &'static str,
    /// Whether the response can be read again. If not, `content` is all there is of it.
    persisted: bool,
    /// Whether the session had an earlier state that is gone: the call began on a blank page.
    state_lost: bool,
    /// Files that came with the answer, as MCP links to resources; GET /blobs has their bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<Value>,
    /// The answer itself, where it could not be stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    content: Option<String>,
    /// What went wrong, when the status says error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    /// The whole answer of tools that answer data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    data: Option<Value>,
}

/// Whether a tool did what it was asked.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "the words of a schema")]
pub(in crate::http::api) enum Status {
    Success,
    Error,
}

/// How a call ended.
#[derive(ToSchema)]
#[schema(as = Outcome, rename_all = "lowercase")]
#[expect(dead_code, reason = "the words of a schema")]
pub(in crate::http::api) enum OutcomeWord {
    Success,
    Error,
    Unknown,
}

/// What is known about a response without reading it.
#[derive(Serialize, ToSchema)]
#[schema(as = Metadata)]
pub(in crate::http::api) struct ResponseMetadata {
    /// What was called.
    tool: String,
    /// How it went.
    #[schema(value_type = Status)]
    status: &'static str,
    /// Whether there is a page to read with GET /content.
    has_snapshot: bool,
    /// Whether there are messages to read with GET /console.
    has_console_logs: bool,
    /// How many of those are errors.
    console_error_count: u64,
    /// Bytes of what can be read again: of the page, else of the text.
    bytes: u64,
    /// Where the page is.
    url: Option<String>,
    /// What it is called.
    title: Option<String>,
}

impl From<Metadata> for ResponseMetadata {
    fn from(known: Metadata) -> Self {
        Self {
            tool: known.tool,
            status: known.status,
            has_snapshot: known.has_snapshot,
            has_console_logs: known.has_console_logs,
            console_error_count: known.console_error_count,
            bytes: known.bytes,
            url: known.url,
            title: known.title,
        }
    }
}

impl From<Answer> for ProxyAnswer {
    fn from(answer: Answer) -> Self {
        let ref_id = answer.ref_id().map(str::to_owned);
        let persisted = answer.is_persisted();
        Self {
            persisted,
            state_lost: answer.state_lost(),
            content: (!persisted).then(|| answer.text()),
            ref_id,
            status: if answer.is_error { "error" } else { "success" },
            session_id: answer.session_id().map(str::to_owned),
            outcome: answer.outcome.as_str(),
            error: answer.is_error.then(|| call::text(&answer)),
            attachments: answer.attachments,
            metadata: answer.metadata.map(Into::into),
            data: answer.structured.or(answer.data),
        }
    }
}
