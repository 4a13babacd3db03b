//! Why a pool says no. Every message ends with what to do next.

use std::fmt::Write as _;
use std::time::Duration;

use crate::instance::InstanceName;
use crate::request::Activity;

/// One lease that stands in the way of a waiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBy {
    /// The leased instance.
    pub instance: InstanceName,
    /// How long it has been leased.
    pub held_for: Duration,
    /// What its holder is doing, if it said so.
    pub activity: Option<Activity>,
}

/// Every way in which a pool refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The deadline of a waiter passed.
    #[error("{}", timeout_text(*waited, wanted.as_ref(), *waiters, held))]
    Timeout {
        /// How long it waited.
        waited: Duration,
        /// The only instance that would have done, if there was one.
        wanted: Option<InstanceName>,
        /// How many wait in this pool, this one included.
        waiters: usize,
        /// The leases that stood in the way.
        held: Vec<HeldBy>,
    },

    /// As many wait as may wait.
    #[error("the queue is full with {waiters} waiting; retry in {retry_after:.1?}")]
    QueueFull {
        /// How many wait.
        waiters: usize,
        /// When there may be room again.
        retry_after: Duration,
    },

    /// No instance has this id or alias.
    #[error("no instance '{key}' in this pool; {}", listing(known))]
    UnknownInstance {
        /// What was asked for.
        key: String,
        /// What exists.
        known: Vec<InstanceName>,
    },

    /// Nothing that could serve the caller is running or due to run before its deadline.
    #[error("{}", unhealthy_text(wanted.as_ref(), last_failure.as_deref(), *retry_after))]
    NoHealthyInstances {
        /// The only instance that would do, if there is one.
        wanted: Option<InstanceName>,
        /// What was last heard of an instance that failed.
        last_failure: Option<String>,
        /// When the next restart is due, if one is.
        retry_after: Option<Duration>,
    },

    /// The pool takes no new work.
    #[error("the pool is closing and takes no new work; retry when it has been started again")]
    Closed,

    /// Two instances would have the same name.
    #[error("the name '{name}' is taken in this pool; choose another id or alias")]
    NameTaken {
        /// The id or alias.
        name: String,
    },

    /// An alias that reads like an id.
    #[error("the alias '{alias}' reads like an id; choose one that is not all digits")]
    NumericAlias {
        /// The alias.
        alias: String,
    },
}

impl PoolError {
    /// Whether the same request may succeed later without anybody changing anything.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::QueueFull { .. } => true,
            Self::NoHealthyInstances { retry_after, .. } => retry_after.is_some(),
            Self::UnknownInstance { .. }
            | Self::Closed
            | Self::NameTaken { .. }
            | Self::NumericAlias { .. } => false,
        }
    }

    /// Whether the request itself is wrong. Busy, broken or closing is never the caller's mistake.
    pub fn is_bad_request(&self) -> bool {
        matches!(
            self,
            Self::UnknownInstance { .. } | Self::NameTaken { .. } | Self::NumericAlias { .. }
        )
    }

    /// When to retry, where the pool can tell.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::QueueFull { retry_after, .. } => Some(*retry_after),
            Self::NoHealthyInstances { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

fn timeout_text(
    waited: Duration,
    wanted: Option<&InstanceName>,
    waiters: usize,
    held: &[HeldBy],
) -> String {
    let what = wanted.map_or_else(
        || "a free instance".to_owned(),
        |name| format!("instance {name}"),
    );
    let mut text = format!("timed out after {waited:.1?} waiting for {what}, {waiters} waiting");
    for lease in held {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "; instance {} held for {:.1?}",
            lease.instance, lease.held_for
        );
        if let Some(activity) = &lease.activity {
            let _ = write!(text, " by {activity}");
        }
    }
    text.push_str("; retry later or with a longer timeout");
    text
}

fn unhealthy_text(
    wanted: Option<&InstanceName>,
    last_failure: Option<&str>,
    retry_after: Option<Duration>,
) -> String {
    let mut text = wanted.map_or_else(
        || "no healthy instances".to_owned(),
        |name| format!("no healthy instances: instance {name} is not running"),
    );
    if let Some(failure) = last_failure {
        let _ = write!(text, " (last failure: {failure})");
    }
    match retry_after {
        Some(delay) => {
            let _ = write!(text, "; a restart is due, retry in {delay:.1?}");
        }
        None => text.push_str("; restart failed instances or use another pool"),
    }
    text
}

fn listing(known: &[InstanceName]) -> String {
    if known.is_empty() {
        return "it has no instances, use another pool".to_owned();
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    format!("use one of: {}", names.join(", "))
}
