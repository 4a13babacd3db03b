//! One call into a manager: bounded in time, and with a panic turned into an error of that call.
//!
//! A supervisor outlives whatever its manager does. If a panic took it down, its instance would
//! never be closed and the callers who wait for it would never hear of it.

use std::any::Any;
use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout;

/// Runs a fallible call to its end or to its limit; every way to fail becomes a text.
pub(crate) async fn attempt<T, E: Display>(
    what: &str,
    limit: Duration,
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, String> {
    match timeout(limit, caught(call)).await {
        Ok(Ok(Ok(value))) => Ok(value),
        Ok(Ok(Err(error))) => Err(format!("{error:#}")),
        Ok(Err(panic)) => Err(format!("{what} panicked: {panic}")),
        Err(_) => Err(format!("{what} did not finish within {limit:?}")),
    }
}

/// Runs a call; a panic in it becomes an error that carries its message.
// The future is not polled again after a panic, so nobody observes what it left half-done.
pub(crate) async fn caught<T>(call: impl Future<Output = T>) -> Result<T, String> {
    let mut call = pin!(call);
    poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(cx))) {
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(Err(message(panic.as_ref()))),
        },
    )
    .await
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
