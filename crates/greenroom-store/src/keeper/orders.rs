//! What the keeper is told to do, and the wait for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::retention::RetentionReport;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// Work that someone waits for.
#[derive(Debug)]
pub(crate) enum Order {
    Settle(oneshot::Sender<Result<()>>),
    Retain(Timestamp, oneshot::Sender<Result<RetentionReport>>),
}

#[derive(Debug, Default)]
pub(crate) struct Orders {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    stopped: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Bytes of responses that were committed and not settled.
    to_settle: usize,
    /// When the last of them came.
    last_came: Option<Instant>,
    orders: Vec<Order>,
}

/// Callers come first: what they stored is settled when none has come for so long.
const QUIET: Duration = Duration::from_millis(100);

/// More than this is settled although callers come: the file grows by it until then.
const MUCH: usize = 128 << 20;

impl Orders {
    /// Notes that a response came. The keeper need not hear of each: it looks by itself once it
    /// has been woken by the first.
    pub(crate) fn came(&self, bytes: usize) {
        let mut waiting = self.waiting();
        let was_idle = waiting.to_settle == 0;
        waiting.to_settle += bytes.max(1);
        waiting.last_came = Some(Instant::now());
        drop(waiting);
        if was_idle {
            self.changed.notify_one();
        }
    }

    /// Notes that so many bytes are settled, or that nothing is left.
    pub(crate) fn settled(&self, bytes: Option<usize>) {
        let mut waiting = self.waiting();
        waiting.to_settle = bytes.map_or(0, |bytes| waiting.to_settle.saturating_sub(bytes).max(1));
    }

    /// Whether callers leave room for settling what they stored.
    pub(crate) fn may_settle(&self) -> bool {
        let waiting = self.waiting();
        waiting.to_settle > MUCH || waiting.quiet_in(Instant::now()).is_none()
    }

    /// After a stop the order is dropped, which tells whoever waits.
    pub(crate) fn give(&self, order: Order) {
        let mut waiting = self.waiting();
        if !self.is_stopped() {
            waiting.orders.push(order);
        }
        drop(waiting);
        self.changed.notify_one();
    }

    pub(crate) fn stop(&self) {
        let mut waiting = self.waiting();
        self.stopped.store(true, Ordering::Relaxed);
        waiting.orders.clear();
        drop(waiting);
        self.changed.notify_all();
    }

    pub(crate) fn stopped(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Does nothing for a while, unless it is time to stop.
    pub(crate) fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut waiting = self.waiting();
        while !self.is_stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            (waiting, _) = self
                .changed
                .wait_timeout(waiting, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for orders, for a quiet moment with something to settle, or until the time comes
    /// anyway. `None` says to stop.
    pub(crate) fn wait_until(&self, due: Instant) -> Option<Vec<Order>> {
        let mut waiting = self.waiting();
        loop {
            let now = Instant::now();
            let wake = match waiting.to_settle {
                0 => due,
                bytes if bytes > MUCH => now,
                _ => due.min(waiting.quiet_in(now).map_or(now, |rest| now + rest)),
            };
            if self.is_stopped() {
                return None;
            }
            if !waiting.orders.is_empty() || wake <= now {
                return Some(std::mem::take(&mut waiting.orders));
            }
            (waiting, _) = self
                .changed
                .wait_timeout(waiting, wake - now)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// How long it takes until it is quiet, if nothing comes. `None`: it is.
    fn quiet_in(&self, now: Instant) -> Option<Duration> {
        let rest = (self.last_came? + QUIET).saturating_duration_since(now);
        (!rest.is_zero()).then_some(rest)
    }
}
