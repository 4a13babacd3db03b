//! Something that happened in the browser, not yet read.

use std::fmt;

use bytes::Bytes;

use crate::json;
use crate::native::protocol;

/// An event of one session. What it carries is read only by whoever wants it; clones share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    method: Bytes,
    params: Bytes,
}

impl Event {
    pub(super) fn new(method: Bytes, params: Bytes) -> Self {
        Self { method, params }
    }

    /// Its name, such as `Page.frameNavigated`.
    pub fn method(&self) -> &str {
        std::str::from_utf8(&self.method).unwrap_or_default()
    }

    /// What it carries, as JSON text.
    pub fn params(&self) -> &Bytes {
        &self.params
    }

    /// The event as a typed one, if it is of that type. One that cannot be read is as good as
    /// another type: a newer browser may have changed it, and no caller could do more about it.
    pub fn read<E: protocol::Event>(&self) -> Option<E> {
        if self.method != E::METHOD.as_bytes() {
            return None;
        }
        match json::decode(&self.params) {
            Ok(event) => Some(event),
            Err(error) => {
                tracing::warn!(method = self.method(), %error, "an event is not as expected");
                None
            }
        }
    }

    /// What it costs to keep.
    pub(super) fn cost(&self) -> usize {
        // Both parts are slices of one message; the rest of it is small.
        self.method.len() + self.params.len() + OVERHEAD
    }

    /// Whether whoever follows the page can do without it: the news of consoles and networks, of
    /// which a page can make any amount. All others change what the page is.
    pub(super) fn is_chatter(&self) -> bool {
        let method = self.method();
        CHATTER.iter().any(|start| method.starts_with(start))
    }
}

/// The bookkeeping of one event in a queue, roughly.
const OVERHEAD: usize = 128;

const CHATTER: &[&str] = &[
    "Network.",
    "Log.",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Runtime.exceptionRevoked",
    "DOM.",
    "CSS.",
    "Page.screencast",
];

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 300;
        let params = &self.params[..self.params.len().min(SHOWN)];
        write!(f, "{} {}", self.method(), String::from_utf8_lossy(params))
    }
}
