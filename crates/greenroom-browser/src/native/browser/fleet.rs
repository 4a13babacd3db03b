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
use tokio::time::{Instant, timeout, timeout_at};

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
        let found = timeout_at(end, self.0.shared.find()).await;
        self.0.shared.wake.notify_one();
        match found.map_err(|_| no_room(deadline))?? {
            Found::Ready(world) => Ok(*world),
            Found::Room(browser, seat) => {
                let left = end.saturating_duration_since(Instant::now());
                browser.world_on(seat, left).await
            }
        }
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

/// What a caller gets.
enum Found {
    Ready(Box<World>),
    Room(Arc<SharedBrowser>, Seat),
}

fn no_room(after: Duration) -> EngineError {
    EngineError::Timeout {
        what: "a browser with room for another world".to_owned(),
        stage: Stage::Starting,
        after,
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

    /// A world that is ready, or room for one. A browser is started only if there is neither and
    /// none is about to come.
    async fn find(&self) -> Result<Found, EngineError> {
        loop {
            // Listening comes first: what is told after the look is not missed.
            let restocked = self.restocked.notified();
            if let Some(world) = self.ready().await {
                return Ok(Found::Ready(Box::new(world)));
            }
            if let Some((browser, seat)) = self.free_seat()? {
                return Ok(Found::Room(browser, seat));
            }
            if self.last_seat_is_restocked() {
                restocked.await;
            } else {
                self.start_browser().await?;
            }
        }
    }

    /// A blank world whose page answers. It may have crashed while it waited; such a world is
    /// dropped, and so disposed of.
    async fn ready(&self) -> Option<World> {
        loop {
            let world = self.state().warm.pop_front()?;
            let browser = world.browser();
            let is_sound = browser.is_alive() && !browser.is_retired();
            if is_sound && world.probe(READY).await.is_ok() {
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

    /// Makes a blank world to be kept ready, if there is a seat for it. Only the first browser is
    /// started for that: a further one costs more than a blank world saves.
    pub(super) async fn restock(&self, deadline: Duration) -> Result<(), EngineError> {
        self.state().restocking = true;
        let mut made = self.spare(deadline).await;
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

    async fn spare(&self, deadline: Duration) -> Result<Option<World>, EngineError> {
        if self.state().browsers.is_empty() {
            let started = timeout(deadline, self.start_browser()).await;
            started.map_err(|_| no_room(deadline))??;
        }
        match self.free_seat()? {
            Some((browser, seat)) => browser.world_on(seat, deadline).await.map(Some),
            None => Ok(None),
        }
    }

    /// Starts a browser, unless somebody else has made that needless meanwhile.
    async fn start_browser(&self) -> Result<(), EngineError> {
        let _starting = self.starting.lock().await;
        let is_needless = {
            let state = self.state();
            !state.warm.is_empty() || state.browsers.iter().any(|b| b.free_seats() > 0)
        };
        if is_needless || self.last_seat_is_restocked() {
            return Ok(());
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

    /// Takes a new browser in.
    async fn enlist(&self, browser: Arc<SharedBrowser>) -> Result<(), EngineError> {
        if browser.free_seats() == 0 {
            return Err(EngineError::NoBrowser {
                reason: "it ended as soon as it had started; try again".to_owned(),
            });
        }
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
        Ok(())
    }

    fn closed(&self) -> EngineError {
        let label = self.options.label.clone();
        Error::Closing { label }.into()
    }
}
