//! What a call answers, in the terms of MCP but without its library.

use std::sync::Arc;

use greenroom_browser::call::Reply;
use serde_json::{Map, Value, json};

/// One tool as clients see it.
#[derive(Debug, Clone)]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Arc<Map<String, Value>>,
    /// JSON Schema of its structured answer, where it has one.
    pub output_schema: Option<Arc<Map<String, Value>>>,
    /// MCP's hints about it.
    pub annotations: Value,
}

impl ToolView {
    /// A tool as an entry of MCP's `tools/list` describes it.
    pub(crate) fn from_entry(entry: &Map<String, Value>) -> Option<Self> {
        let schema = |name: &str| {
            entry
                .get(name)
                .and_then(Value::as_object)
                .cloned()
                .map(Arc::new)
        };
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            name: text("name")?,
            description: text("description").unwrap_or_default(),
            input_schema: schema("inputSchema")?,
            output_schema: schema("outputSchema"),
            annotations: entry.get("annotations").cloned().unwrap_or_default(),
        })
    }
}

/// A tool that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool {
    /// What was called.
    pub name: String,
    /// What may have been meant.
    pub nearest: Option<String>,
}

/// Tells the client that a long call is alive.
pub type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// One step of a long call.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Grows with each report.
    pub progress: f64,
    /// Where it ends, when that is known.
    pub total: Option<f64>,
    /// What is going on.
    pub message: String,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    Error,
    /// An action whose browser died: nobody can tell.
    Unknown,
}

impl Outcome {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

/// The answer to one call. Content blocks are kept as the JSON that MCP gives them, so that nothing
/// an engine says is lost on the way.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Text, images, links…
    pub content: Vec<Value>,
    /// Whether the agent should read it as a failure.
    pub is_error: bool,
    /// The whole answer as data, for tools that answer data.
    pub structured: Option<Value>,
    /// `greenroom/…` facts about the call.
    pub meta: Map<String, Value>,
}

impl Answer {
    /// What an engine said.
    pub(crate) fn from_reply(reply: Reply) -> Self {
        let outcome = if reply.is_error {
            Outcome::Error
        } else {
            Outcome::Success
        };
        let mut answer = Self {
            is_error: reply.is_error,
            structured: reply.structured,
            meta: reply.meta.unwrap_or_default(),
            content: reply.content.into_iter().map(Value::from).collect(),
        };
        answer.set_outcome(outcome);
        answer
    }

    /// Data as the whole answer: clients that read structured content drop the text, so the text is
    /// the same data.
    pub(crate) fn data(data: Value) -> Self {
        let mut answer = Self {
            content: vec![text(data.to_string())],
            structured: Some(data),
            ..Self::default()
        };
        answer.set_outcome(Outcome::Success);
        answer
    }

    /// Greenroom's own no.
    pub(crate) fn refused(error: &str, outcome: Outcome) -> Self {
        let mut answer = Self {
            content: vec![text(format!("### Error\n{error}"))],
            is_error: true,
            ..Self::default()
        };
        answer.set_outcome(outcome);
        answer
    }

    pub(crate) fn set_outcome(&mut self, outcome: Outcome) {
        self.meta
            .insert("greenroom/outcome".to_owned(), outcome.as_str().into());
    }

    fn outcome(&self) -> &str {
        self.meta
            .get("greenroom/outcome")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Tells the agent first that what it remembers of its page is no longer true.
    pub(crate) fn note_lost_state(&mut self, what: &str) {
        self.meta
            .insert("greenroom/state_lost".to_owned(), true.into());
        self.content.insert(
            0,
            text(format!(
                "Note: the earlier state {what}. This call began on a blank page."
            )),
        );
    }

    /// Says in which session the call ran, and closes the text with one line for clients whose
    /// models do not see `_meta`.
    pub(crate) fn sign(&mut self, session: Option<&str>) {
        if let Some(session) = session {
            self.meta
                .insert("greenroom/session_id".to_owned(), session.into());
        }
        let mut facts = Vec::new();
        if let Some(session) = session {
            facts.push(format!("session_id: {session}"));
        }
        facts.push(format!("outcome: {}", self.outcome()));
        self.content
            .push(text(format!("[greenroom] {}", facts.join("; "))));
    }
}

fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}
