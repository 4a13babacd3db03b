use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Death;

/// Why an engine has no reply to a call. A tool that ran and failed is a reply, not an error.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// The deadline passed.
    #[error(
        "the browser did not answer {what} within {} ms, {stage}; {}",
        after.as_millis(),
        stage.remedy()
    )]
    Timeout {
        /// What was asked.
        what: String,
        /// How far it had come.
        stage: Stage,
        /// How long was waited.
        after: Duration,
    },
    /// The engine's process, or the connection to it, ended.
    #[error("the browser process ended: {death}; the instance restarts, try again")]
    Died {
        /// How it ended.
        death: Arc<Death>,
        /// Whether the request had gone out before.
        sent: bool,
    },
    /// The engine said something that makes no sense.
    #[error("the upstream broke the protocol: {detail}; check that it is the pinned version")]
    Protocol {
        /// What it said, or failed to say.
        detail: String,
    },
    /// The answer is bigger than what is accepted.
    #[error(
        "the answer is too large ({length} bytes, at most {limit} are taken); ask for less: a part \
         of the page, fewer elements, a smaller screenshot"
    )]
    ResponseTooLarge {
        /// How long it was.
        length: u64,
        /// What is accepted.
        limit: u64,
    },
    /// The call was given up on purpose.
    #[error("the call was cancelled; send it again if it is still wanted")]
    Cancelled,
    /// The browser ended below an engine that lives on: the world is gone.
    #[error(
        "the browser ended and its pages are lost; the instance restarts with an empty world, navigate again"
    )]
    BrowserLost {
        /// Whether the request had gone out before.
        sent: bool,
    },
    /// The process of a page ended; the browser and its other pages live on.
    #[error("the page crashed and what it held is lost; navigate again, the browser goes on")]
    PageCrashed,
    /// The world could not be cleared for the next holder.
    #[error("the world could not be reset: {detail}; the instance is replaced")]
    ResetFailed {
        /// What went wrong.
        detail: String,
    },
    /// A tool that this instance does not serve.
    #[error("{tool} is off here; use another tool, or set ALLOW_RUN_CODE for the pool")]
    Forbidden {
        /// The tool.
        tool: String,
    },
    /// Something that an instance cannot start without.
    #[error("cannot start a browser without {what}; {fix}")]
    Missing {
        /// What is not there.
        what: String,
        /// What brings it.
        fix: String,
    },
    /// There is no such browser.
    #[error("cannot start a browser: {reason}")]
    NoBrowser {
        /// Where it was looked for and what installs it.
        reason: String,
    },
    /// The engine's process did not start, or did not get ready.
    #[error(transparent)]
    NotStarted(Arc<crate::Error>),
    /// The engine refused the request with a JSON-RPC error.
    #[error(
        "the upstream refused the request: {message} (code {code}); check the tool and its arguments"
    )]
    Upstream {
        /// The JSON-RPC code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data, as JSON text.
        data: Option<String>,
    },
}

/// How far a request had come when its deadline passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// It was held back: a call that was given up before is still at work.
    Waiting,
    /// It never left: the engine does not read.
    Sending,
    /// It went out; no answer came.
    Answering,
    /// The engine was still starting.
    Starting,
}

impl Stage {
    fn remedy(self) -> &'static str {
        match self {
            Self::Waiting => "try again when that one has ended, or release the browser",
            Self::Sending => "its process is stuck and will be replaced, try again",
            Self::Answering => {
                "the page may be busy or blocked: do less in one call or raise TIMEOUT"
            }
            Self::Starting => "run `greenroom doctor` to see what is missing",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waiting => "an earlier call that was given up is still at work",
            Self::Sending => "the request could not be sent",
            Self::Answering => "the request was sent",
            Self::Starting => "it was still starting",
        })
    }
}

/// The JSON-RPC codes with which a peer refuses a request before it does anything.
const REFUSED_UNREAD: std::ops::RangeInclusive<i64> = -32602..=-32600;

impl EngineError {
    /// Whether the instance must not serve anybody again.
    pub fn poisons_instance(&self) -> bool {
        match self {
            Self::Timeout { stage, .. } => matches!(stage, Stage::Sending | Stage::Starting),
            Self::Died { .. }
            | Self::Protocol { .. }
            | Self::BrowserLost { .. }
            | Self::ResetFailed { .. }
            | Self::Missing { .. }
            | Self::NoBrowser { .. }
            | Self::NotStarted(_) => true,
            Self::ResponseTooLarge { .. }
            | Self::Cancelled
            | Self::PageCrashed
            | Self::Forbidden { .. }
            | Self::Upstream { .. } => false,
        }
    }

    /// Whether the instance must prove by a probe that it is well: it may still be at work on
    /// what nobody waits for any more.
    pub fn needs_probe(&self) -> bool {
        matches!(
            self,
            Self::Cancelled
                | Self::Timeout {
                    stage: Stage::Answering | Stage::Waiting,
                    ..
                }
        )
    }

    /// Whether an action (a click, typing) may or may not have happened. Such a call is never
    /// retried silently.
    pub fn outcome_unknown_for_actions(&self) -> bool {
        match self {
            Self::Timeout { stage, .. } => *stage == Stage::Answering,
            Self::Died { sent, .. } | Self::BrowserLost { sent } => *sent,
            Self::Protocol { .. }
            | Self::ResponseTooLarge { .. }
            | Self::Cancelled
            | Self::PageCrashed => true,
            Self::ResetFailed { .. }
            | Self::Forbidden { .. }
            | Self::Missing { .. }
            | Self::NoBrowser { .. }
            | Self::NotStarted(_) => false,
            Self::Upstream { code, .. } => !REFUSED_UNREAD.contains(code),
        }
    }

    /// Whether a new start may succeed without anyone changing anything.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. }
            | Self::Died { .. }
            | Self::Cancelled
            | Self::BrowserLost { .. }
            | Self::PageCrashed
            | Self::ResetFailed { .. } => true,
            Self::NotStarted(error) => error.is_retryable(),
            Self::Protocol { .. }
            | Self::ResponseTooLarge { .. }
            | Self::Upstream { .. }
            | Self::Forbidden { .. }
            | Self::Missing { .. }
            | Self::NoBrowser { .. } => false,
        }
    }

    /// A short stable name for metrics and the store.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Timeout { .. } => "timeout",
            Self::Died { .. } => "died",
            Self::Protocol { .. } => "protocol",
            Self::ResponseTooLarge { .. } => "response_too_large",
            Self::Cancelled => "cancelled",
            Self::BrowserLost { .. } => "browser_lost",
            Self::PageCrashed => "page_crashed",
            Self::ResetFailed { .. } => "reset_failed",
            Self::Forbidden { .. } => "forbidden",
            Self::Missing { .. } => "missing",
            Self::NoBrowser { .. } => "no_browser",
            Self::NotStarted(_) => "not_started",
            Self::Upstream { .. } => "upstream",
        }
    }
}

impl From<crate::Error> for EngineError {
    fn from(error: crate::Error) -> Self {
        Self::NotStarted(Arc::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeout(stage: Stage) -> EngineError {
        let after = Duration::from_millis(1500);
        EngineError::Timeout {
            what: "browser_click".into(),
            stage,
            after,
        }
    }

    fn died(sent: bool) -> EngineError {
        let death = Arc::new(Death::new("exit code 1"));
        EngineError::Died { death, sent }
    }

    fn upstream(code: i64) -> EngineError {
        EngineError::Upstream {
            code,
            message: "no".into(),
            data: None,
        }
    }

    #[test]
    fn each_error_says_what_becomes_of_the_instance_and_of_the_action() {
        let not_started = || crate::Error::Closing { label: "a".into() };
        // error, poisons the instance, needs a probe, outcome of an action unknown
        let table = [
            (timeout(Stage::Waiting), false, true, false),
            (timeout(Stage::Sending), true, false, false),
            (timeout(Stage::Answering), false, true, true),
            (timeout(Stage::Starting), true, false, false),
            (died(true), true, false, true),
            (died(false), true, false, false),
            (
                EngineError::Protocol { detail: "x".into() },
                true,
                false,
                true,
            ),
            (
                EngineError::ResponseTooLarge {
                    length: 2,
                    limit: 1,
                },
                false,
                false,
                true,
            ),
            (EngineError::Cancelled, false, true, true),
            (EngineError::BrowserLost { sent: true }, true, false, true),
            (EngineError::BrowserLost { sent: false }, true, false, false),
            (EngineError::PageCrashed, false, false, true),
            (
                EngineError::ResetFailed { detail: "x".into() },
                true,
                false,
                false,
            ),
            (
                EngineError::Forbidden { tool: "x".into() },
                false,
                false,
                false,
            ),
            (
                EngineError::Missing {
                    what: "x".into(),
                    fix: "y".into(),
                },
                true,
                false,
                false,
            ),
            (
                EngineError::NoBrowser { reason: "x".into() },
                true,
                false,
                false,
            ),
            (not_started().into(), true, false, false),
            (upstream(-32602), false, false, false),
            (upstream(-32601), false, false, false),
            (upstream(-32603), false, false, true),
            (upstream(-32000), false, false, true),
        ];
        for (error, poisons, probe, unknown) in table {
            assert_eq!(error.poisons_instance(), poisons, "{error}");
            assert_eq!(error.needs_probe(), probe, "{error}");
            assert_eq!(error.outcome_unknown_for_actions(), unknown, "{error}");
        }
    }

    #[test]
    fn a_timeout_names_its_stage_and_ends_with_what_to_do() {
        let text = timeout(Stage::Answering).to_string();
        assert!(text.contains("browser_click within 1500 ms"), "{text}");
        assert!(
            text.ends_with("do less in one call or raise TIMEOUT"),
            "{text}"
        );
        assert!(
            timeout(Stage::Starting)
                .to_string()
                .ends_with("what is missing")
        );
    }
}
