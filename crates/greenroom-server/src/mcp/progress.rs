//! Progress of a call, from a plain callback to notifications.
//!
//! The engine reports as often as it likes and never waits: a report replaces the one before it in
//! a single slot. Beside the call runs a relay that sends what is in the slot, at most once per
//! [`INTERVAL`] and only if it grew, as the protocol demands. The last report is sent before the
//! result, so that a client's bar ends where the call did.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{RoleServer, service::Peer};
use tokio::sync::Notify;

use crate::service::{Progress, ProgressSink};

/// The least time between two notifications of one call.
const INTERVAL: Duration = Duration::from_millis(100);
/// The longest message that is sent, in bytes.
const MESSAGE_LIMIT: usize = 1024;

/// The newest report that has not been sent.
#[derive(Default)]
struct Slot {
    report: Mutex<Option<Progress>>,
    filled: Notify,
}

impl Slot {
    fn put(&self, report: Progress) {
        if !report.progress.is_finite() {
            return;
        }
        let mut newest = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        if newest
            .as_ref()
            .is_none_or(|waiting| waiting.progress <= report.progress)
        {
            *newest = Some(report);
        }
        drop(newest);
        self.filled.notify_one();
    }

    fn take(&self) -> Option<Progress> {
        self.report
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// Sends one call's reports to `send`.
pub(crate) struct Relay<F> {
    slot: Arc<Slot>,
    sent: f64,
    send: F,
}

impl<F: Fn(Progress) -> BoxFuture<'static, ()>> Relay<F> {
    pub(crate) fn new(send: F) -> Self {
        Self {
            slot: Arc::default(),
            sent: f64::NEG_INFINITY,
            send,
        }
    }

    /// What the call reports to.
    pub(crate) fn sink(&self) -> ProgressSink {
        let slot = self.slot.clone();
        Arc::new(move |report| slot.put(report))
    }

    /// Runs `call` and relays its reports until it is done.
    pub(crate) async fn alongside<T>(mut self, call: impl Future<Output = T>) -> T {
        let output = tokio::select! {
            output = call => output,
            never = self.forward() => match never {},
        };
        self.send_newest().await;
        output
    }

    async fn forward(&mut self) -> Infallible {
        loop {
            self.slot.filled.notified().await;
            self.send_newest().await;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    async fn send_newest(&mut self) {
        let Some(mut report) = self.slot.take() else {
            return;
        };
        if report.progress <= self.sent {
            return;
        }
        self.sent = report.progress;
        report
            .message
            .truncate(report.message.floor_char_boundary(MESSAGE_LIMIT));
        (self.send)(report).await;
    }
}

/// Sends reports as notifications for `token`. A client that cannot be told is not an error: its
/// result will not arrive either.
pub(crate) fn notifier(
    peer: Peer<RoleServer>,
    token: ProgressToken,
) -> impl Fn(Progress) -> BoxFuture<'static, ()> + Send {
    move |report| {
        let peer = peer.clone();
        let notification = notification(token.clone(), report);
        Box::pin(async move {
            if let Err(error) = peer.notify_progress(notification).await {
                tracing::debug!(%error, "progress not sent");
            }
        })
    }
}

fn notification(token: ProgressToken, report: Progress) -> ProgressNotificationParam {
    let mut notification = ProgressNotificationParam::new(token, report.progress);
    notification.total = report.total.filter(|total| total.is_finite());
    notification.message = (!report.message.is_empty()).then_some(report.message);
    notification
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;

    fn report(progress: f64) -> Progress {
        Progress {
            progress,
            total: None,
            message: String::new(),
        }
    }

    /// A relay, and what it sends.
    fn relay() -> (
        Relay<impl Fn(Progress) -> BoxFuture<'static, ()>>,
        UnboundedReceiver<Progress>,
    ) {
        let (sent, received) = unbounded_channel();
        let relay = Relay::new(move |report| {
            let sent = sent.clone();
            async move { sent.send(report).unwrap() }.boxed()
        });
        (relay, received)
    }

    fn drain(mut received: UnboundedReceiver<Progress>) -> Vec<f64> {
        std::iter::from_fn(|| received.try_recv().ok())
            .map(|report| report.progress)
            .collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_reports_becomes_a_trickle_that_ends_with_the_last() {
        let (relay, received) = relay();
        let sink = relay.sink();
        relay
            .alongside(async {
                for step in 1..=1000_u32 {
                    sink(report(f64::from(step)));
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            })
            .await;
        let sent = drain(received);
        assert!((10..=12).contains(&sent.len()), "{sent:?}");
        assert!(sent.is_sorted(), "{sent:?}");
        assert_eq!(sent.last(), Some(&1000.0));
    }

    #[tokio::test(start_paused = true)]
    async fn progress_never_goes_back_and_is_always_a_number() {
        let (relay, received) = relay();
        let sink = relay.sink();
        relay
            .alongside(async {
                for step in [2.0, f64::NAN, 1.0, f64::INFINITY, 2.0, 3.0] {
                    sink(report(step));
                    tokio::time::sleep(INTERVAL * 2).await;
                }
            })
            .await;
        assert_eq!(drain(received), [2.0, 3.0]);
    }

    #[tokio::test(start_paused = true)]
    async fn reports_before_the_first_wait_are_not_lost() {
        let (relay, received) = relay();
        let sink = relay.sink();
        relay.alongside(async { sink(report(7.0)) }).await;
        assert_eq!(drain(received), [7.0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_message_is_cut_between_characters() {
        let (relay, mut received) = relay();
        let sink = relay.sink();
        let long = Progress {
            message: "\u{e9}".repeat(MESSAGE_LIMIT),
            ..report(1.0)
        };
        relay.alongside(async { sink(long) }).await;
        assert_eq!(received.recv().await.unwrap().message.len(), MESSAGE_LIMIT);
    }
}
