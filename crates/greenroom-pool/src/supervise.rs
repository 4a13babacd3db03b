//! One task per instance: starts it, watches it, resets it, closes it, starts it again.
//!
//! The books decide, the supervisor acts. Whatever happens to an instance is first entered into
//! the books (by the supervisor itself, a lease, the owner), which wakes the supervisor; it then
//! asks what to do. So there is one place that creates and one that closes, in one task, and every
//! instance that was created is closed exactly once, before the next of the same id is created.
//!
//! A supervisor holds the pool weakly and only for the moment of a report or a question. When the
//! pool is gone it closes its instance and ends.
//!
//! A pool-wide rule about starting (a breaker that stops all creation for a while) would be asked
//! in [`Inner::next_step`], beside the back-off of the single instance.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

use crate::caught::{attempt, caught};
use crate::inner::{Inner, Step, Work};
use crate::instance::{Generation, InstanceId};
use crate::live::Live;
use crate::manager::{CloseReason, Manager};
use crate::options::{Health, Options};
use crate::shared::Shared;

pub(crate) struct Supervisor<M: Manager> {
    id: InstanceId,
    manager: Arc<M>,
    options: Options,
    pool: Weak<Shared<M>>,
    wake: Arc<Notify>,
}

impl<M: Manager> Supervisor<M> {
    pub(crate) fn new(shared: &Arc<Shared<M>>, id: InstanceId, wake: Arc<Notify>) -> Self {
        Self {
            id,
            manager: Arc::clone(&shared.manager),
            options: shared.options,
            pool: Arc::downgrade(shared),
            wake,
        }
    }

    pub(crate) async fn run(self) {
        loop {
            let step = self.with_books(|inner, now| inner.next_step(self.id, now));
            match step.unwrap_or(Step::Stop) {
                Step::Start { generation, health } => self.live_once(generation, health).await,
                Step::WaitUntil(moment) => self.woken_or(sleep_until(moment)).await,
                Step::Wait => self.wake.notified().await,
                Step::Stop => return,
            }
        }
    }

    /// One life, from creation to closing.
    async fn live_once(&self, generation: Generation, health: Health) {
        let Some(instance) = self.create(generation).await else {
            return;
        };
        let live = Live::new(self.id, generation, instance);
        let started = self.with_books(|inner, now| inner.started(&live, now));
        let reason = match started.unwrap_or(Err(CloseReason::PoolClosed)) {
            Ok(()) => self.watch(&live, health).await,
            Err(unwanted) => unwanted,
        };
        self.close(&live, reason).await;
    }

    async fn create(&self, generation: Generation) -> Option<M::Instance> {
        let create = async { self.manager.create(self.id).await };
        let created = tokio::select! {
            biased;
            created = attempt("start", self.options.start_timeout, create) => created,
            () = self.start_unwanted(generation) => {
                self.with_books(|inner, _| inner.start_abandoned());
                return None;
            }
        };
        let reason = match created {
            Ok(instance) => return Some(instance),
            Err(reason) => reason,
        };
        let retry_at = self
            .with_books(|inner, now| inner.start_failed(self.id, generation, &reason, now))
            .flatten();
        self.log_failure(generation, &reason, retry_at);
        None
    }

    /// Returns when the life of this instance is over, and why.
    async fn watch(&self, live: &Live<M::Instance>, health: Health) -> CloseReason {
        tracing::debug!(instance = %self.id, generation = %live.generation(), "instance started");
        // The last two only report to the books, and the books wake the first.
        tokio::select! {
            reason = self.tend(live) => reason,
            never = self.await_death(live) => match never {},
            never = self.probe_forever(live, health) => match never {},
        }
    }

    /// Does what the books ask for until they say that this life is over.
    async fn tend(&self, live: &Live<M::Instance>) -> CloseReason {
        loop {
            match self.work(live) {
                Work::Watch => self.wake.notified().await,
                Work::Reset => self.reset(live).await,
                Work::Close(reason) => return reason,
            }
        }
    }

    async fn reset(&self, live: &Live<M::Instance>) {
        let reset = async { self.manager.reset(live).await };
        let result = tokio::select! {
            biased;
            result = attempt("reset", self.options.reset_timeout, reset) => result,
            () = self.life_over(live) => return,
        };
        if let Err(reason) = &result {
            tracing::warn!(instance = %self.id, %reason, "reset failed; replacing the instance");
        }
        self.with_books(|inner, now| inner.reset_done(live, &result, now));
    }

    async fn await_death(&self, live: &Live<M::Instance>) -> Infallible {
        let ended = async { self.manager.ended(live).await };
        let reason = caught(ended)
            .await
            .unwrap_or_else(|panic| format!("watch panicked: {panic}"));
        let retry_at = self
            .with_books(|inner, now| inner.died(live, &reason, now))
            .flatten();
        self.log_failure(live.generation(), &reason, retry_at);
        pending().await
    }

    async fn probe_forever(&self, live: &Live<M::Instance>, health: Health) -> Infallible {
        let period = health.interval.max(Duration::from_millis(1));
        let mut ticks = interval_at(Instant::now() + first_probe(self.id, period), period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let probe = async { self.manager.probe(live).await };
            let result = attempt("probe", health.timeout, probe).await;
            if let Err(reason) = &result {
                tracing::debug!(instance = %self.id, %reason, "probe missed");
            }
            let failed = self
                .with_books(|inner, now| inner.probed(live, result, now))
                .flatten();
            if let Some(reason) = failed {
                tracing::warn!(instance = %self.id, %reason, "instance failed");
            }
        }
    }

    async fn close(&self, live: &Live<M::Instance>, reason: CloseReason) {
        tracing::debug!(instance = %self.id, generation = %live.generation(), %reason, "closing");
        let close = async { self.manager.close(live, reason).await };
        match timeout(self.options.close_timeout, caught(close)).await {
            Ok(Ok(())) => {}
            Ok(Err(panic)) => tracing::error!(instance = %self.id, %panic, "close panicked"),
            Err(_) => tracing::error!(instance = %self.id, "close did not finish in time"),
        }
        self.with_books(|inner, _| inner.closed(reason));
    }

    fn work(&self, live: &Live<M::Instance>) -> Work {
        let work = self.with_books(|inner, _| inner.work(self.id, live.generation()));
        work.unwrap_or(Work::Close(CloseReason::PoolClosed))
    }

    async fn start_unwanted(&self, generation: Generation) {
        let wanted = || self.with_books(|inner, _| inner.is_starting(self.id, generation));
        while wanted() == Some(true) {
            self.wake.notified().await;
        }
    }

    async fn life_over(&self, live: &Live<M::Instance>) {
        while !matches!(self.work(live), Work::Close(_)) {
            self.wake.notified().await;
        }
    }

    async fn woken_or(&self, other: impl Future<Output = ()>) {
        tokio::select! {
            () = self.wake.notified() => {}
            () = other => {}
        }
    }

    /// Opens the books for one step; nothing when the pool is gone.
    fn with_books<T>(&self, step: impl FnOnce(&mut Inner<M::Instance>, Instant) -> T) -> Option<T> {
        let shared = self.pool.upgrade()?;
        let now = Instant::now();
        let result = step(&mut shared.lock(), now);
        Some(result)
    }

    fn log_failure(&self, generation: Generation, reason: &str, retry_at: Option<Instant>) {
        let instance = self.id;
        match retry_at.map(|at| at.saturating_duration_since(Instant::now())) {
            Some(delay) => {
                tracing::warn!(%instance, %generation, %reason, ?delay, "instance failed; restarting");
            }
            None => {
                tracing::error!(%instance, %generation, %reason, "instance failed; no restart is due");
            }
        }
    }
}

/// Instances that started together are probed a little apart: the first probe comes up to a fifth
/// of the interval early. Multiples of the golden ratio spread evenly for any number of instances.
fn first_probe(id: InstanceId, interval: Duration) -> Duration {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let share = (f64::from(id.number()) * GOLDEN).fract();
    interval - interval.mul_f64(share / 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_probes_are_spread_over_the_last_fifth_of_the_interval() {
        let interval = Duration::from_secs(20);
        let mut delays: Vec<Duration> = (0..16)
            .map(|id| first_probe(InstanceId::new(id), interval))
            .collect();
        assert!(
            delays
                .iter()
                .all(|delay| *delay > interval * 4 / 5 && *delay <= interval)
        );
        delays.sort_unstable();
        let closest = delays.windows(2).map(|pair| pair[1] - pair[0]).min();
        assert!(
            closest.is_some_and(|gap| gap > Duration::from_millis(50)),
            "{delays:?}"
        );
    }
}
