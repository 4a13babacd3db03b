use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Content;

/// What an engine answered to a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// What the caller is shown: complete in itself, without links to the engine's own files.
    pub content: Vec<Content>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// Structured content, if the engine gave any.
    pub structured: Option<Value>,
    /// The result's `_meta`.
    pub meta: Option<Map<String, Value>>,
    /// The exact bytes of the engine's result, for the store.
    pub raw: Bytes,
    /// The page's snapshot, without its fences.
    pub snapshot: Option<String>,
    /// Console messages that are new since the reply before.
    pub console: Vec<ConsoleEntry>,
    /// Where the page stands, when the reply says so.
    pub page: Option<PageInfo>,
    /// All tabs, when the reply lists them.
    pub tabs: Vec<TabInfo>,
    /// Why the page is blocked (an open dialog, a file chooser), in the engine's words.
    pub modal: Option<String>,
    /// Files that the call made: screenshots, PDFs, downloads, results saved under a name.
    pub files: Vec<ReplyFile>,
}

impl Reply {
    /// Whether the tool failed because the engine itself waited in vain, for an element or for the
    /// browser: nothing says then that the browser answers at all.
    pub fn timed_out(&self) -> bool {
        let says_so = |text: &str| {
            let waited = text.split_once("Timeout ").map(|(_, rest)| rest);
            text.contains("TimeoutError") || waited.is_some_and(|rest| rest.contains("exceeded"))
        };
        self.is_error
            && self
                .content
                .iter()
                .filter_map(Content::as_text)
                .any(says_so)
    }
}

/// Where a page stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageInfo {
    /// Its address.
    pub url: String,
    /// Its title; empty when it has none.
    pub title: String,
    /// The HTTP status of its document, given only when it is not a success.
    pub http_status: Option<u16>,
    /// Whether its renderer crashed.
    pub crashed: bool,
    /// Errors on its console since the last navigation.
    pub console_errors: u64,
    /// Warnings on its console since the last navigation.
    pub console_warnings: u64,
}

/// One tab of a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabInfo {
    /// Its place in the list, from 0.
    pub index: usize,
    /// Whether tools act on it.
    pub current: bool,
    /// The title of its page.
    pub title: String,
    /// The address of its page.
    pub url: String,
    /// Whether its renderer crashed.
    pub crashed: bool,
}

/// How grave a console message is, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsoleLevel {
    /// `console.error`, a failed assertion, an exception that nobody caught.
    Error,
    /// `console.warn`.
    Warning,
    /// `console.log`, `console.info` and their kin.
    Info,
    /// `console.debug` and `console.trace`.
    Debug,
}

/// One message of a page's console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleEntry {
    /// How grave it is.
    pub level: ConsoleLevel,
    /// What it says; may span lines.
    pub text: String,
    /// The script and line that said it, where known.
    pub location: Option<String>,
}

/// A file that a call made. It has left the engine's directory: these bytes are all there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyFile {
    /// What it is, in the engine's words (`Screenshot of viewport`).
    pub title: String,
    /// Its name without directories.
    pub name: String,
    /// Its media type, judged by its name.
    pub mime_type: &'static str,
    /// Its contents.
    pub bytes: Bytes,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_failure_in_the_words_of_a_timeout_is_one() {
        let table = [
            (
                true,
                "### Error\nTimeoutError: page.goto: Timeout 900ms exceeded.",
                true,
            ),
            (
                true,
                "### Error\nError: locator.click: Timeout 5000ms exceeded.",
                true,
            ),
            (true, "### Error\nError: Ref e7 not found", false),
            (true, "### Error\nError: the budget was exceeded", false),
            (
                false,
                "### Result\nTimeoutError: Timeout 5000ms exceeded.",
                false,
            ),
        ];
        for (is_error, text, expected) in table {
            let content = serde_json::from_value(json!({"type": "text", "text": text})).unwrap();
            let reply = Reply {
                is_error,
                content: vec![content],
                ..Reply::default()
            };
            assert_eq!(reply.timed_out(), expected, "{text}");
        }
    }
}
