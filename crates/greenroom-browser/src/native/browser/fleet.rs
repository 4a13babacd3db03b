//! The browsers of a pool.
//!
//! Worlds are placed where most are already, so that browsers fill up one after the other and the
//! last one can end when it is no longer needed. One task (`tend`) does what nobody waits for:
//! it keeps blank worlds ready, and sees to browsers that died or have become too many.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

use super::seats::Seat;
use super::shared::SharedBrowser;
use super::tend;
use super::world::World;
use crate::call::{EngineError, Stage};
use crate::{Error, Host, LaunchSpec};

/// A blank page that does not answer within this is no page to start with.
const READY: Duration = Duration::from_secs(2);

/// How a fleet is to be.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// Whom it is for, as a person would say it: the name of the pool.
    pub label: String,
    /// What its instances are to be.
    pub spec: LaunchSpec,
    /// How many worlds a browser holds.
    pub contexts_per_browser: usize,
    /// How many blank worlds are kept ready.
    pub warm: usize,
}

/// The browsers of a pool, with the worlds in them. Clones are the same fleet.
#[derive(Debug, Clone)]
pub struct Fleet(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    shared: Arc<Shared>,
    tending: AbortHandle,
}

/// What the handles share with the task that tends the fleet.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) options: FleetOptions,
    host: Host,
    state: Mutex<State>,
    /// Told whenever there may be something to do.
    pub(super) wake: Notify,
    /// Told when a blank world that was being made has come, or will not.
    restocked: Notify,
    /// One browser is started at a time: who waits may find room in it.
    starting: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) browsers: Vec<Arc<SharedBrowser>>,
    pub(super) warm: VecDeque<World>,
    /// Whether a blank world is being made, which has a seat already.
    restocking: bool,
    pub(super) closing: bool,
}

impl Fleet {
    /// A fleet without browsers: the first is started by the first world, or to keep some ready.
    pub fn new(options: FleetOptions, host: Host) -> Self {
        let shared = Arc::new(Shared {
            options,
            host,
            state: Mutex::default(),
            wake: Notify::new(),
            restocked: Notify::new(),
            starting: tokio::sync::Mutex::default(),
        });
        let tending = tokio::spawn(tend::tend(Arc::downgrade(&shared))).abort_handle();
        shared.wake.notify_one();
        Self(Arc::new(Inner { shared, tending }))
    }

    /// A blank world: one that is ready, else a new one.
    pub async fn take(&self, deadline: Duration) -> Result<World, EngineError> {
        let end = Instant::now() + deadline;
        let shared = &self.0.shared;
        loop {
            // Listening comes first: what is told after the look is not missed.
            let restocked = shared.restocked.notified();
            while let Some(world) = shared.take_warm() {
                shared.wake.notify_one();
                // Its page may have crashed while it waited. Such a world is dropped, and so
                // disposed of.
                if world.probe(deadline.min(READY)).await.is_ok() {
                    return Ok(world);
                }
            }
            shared.wake.notify_one();
            if !shared.last_seat_is_restocked() || timeout_at(end, restocked).await.is_err() {
                break;
            }
        }
        let left = end.saturating_duration_since(Instant::now());
        shared.create(left).await
    }

    /// The browsers that live.
    pub fn browsers(&self) -> Vec<Arc<SharedBrowser>> {
        let state = self.0.shared.state();
        let alive = state.browsers.iter().filter(|browser| browser.is_alive());
        alive.cloned().collect()
    }

    /// How many blank worlds are ready.
    pub fn warm(&self) -> usize {
        self.0.shared.state().warm.len()
    }

    /// Ends all browsers with all their worlds; nothing is started afterwards. The first error is
    /// told, after all were ended as well as they could be.
    pub async fn close(&self, grace: Duration) -> Result<(), EngineError> {
        let shared = &self.0.shared;
        let (browsers, warm) = shared.begin_closing();
        shared.wake.notify_one();
        // A start that is under way finds the fleet closing and ends its browser itself.
        let _ = timeout_at(Instant::now() + grace, shared.starting.lock()).await;
        self.0.tending.abort();
        let stops: Vec<_> = browsers
            .into_iter()
            .map(|browser| tokio::spawn(async move { browser.stop(grace).await }))
            .collect();
        let mut outcome = Ok(());
        for stop in stops {
            let stopped = stop.await.unwrap_or(Ok(()));
            outcome = outcome.and(stopped);
        }
        drop(warm);
        outcome
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.tending.abort();
    }
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_warm(&self) -> Option<World> {
        let mut state = self.state();
        loop {
            let world = state.warm.pop_front()?;
            if world.is_alive() {
                return Some(world);
            }
        }
    }

    fn begin_closing(&self) -> (Vec<Arc<SharedBrowser>>, VecDeque<World>) {
        let mut state = self.state();
        state.closing = true;
        self.restocked.notify_waiters();
        let browsers = std::mem::take(&mut state.browsers);
        (browsers, std::mem::take(&mut state.warm))
    }

    /// Whether all seats are taken and a blank world is being made on one of them: that world is
    /// for whoever asks now, and comes sooner than another browser would.
    fn last_seat_is_restocked(&self) -> bool {
        let state = self.state();
        let free = |browser: &Arc<SharedBrowser>| browser.free_seats() > 0;
        let is_full = !state.browsers.is_empty() && !state.browsers.iter().any(free);
        is_full && state.restocking && !state.closing
    }

    /// Makes a blank world to be kept ready. Only the first browser is started for that: a further
    /// one costs more than a blank world saves.
    pub(super) async fn restock(&self, deadline: Duration) -> Result<(), EngineError> {
        self.state().restocking = true;
        let mut made = match self.free_seat() {
            Ok(Some((browser, seat))) => browser.world_on(seat, deadline).await.map(Some),
            Ok(None) if self.has_room() => self.create(deadline).await.map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        {
            let mut state = self.state();
            state.restocking = false;
            if let Ok(world) = &mut made
                && !state.closing
            {
                state.warm.extend(world.take());
            }
        }
        self.restocked.notify_waiters();
        made.map(drop)
    }

    /// Makes a world, in a new browser if need be.
    pub(super) async fn create(&self, deadline: Duration) -> Result<World, EngineError> {
        let end = Instant::now() + deadline;
        let seated = timeout_at(end, self.find_seat()).await;
        let (browser, seat) = seated.map_err(|_| EngineError::Timeout {
            what: "a browser with room for another world".to_owned(),
            stage: Stage::Starting,
            after: deadline,
        })??;
        let left = end.saturating_duration_since(Instant::now());
        browser.world_on(seat, left).await
    }

    async fn find_seat(&self) -> Result<(Arc<SharedBrowser>, Seat), EngineError> {
        if let Some(found) = self.free_seat()? {
            return Ok(found);
        }
        let _starting = self.starting.lock().await;
        // Whoever held the lock has started one.
        if let Some(found) = self.free_seat()? {
            return Ok(found);
        }
        let FleetOptions {
            label,
            spec,
            contexts_per_browser,
            ..
        } = &self.options;
        let capacity = (*contexts_per_browser).max(1);
        let browser = SharedBrowser::start(label, spec, &self.host, capacity).await?;
        self.enlist(browser).await
    }

    /// Whether another world would have a place without a further browser, or there is none yet.
    pub(super) fn has_room(&self) -> bool {
        let state = self.state();
        let free = |browser: &Arc<SharedBrowser>| browser.free_seats() > 0;
        state.browsers.is_empty() || state.browsers.iter().any(free)
    }

    /// A seat in the fullest browser that has one.
    fn free_seat(&self) -> Result<Option<(Arc<SharedBrowser>, Seat)>, EngineError> {
        let mut state = self.state();
        if state.closing {
            return Err(self.closed());
        }
        state
            .browsers
            .sort_by_key(|browser| std::cmp::Reverse(browser.worlds()));
        let with_seat = |browser: &Arc<SharedBrowser>| Some((browser.clone(), browser.seat()?));
        Ok(state.browsers.iter().find_map(with_seat))
    }

    /// Takes a new browser in, and a seat in it.
    async fn enlist(
        &self,
        browser: Arc<SharedBrowser>,
    ) -> Result<(Arc<SharedBrowser>, Seat), EngineError> {
        let seat = browser.seat();
        let enlisted = {
            let mut state = self.state();
            if !state.closing {
                state.browsers.push(browser.clone());
            }
            !state.closing
        };
        if !enlisted {
            browser.stop(Duration::ZERO).await?;
            return Err(self.closed());
        }
        self.wake.notify_one();
        let seat = seat.ok_or_else(|| EngineError::NoBrowser {
            reason: "it ended as soon as it had started; try again".to_owned(),
        })?;
        Ok((browser, seat))
    }

    fn closed(&self) -> EngineError {
        let label = self.options.label.clone();
        Error::Closing { label }.into()
    }
}
