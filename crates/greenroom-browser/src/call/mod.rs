//! One tool call and its reply, in words that belong to no transport and to no engine.
//!
//! Both engines take a [`Call`] and give a [`Reply`]; the server builds MCP and HTTP answers from
//! it and the store keeps it. Nothing of what an engine said is lost on the way: a reply carries
//! the exact bytes of the engine's result beside the parts that Greenroom understands.

mod content;
mod death;
mod error;
mod reply;

pub use content::Content;
pub use death::Death;
pub use error::{EngineError, Stage};
pub use reply::{ConsoleEntry, ConsoleLevel, PageInfo, Reply, ReplyFile, TabInfo};

use serde_json::{Map, Value};

/// A tool to run, with its arguments as the caller gave them (already validated).
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name of the tool, as both engines know it.
    pub tool: String,
    /// Its arguments, without those that chose the pool, the instance or the session.
    pub arguments: Map<String, Value>,
}

impl Call {
    /// A call of `tool` without arguments.
    pub fn new(tool: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            arguments: Map::new(),
        }
    }

    /// The same call with one more argument.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.into(), value.into());
        self
    }
}
