//! Why a call was not answered by a browser. What an agent reads ends with what to do next.

use std::time::Duration;

use greenroom_pool::PoolError;

use crate::service::{Answer, Outcome, Refused};
use crate::session::SessionId;

/// Every way in which Greenroom itself refuses or loses a call.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum CallError {
    /// The arguments are wrong; the text names each field and a fix.
    #[error("{0}")]
    Invalid(String),

    /// No such pool.
    #[error("Invalid pool name in browser_pool: '{name}' does not exist. Pools: {}. Use one of them, or name none for the default pool.", known.join(", "))]
    UnknownPool {
        /// What was asked for.
        name: String,
        /// What exists.
        known: Vec<String>,
    },

    /// No such instance.
    #[error(
        "Invalid browser_instance '{key}': instance not found in pool '{pool}'. Instances: {known}. Leave browser_instance out for any free one."
    )]
    UnknownInstance {
        /// What was asked for.
        key: String,
        /// Where.
        pool: String,
        /// What exists, ids with aliases.
        known: String,
    },

    /// Nobody to serve the call now or before its deadline.
    #[error("{}", no_healthy(pool, *is_default, last_failure.as_deref()))]
    NoHealthyInstances {
        /// Where.
        pool: String,
        /// Whether the caller may have meant another pool by not naming one.
        is_default: bool,
        /// What was last heard.
        last_failure: Option<String>,
    },

    /// Nobody gave an instance back in time.
    #[error(
        "Timeout waiting for lease in pool '{pool}': {error}. LEASE_TIMEOUT sets how long a call may wait."
    )]
    LeaseTimeout {
        /// Where.
        pool: String,
        /// Who holds what, for how long.
        error: PoolError,
    },

    /// Another refusal of a pool: full, closing, a named instance that does not run.
    #[error("pool '{pool}': {error}")]
    Pool {
        /// Where.
        pool: String,
        /// What the pool said.
        error: PoolError,
    },

    /// No such session, or somebody else's.
    #[error(
        "unknown session_id '{session}': it was closed, has expired or never existed. Open one with create_new_session, or name your own (any id that does not begin with 'gr-')."
    )]
    UnknownSession {
        /// What was asked for.
        session: SessionId,
    },

    /// The session is in another pool.
    #[error(
        "session '{session}' lives in pool '{lives}', not in '{wanted}'. Leave browser_pool out, or use another session_id."
    )]
    SessionInOtherPool {
        /// Which session.
        session: SessionId,
        /// Its pool.
        lives: String,
        /// The pool that was asked for.
        wanted: String,
    },

    /// The session holds another instance.
    #[error(
        "session '{session}' holds instance {held}, not '{wanted}'. Leave browser_instance out, or use another session_id."
    )]
    SessionElsewhere {
        /// Which session.
        session: SessionId,
        /// What it holds.
        held: String,
        /// The instance that was asked for.
        wanted: String,
    },

    /// Too many calls before this one.
    #[error(
        "session '{session}' is busy: {ahead} calls are ahead of this one. Use another session_id, or close this one with close_session."
    )]
    SessionBusy {
        /// Which session.
        session: SessionId,
        /// How many calls run or wait before it.
        ahead: usize,
    },

    /// A client without a connection must say which world it means.
    #[error(
        "session_id is needed: over stateless HTTP nothing else ties '{tool}' to an earlier call. Pass the session_id that browser_navigate or create_new_session answered with; browser_navigate without one opens a new session."
    )]
    SessionNeeded {
        /// What was called.
        tool: String,
    },

    /// A bound.
    #[error(
        "{limit} of your sessions hold a browser or run, which is the most; close some with close_session"
    )]
    TooManySessions {
        /// The bound.
        limit: usize,
    },

    /// `browser_run_code_unsafe` where it is not allowed.
    #[error(
        "browser_run_code_unsafe is off in pool '{pool}': it runs code outside the page's sandbox. {}",
        run_code_hint(allowed)
    )]
    RunCodeRefused {
        /// Where.
        pool: String,
        /// The pools that allow it.
        allowed: Vec<String>,
    },

    /// The browser did not answer in time.
    #[error("{tool} did not finish within {after:.0?} (TIMEOUT of pool '{pool}'). {}", after_timeout(*may_have_happened))]
    TimedOut {
        /// What ran.
        tool: String,
        /// The deadline.
        after: Duration,
        /// Where.
        pool: String,
        /// Whether the action may have taken effect.
        may_have_happened: bool,
    },

    /// The browser or its driver died under the call.
    #[error("Process crash during tool call: the browser of pool '{pool}', instance {instance}, was lost during {tool}: {reason}. {}", after_loss(*may_have_happened))]
    Lost {
        /// What ran.
        tool: String,
        /// Where.
        pool: String,
        /// Which instance.
        instance: String,
        /// What is known.
        reason: String,
        /// Whether the action may have taken effect.
        may_have_happened: bool,
    },

    /// The engine could not make sense of the answer, or the answer was too large.
    #[error("{tool} failed in the engine of pool '{pool}': {reason}")]
    Engine {
        /// What ran.
        tool: String,
        /// Where.
        pool: String,
        /// What is known.
        reason: String,
        /// Whether the action may have taken effect.
        may_have_happened: bool,
    },

    /// What was recorded cannot be read as asked.
    #[error("{message}")]
    Reading {
        /// Of what kind the no is.
        kind: Refused,
        /// The cause and what to do.
        message: String,
    },

    /// The session is in use by another process on the same data directory.
    #[error(
        "session '{session}' is active in another greenroom of this data directory (pid {pid}). Use it there, close it there, or use another session_id."
    )]
    SessionInOtherProcess {
        /// Which session.
        session: SessionId,
        /// The process.
        pid: u32,
    },

    /// A blob that a call names is not there.
    #[error(
        "no blob '{id}': it was removed, never stored, or is not yours. Upload the file with POST /blobs and give the id from its answer."
    )]
    UnknownBlob {
        /// What was asked for.
        id: String,
    },

    /// The server went down under the call.
    #[error("greenroom is shutting down and cut off {tool}, which did not end within SHUTDOWN_TIMEOUT. {}", after_cut_off(*may_have_happened))]
    CutOff {
        /// What ran.
        tool: String,
        /// Whether the action may have taken effect.
        may_have_happened: bool,
    },

    /// The server is going down.
    #[error("greenroom is shutting down and takes no new calls; retry when it is back")]
    ShuttingDown,
}

impl CallError {
    /// Greenroom's own no, as the agent reads it.
    pub(crate) fn into_answer(self) -> Answer {
        let outcome = if self.outcome_unknown() {
            Outcome::Unknown
        } else {
            Outcome::Error
        };
        Answer::refused(&self.to_string(), self.kind(), outcome)
    }

    /// What kind of no it is.
    fn kind(&self) -> Refused {
        match self {
            Self::Invalid(_)
            | Self::UnknownPool { .. }
            | Self::UnknownInstance { .. }
            | Self::UnknownBlob { .. }
            | Self::SessionNeeded { .. } => Refused::Invalid,
            Self::Reading { kind, .. } => *kind,
            Self::UnknownSession { .. } => Refused::NotFound,
            Self::SessionInOtherPool { .. }
            | Self::SessionElsewhere { .. }
            | Self::SessionInOtherProcess { .. } => Refused::Conflict,
            Self::RunCodeRefused { .. } => Refused::Forbidden,
            Self::SessionBusy { .. } | Self::TooManySessions { .. } | Self::LeaseTimeout { .. } => {
                Refused::Busy
            }
            Self::NoHealthyInstances { .. }
            | Self::Pool { .. }
            | Self::CutOff { .. }
            | Self::ShuttingDown => Refused::Unavailable,
            Self::TimedOut { .. } => Refused::TimedOut,
            Self::Lost { .. } | Self::Engine { .. } => Refused::Failed,
        }
    }

    /// Whether nobody can tell if the action took effect.
    pub(crate) fn outcome_unknown(&self) -> bool {
        match self {
            Self::Lost {
                may_have_happened, ..
            }
            | Self::TimedOut {
                may_have_happened, ..
            }
            | Self::Engine {
                may_have_happened, ..
            }
            | Self::CutOff {
                may_have_happened, ..
            } => *may_have_happened,
            _ => false,
        }
    }
}

fn no_healthy(pool: &str, is_default: bool, last_failure: Option<&str>) -> String {
    let kind = if is_default { "Default pool" } else { "Pool" };
    let failure = last_failure.map_or(String::new(), |failure| {
        format!(" Last failure: {failure}.")
    });
    format!(
        "{kind} '{pool}' has no healthy instances. Specify explicit pool or restart failed instances.{failure} (No healthy instances in {}pool; `greenroom doctor` says what this machine lacks.)",
        if is_default { "default " } else { "this " }
    )
}

fn run_code_hint(allowed: &[String]) -> String {
    if allowed.is_empty() {
        "No pool allows it; set ALLOW_RUN_CODE=true and ENGINE=playwright on a pool, or use browser_evaluate.".to_owned()
    } else {
        format!(
            "Pools that allow it: {}. Or use browser_evaluate.",
            allowed.join(", ")
        )
    }
}

fn after_timeout(may_have_happened: bool) -> &'static str {
    if may_have_happened {
        "outcome: unknown. Take a browser_snapshot to see where the page is before you repeat anything."
    } else {
        "Nothing was changed by this call; ask for less, or raise TIMEOUT."
    }
}

fn after_cut_off(may_have_happened: bool) -> &'static str {
    if may_have_happened {
        "outcome: unknown. The action may or may not have happened; it was not repeated. When greenroom is back, check before you repeat it."
    } else {
        "Nothing was changed by this call; repeat it when greenroom is back."
    }
}

fn after_loss(may_have_happened: bool) -> &'static str {
    if may_have_happened {
        "outcome: unknown. The action may or may not have happened; it was not repeated. The next call gets a fresh browser without the earlier state: navigate again and check before you repeat the action."
    } else {
        "Nothing was changed by this call. The next call gets a fresh browser without the earlier state: navigate again."
    }
}
