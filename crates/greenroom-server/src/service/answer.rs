//! What a call answers, in the terms of MCP but without its library.

use std::sync::Arc;

use greenroom_browser::call::Reply;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Refused;

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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    #[default]
    Success,
    /// It failed.
    Error,
    /// An action whose browser died: nobody can tell.
    Unknown,
}

impl Outcome {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
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
    /// The answer as data where models are given text only: for edges that speak JSON.
    pub data: Option<Value>,
    /// Why Greenroom itself said no, if it did.
    pub refused: Option<Refused>,
    /// How the call ended.
    pub outcome: Outcome,
    /// What is known about the recorded response, if it was recorded.
    pub metadata: Option<Metadata>,
    /// Links to the files that came with it.
    pub attachments: Vec<Value>,
    /// `greenroom/…` facts about the call, and what the engine said beside its content.
    pub meta: Map<String, Value>,
}

impl Answer {
    /// What an engine said.
    pub(crate) fn from_reply(reply: &mut Reply) -> Self {
        Self {
            is_error: reply.is_error,
            structured: reply.structured.take(),
            meta: reply.meta.take().unwrap_or_default(),
            content: reply.content.drain(..).map(Value::from).collect(),
            outcome: if reply.is_error {
                Outcome::Error
            } else {
                Outcome::Success
            },
            ..Self::default()
        }
    }

    /// Data as the whole answer: clients that read structured content drop the text, so the text is
    /// the same data.
    pub(crate) fn data(data: Value) -> Self {
        Self {
            content: vec![text_block(data.to_string())],
            structured: Some(data),
            ..Self::default()
        }
    }

    /// Text for a model, and the same as data for programs.
    pub(crate) fn read(text: impl Into<String>, data: Value) -> Self {
        Self {
            content: vec![text_block(text)],
            data: Some(data),
            ..Self::default()
        }
    }

    /// Greenroom's own no.
    pub(crate) fn refused(error: &str, why: Refused, outcome: Outcome) -> Self {
        Self {
            content: vec![text_block(format!("### Error\n{error}"))],
            is_error: true,
            refused: Some(why),
            outcome,
            ..Self::default()
        }
    }

    /// The name of the recorded response.
    pub fn ref_id(&self) -> Option<&str> {
        self.meta.get("greenroom/ref_id").and_then(Value::as_str)
    }

    /// The session that the call ran in.
    pub fn session_id(&self) -> Option<&str> {
        self.meta
            .get("greenroom/session_id")
            .and_then(Value::as_str)
    }

    /// Whether it can be read again, if it has a name.
    pub fn is_persisted(&self) -> bool {
        self.meta.get("greenroom/persisted") != Some(&Value::Bool(false))
    }

    /// Why what the caller left in its world is gone, if it is.
    pub fn state_lost(&self) -> bool {
        self.meta.get("greenroom/state_lost") == Some(&Value::Bool(true))
    }

    /// All its text.
    pub fn text(&self) -> String {
        let texts = self
            .content
            .iter()
            .filter_map(|block| block["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Tells the agent first that what it remembers of its page is no longer true.
    pub(crate) fn note_lost_state(&mut self, what: &str) {
        self.meta
            .insert("greenroom/state_lost".to_owned(), true.into());
        self.content.insert(
            0,
            text_block(format!(
                "Note: the earlier state {what}. This call began on a blank page."
            )),
        );
    }

    /// Says where the call ran, how it ended and by which name it can be read again: in `_meta`, and
    /// in one closing line for clients whose models do not see `_meta`.
    pub(crate) fn sign(&mut self, facts: &Facts<'_>) {
        let outcome = self.outcome.as_str();
        let texts = [
            ("ref_id", facts.ref_id),
            ("session_id", facts.session_id),
            ("outcome", Some(outcome)),
        ];
        let mut line = Vec::new();
        for (name, value) in texts {
            let Some(value) = value else { continue };
            self.meta.insert(format!("greenroom/{name}"), value.into());
            line.push(format!("{name}: {value}"));
        }
        if !facts.persisted {
            self.meta
                .insert("greenroom/persisted".to_owned(), false.into());
            line.push("persisted: false".to_owned());
        }
        // Data is the whole answer: a line beside it would make it two.
        if facts.closing_line {
            let line = format!("[greenroom] {}", line.join("; "));
            self.content.push(text_block(line));
        }
    }
}

/// What an answer says about its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) ref_id: Option<&'a str>,
    pub(crate) session_id: Option<&'a str>,
    /// Whether what can be read again by `ref_id` is on disk.
    pub(crate) persisted: bool,
    pub(crate) closing_line: bool,
}

/// What is known about a response without reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// What was called.
    pub tool: String,
    /// `success` or `error`.
    pub status: &'static str,
    /// Whether there is a page to read.
    pub has_snapshot: bool,
    /// Whether the page wrote to its console.
    pub has_console_logs: bool,
    /// How many of those messages are errors.
    pub console_error_count: u64,
    /// Bytes of what can be read again: of the page, else of the text.
    pub bytes: u64,
    /// Where the page is.
    pub url: Option<String>,
    /// What it is called.
    pub title: Option<String>,
}

pub(crate) fn text_block(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}
