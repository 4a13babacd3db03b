//! Why a tool failed, in words for whoever called it.

use std::time::Duration;

use crate::native::error::CdpError;
use crate::native::protocol::runtime::ExceptionDetails;

/// Why a tool failed. Each text ends with what to do next.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// Our script refuses: no such element, several of them, a wrong value. The kind is the
    /// script's own word for it, and its message says what to do.
    #[error("{message}")]
    Refused {
        /// `NotFound`, `NotUnique`, `Stale`, `BadTarget`, `WrongElement`, `BadValue`.
        kind: String,
        /// Why, and what to do.
        message: String,
    },
    /// The agent's own code threw.
    #[error("{message}")]
    Threw {
        /// What it threw.
        message: String,
    },
    /// An argument is not as it must be. The text says what to do.
    #[error("{0}")]
    Argument(String),
    /// Something did not come to be in time. Worded like the upstream's own, because agents and
    /// the pool know it by that.
    #[error("TimeoutError: {what}: Timeout {}ms exceeded. {hint}", after.as_millis())]
    Waited {
        /// What was tried.
        what: String,
        /// How long.
        after: Duration,
        /// What stood in the way, and what to do about it.
        hint: String,
    },
    /// A ref of a document that is no longer shown, or never was.
    #[error(
        "Ref {target} not found in the current page snapshot; it may be of a page that was left. Take a new snapshot and use a ref from it."
    )]
    OtherDocument {
        /// The ref.
        target: String,
    },
    /// The document went away while it was asked.
    #[error(
        "The page went to another address while {what} was at work. Take a new snapshot and go on from there."
    )]
    Navigated {
        /// What was asked of it.
        what: String,
    },
    /// The document of a frame went away while it was asked.
    #[error(
        "The frame went to another address while {what} was at work. Take a new snapshot and use a ref from it."
    )]
    FrameNavigated {
        /// What was asked of it.
        what: String,
    },
    /// The frame is not there any more.
    #[error("The frame is gone from the page. Take a new snapshot to see what is there.")]
    FrameGone,
    /// The frame is there, and nothing of it is drawn.
    #[error(
        "The frame that holds the element is not shown. Do first what makes the page show it, or take a snapshot for another target."
    )]
    FrameHidden,
    /// The page has closed.
    #[error("The page was closed. Open another one with browser_navigate.")]
    PageClosed,
    /// The browser has no answer, or refuses.
    #[error(transparent)]
    Browser(#[from] CdpError),
}

impl ToolError {
    /// Whether this is the browser's or the page's end and not merely the tool's.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Browser(
                CdpError::Ended { .. }
                    | CdpError::Crashed { .. }
                    | CdpError::Timeout { .. }
                    | CdpError::TooLarge { .. }
            )
        )
    }

    /// The same, with the action's name for what was at work.
    #[must_use]
    pub(crate) fn during(self, action: &str) -> Self {
        let what = action.to_owned();
        match self {
            Self::Navigated { .. } => Self::Navigated { what },
            Self::FrameNavigated { .. } => Self::FrameNavigated { what },
            other => other,
        }
    }

    /// What our script threw: its kind is the first word.
    pub(super) fn of_script(thrown: &ExceptionDetails) -> Self {
        let message = thrown.message();
        let (kind, told) = message.split_once(": ").unwrap_or(("Error", &message));
        let (kind, message) = if kind.chars().all(char::is_alphanumeric) {
            (kind.to_owned(), told.to_owned())
        } else {
            ("Error".to_owned(), message)
        };
        Self::Refused { kind, message }
    }
}

/// Whether the browser says that a document went away with its worlds.
pub(super) fn is_document_gone(error: &CdpError) -> bool {
    [
        "Cannot find context with specified id",
        "Inspected target navigated or closed",
        "Execution context was destroyed",
        "Cannot find default execution context",
        "uniqueContextId not found",
        "Could not find object",
        "Cannot find node with given id",
        "Node with given id does not belong to the document",
    ]
    .iter()
    .any(|words| error.refused_with(words))
}

/// Whether the browser says that a frame is not in the process that was asked.
pub(super) fn is_frame_elsewhere(error: &CdpError) -> bool {
    [
        "No frame for given id found",
        "No frame with given id found",
        "Could not create isolated world",
    ]
    .iter()
    .any(|words| error.refused_with(words))
        || error.is_page_gone()
}
