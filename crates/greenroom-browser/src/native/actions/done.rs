//! What an action gives.

use crate::call::{Content, ReplyFile};

use crate::native::error::CdpError;
use crate::native::input::Halt;
use crate::native::page::{Page, ToolError};

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
    /// Something that is one line of code, and that no dialog can come in between of.
    pub(super) fn ran(line: String) -> Self {
        Self {
            code: vec![line],
            ..Self::default()
        }
    }

    /// Something that is one line of code, and is about to be done on a page.
    pub(super) fn begin(page: &Page, line: String) -> Self {
        Self::begin_all(page, vec![line])
    }

    /// Something that is several lines of code, and is about to be done on a page. The page keeps
    /// them, because a dialog may end the call before it is known what came of them.
    pub(super) fn begin_all(page: &Page, code: Vec<String>) -> Self {
        page.about_to(&code);
        Self {
            code,
            ..Self::default()
        }
    }
}

/// A dialog ends an action and does not fail it; nor does a page that closes by it.
pub(super) fn unless_failed(input: Result<(), Halt>) -> Result<(), ToolError> {
    match input {
        Ok(()) | Err(Halt::Dialog | Halt::Failed(CdpError::Detached { sent: true, .. })) => Ok(()),
        Err(Halt::Failed(error)) => Err(error.into()),
    }
}
