//! What an action gives.

use crate::call::{Content, ReplyFile};

use crate::native::input::Halt;
use crate::native::page::ToolError;

/// What was done, for the answer.
#[derive(Debug, Default)]
pub struct Done {
    /// Lines of Playwright code.
    pub code: Vec<String>,
    /// What the tool is asked for, if it is asked for something.
    pub result: Option<String>,
    /// Pictures and the like.
    pub content: Vec<Content>,
    /// Files that were made.
    pub files: Vec<ReplyFile>,
}

impl Done {
    /// Something that is one line of code.
    pub(super) fn ran(line: String) -> Self {
        Self {
            code: vec![line],
            ..Self::default()
        }
    }
}

/// A dialog ends an action and does not fail it.
pub(super) fn unless_failed(input: Result<(), Halt>) -> Result<(), ToolError> {
    match input {
        Ok(()) | Err(Halt::Dialog) => Ok(()),
        Err(Halt::Failed(error)) => Err(error.into()),
    }
}
