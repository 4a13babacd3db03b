//! Why a command has no answer.

use std::sync::Arc;
use std::time::Duration;

use crate::call::{Death, EngineError, Stage};

/// What Chromium itself answers when a command names a session that is gone.
pub const NO_SUCH_SESSION: i64 = -32001;

/// Why one command of the browser's protocol failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CdpError {
    /// The browser would not or could not do it.
    #[error("the browser refused {method}: {message} (code {code}); check what was asked of it")]
    Refused {
        /// The command.
        method: &'static str,
        /// The browser's number for the reason.
        code: i64,
        /// The reason.
        message: String,
        /// More about it, where the browser says more.
        data: Option<String>,
    },
    /// The deadline passed.
    #[error("the browser did not answer {method} within {} ms, {stage}; the page may be busy: do less at once or raise TIMEOUT", after.as_millis())]
    Timeout {
        /// The command.
        method: &'static str,
        /// How far it had come.
        stage: Stage,
        /// How long was waited.
        after: Duration,
    },
    /// The browser, or the connection to it, ended.
    #[error("the browser ended: {death}; take a new world and navigate again")]
    Ended {
        /// How it ended.
        death: Arc<Death>,
        /// Whether the command had gone out before.
        sent: bool,
    },
    /// The page or frame that the command was for has gone.
    #[error("the page was closed before {method} was done; open it again")]
    Detached {
        /// The command.
        method: &'static str,
        /// Whether the command had gone out before.
        sent: bool,
    },
    /// The process of the page ended.
    #[error("the page crashed; navigate again, the browser goes on")]
    Crashed {
        /// Whether the command had gone out before.
        sent: bool,
    },
    /// The answer is bigger than what is accepted.
    #[error(
        "the answer to {method} is too large ({length} bytes, at most {limit} are taken); ask for less"
    )]
    TooLarge {
        /// The command.
        method: &'static str,
        /// How long it was.
        length: u64,
        /// What is accepted.
        limit: u64,
    },
    /// The answer, or the command itself, is not of the shape that it should have.
    #[error(
        "{method} and its answer do not fit this browser ({detail}); use a supported Chromium, see `greenroom doctor`"
    )]
    Malformed {
        /// The command.
        method: &'static str,
        /// What does not fit.
        detail: String,
    },
}

impl CdpError {
    /// Whether the browser refused with this in its message. The protocol has one code for nearly
    /// everything, so that the words are all there is to tell reasons apart.
    pub fn refused_with(&self, words: &str) -> bool {
        matches!(self, Self::Refused { message, .. } if message.contains(words))
    }

    /// Whether the page or frame is gone, be it closed or crashed, while the browser goes on.
    pub fn is_page_gone(&self) -> bool {
        match self {
            Self::Detached { .. } | Self::Crashed { .. } => true,
            Self::Refused { code, .. } => *code == NO_SUCH_SESSION,
            _ => false,
        }
    }
}

impl From<CdpError> for EngineError {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::Refused {
                code,
                message,
                data,
                ..
            } => Self::Upstream {
                code,
                message,
                data,
            },
            CdpError::Timeout {
                method,
                stage,
                after,
            } => Self::Timeout {
                what: method.to_owned(),
                stage,
                after,
            },
            CdpError::Ended { death, sent } => Self::Died { death, sent },
            CdpError::Detached { .. } => Self::Upstream {
                code: NO_SUCH_SESSION,
                message: error.to_string(),
                data: None,
            },
            CdpError::Crashed { .. } => Self::PageCrashed,
            CdpError::TooLarge { length, limit, .. } => Self::ResponseTooLarge { length, limit },
            CdpError::Malformed { .. } => Self::Protocol {
                detail: error.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_browser_keeps_its_meaning_for_the_pool() {
        let death = Arc::new(Death::new("it exited with code 1"));
        let ended = EngineError::from(CdpError::Ended { death, sent: true });
        assert!(ended.poisons_instance() && ended.outcome_unknown_for_actions());
        let crashed = EngineError::from(CdpError::Crashed { sent: true });
        assert!(matches!(crashed, EngineError::PageCrashed));
        let late = EngineError::from(CdpError::Timeout {
            method: "Page.navigate",
            stage: Stage::Answering,
            after: Duration::from_secs(1),
        });
        assert!(late.needs_probe() && late.to_string().contains("Page.navigate"));
        let closed = EngineError::from(CdpError::Detached {
            method: "Page.navigate",
            sent: true,
        });
        assert!(!closed.poisons_instance());
    }

    #[test]
    fn a_closed_and_a_crashed_page_are_gone_and_a_refusal_is_not() {
        let refused = |code| CdpError::Refused {
            method: "Page.navigate",
            code,
            message: "Cannot navigate to invalid URL".into(),
            data: None,
        };
        assert!(refused(NO_SUCH_SESSION).is_page_gone());
        assert!(!refused(-32000).is_page_gone());
        assert!(refused(-32000).refused_with("invalid URL"));
        assert!(CdpError::Crashed { sent: false }.is_page_gone());
    }
}
