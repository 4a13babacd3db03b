//! An answer as a tool leaves it.

use crate::call::{Content, ReplyFile};
use bytes::Bytes;

use super::filename::base_name;
use crate::media_type::media_type;
use crate::native::actions::Done;
use crate::native::page::{SnapshotOptions, ToolError};

/// Whether the page is shown, and how much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Only where it stands, if that has changed.
    #[default]
    Nothing,
    /// All of it.
    Page,
    /// What was asked for.
    Part {
        /// Below this element.
        target: Option<String>,
        /// With these limits.
        options: SnapshotOptions,
        /// In a file of this name and not in the text.
        filename: Option<String>,
    },
}

/// An answer as a tool leaves it.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) errors: Vec<String>,
    pub(crate) results: Vec<String>,
    pub(crate) code: Vec<String>,
    pub(crate) content: Vec<Content>,
    pub(crate) files: Vec<ReplyFile>,
    pub(crate) shown: Shown,
    /// Whether the result is the list of tabs, which the reply then has as data too.
    pub(crate) lists_tabs: bool,
}

impl Answer {
    /// An answer that shows the page.
    pub(crate) fn showing() -> Self {
        Self {
            shown: Shown::Page,
            ..Self::default()
        }
    }

    /// The same answer without a look at the page.
    #[must_use]
    pub(crate) fn unseen(self) -> Self {
        Self {
            shown: Shown::Nothing,
            ..self
        }
    }

    /// An answer that is an error.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self {
            errors: vec![message.into()],
            ..Self::default()
        }
    }

    /// An answer that says why a tool failed.
    pub(crate) fn failed(error: &ToolError) -> Self {
        match error {
            // It says what kind of error it is itself.
            ToolError::Waited { .. } | ToolError::Threw { .. } => Self::error(error.to_string()),
            _ => Self::error(format!("Error: {error}")),
        }
    }

    /// Takes over what a call before has done: a dialog had ended the waiting for it.
    pub(super) fn preceded_by(&mut self, earlier: Self) {
        self.code.splice(0..0, earlier.code);
        self.results.splice(0..0, earlier.results);
        self.files.splice(0..0, earlier.files);
    }

    /// The same answer without so many lines of code, which were told before.
    #[must_use]
    pub(crate) fn without_first(mut self, told: usize) -> Self {
        self.code.drain(..told.min(self.code.len()));
        self
    }

    /// Adds a line of Playwright code.
    #[must_use]
    pub(crate) fn ran(mut self, code: impl Into<String>) -> Self {
        self.code.push(code.into());
        self
    }

    /// Adds what an action has done.
    #[must_use]
    pub(crate) fn with(mut self, done: Done) -> Self {
        self.code.extend(done.code);
        self.results.extend(done.result);
        self.content.extend(done.content);
        self.files.extend(done.files);
        self
    }

    /// Adds a result.
    #[must_use]
    pub(crate) fn result(mut self, text: impl Into<String>) -> Self {
        self.results.push(text.into());
        self
    }

    /// Adds a result as text, or as a file if it is to have a name.
    #[must_use]
    pub(crate) fn result_or_file(self, title: &str, text: String, filename: Option<&str>) -> Self {
        match filename {
            Some(name) => self.file(title, name, text.into()),
            None => self.result(text),
        }
    }

    /// Adds a file. Only the last part of its name is kept: it goes to no directory of ours.
    #[must_use]
    pub(crate) fn file(mut self, title: &str, name: &str, bytes: Bytes) -> Self {
        let name = base_name(name).to_owned();
        self.results.push(format!("- {title}: {name}"));
        self.files.push(ReplyFile {
            title: title.to_owned(),
            mime_type: media_type(&name),
            name,
            bytes,
        });
        self
    }
}
