//! What errors say about themselves.

#![allow(missing_docs, unreachable_pub)]

use std::time::Duration;

use greenroom_pool::PoolError;

const SOON: Duration = Duration::from_secs(2);

/// An error, and what is true about it: retryable, a bad request, when to retry.
struct Row(PoolError, bool, bool, Option<Duration>);

fn rows() -> Vec<Row> {
    let unhealthy = |retry_after| PoolError::NoHealthyInstances {
        wanted: None,
        last_failure: None,
        retry_after,
    };
    let timeout = PoolError::Timeout {
        waited: SOON,
        wanted: None,
        waiters: 1,
        held: Vec::new(),
    };
    let full = PoolError::QueueFull {
        waiters: 1,
        retry_after: SOON,
    };
    let unknown = PoolError::UnknownInstance {
        key: "x".to_owned(),
        known: Vec::new(),
    };
    let taken = PoolError::NameTaken {
        name: "x".to_owned(),
    };
    let numeric = PoolError::NumericAlias {
        alias: "7".to_owned(),
    };
    vec![
        Row(timeout, true, false, None),
        Row(full, true, false, Some(SOON)),
        Row(unhealthy(Some(SOON)), true, false, Some(SOON)),
        Row(unhealthy(None), false, false, None),
        Row(PoolError::Closed, false, false, None),
        Row(unknown, false, true, None),
        Row(taken, false, true, None),
        Row(numeric, false, true, None),
    ]
}

#[test]
fn every_error_knows_whether_and_when_to_retry_and_whose_fault_it_is() {
    for Row(error, retryable, bad_request, retry_after) in rows() {
        assert_eq!(error.is_retryable(), retryable, "{error}");
        assert_eq!(error.is_bad_request(), bad_request, "{error}");
        assert_eq!(error.retry_after(), retry_after, "{error}");
    }
}

#[test]
fn every_message_begins_in_lower_case_and_ends_with_what_to_do() {
    let advice = ["retry", "use", "restart", "choose"];
    for Row(error, ..) in rows() {
        let text = error.to_string();
        assert!(text.starts_with(char::is_lowercase), "{text}");
        let last = text.rsplit([';', ',']).next().unwrap_or_default();
        assert!(advice.iter().any(|word| last.contains(word)), "{text}");
    }
}
