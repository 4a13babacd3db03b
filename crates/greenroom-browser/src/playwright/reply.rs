//! Turns the upstream's result into a reply that is complete in itself.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::ansi;
use super::files::OutputDir;
use super::rewrite::Rewriter;
use super::sections::Trust;
use crate::call::{Content, EngineError, Reply};
use crate::json::decode;

/// Tools whose result is the page's own text, unescaped: what follows it cannot be told from it.
const RAW_RESULTS: &[&str] = &[
    "browser_console_messages",
    "browser_network_",
    "browser_cookie_",
    "browser_localstorage_",
    "browser_sessionstorage_",
];

/// Reads the results of one upstream.
#[derive(Debug, Clone)]
pub struct ReplyReader {
    output: OutputDir,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawResult {
    #[serde(default)]
    content: Vec<Content>,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    structured_content: Option<Value>,
    #[serde(rename = "_meta", default)]
    meta: Option<Map<String, Value>>,
}

impl ReplyReader {
    /// A reader for an upstream that runs in, and writes to, this directory.
    pub fn new(output: OutputDir) -> Self {
        Self { output }
    }

    /// Reads the result of one call of `tool`, with the files that it links to. Blocks on files.
    pub fn read(&self, tool: &str, raw: Bytes) -> Result<Reply, EngineError> {
        let text = String::from_utf8_lossy(&raw);
        let result: RawResult = decode(text.as_bytes()).map_err(|error| EngineError::Protocol {
            detail: format!("the result of {tool} cannot be understood ({error})"),
        })?;
        drop(text);
        let trust = trust(tool, result.is_error);
        let mut rewriter = Rewriter::new(&self.output, tool, trust, &result.content);
        let content = result.content.into_iter().map(|content| match content {
            Content::Text { text, extra } => {
                let text = if result.is_error {
                    ansi::strip(&text)
                } else {
                    text.into()
                };
                let text = rewriter.rewrite(&text);
                Content::Text { text, extra }
            }
            other => other,
        });
        let content = content.collect();
        Ok(Reply {
            content,
            is_error: result.is_error,
            structured: result.structured_content,
            meta: result.meta,
            raw,
            ..rewriter.into_reply()
        })
    }
}

fn trust(tool: &str, is_error: bool) -> Trust {
    if is_error || RAW_RESULTS.iter().any(|raw| tool.starts_with(raw)) {
        Trust::Beginning
    } else {
        Trust::Whole
    }
}
