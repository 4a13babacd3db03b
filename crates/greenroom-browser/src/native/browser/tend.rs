//! What a fleet needs and nobody waits for.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::fleet::{Shared, State};
use super::shared::SharedBrowser;
use super::world::World;

/// The time that a world which nobody waits for may take: a browser's start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a browser that nobody needs may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// The pause after a failure, doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Tends a fleet for as long as anybody has it. Woken by events, never by a clock, but for the
/// pause after a failure.
pub(super) async fn tend(fleet: Weak<Shared>) {
    let mut watches = JoinSet::new();
    let mut watched: Vec<Weak<SharedBrowser>> = Vec::new();
    let mut pause = Pause::default();
    loop {
        let Some(shared) = fleet.upgrade() else {
            return;
        };
        if shared.state().closing {
            return;
        }
        end_unneeded(&shared);
        watch_new(&shared, &mut watched, &mut watches);
        if pause.is_over() && lacks_warm(&shared) && shared.has_room() {
            match shared.restock(PATIENCE).await {
                Ok(()) => pause = Pause::default(),
                Err(error) => {
                    tracing::warn!(%error, "cannot keep a blank world ready");
                    pause.longer();
                }
            }
            continue;
        }
        tokio::select! {
            () = shared.wake.notified() => {}
            Some(_) = watches.join_next() => {}
            () = pause.over(), if !pause.is_over() => {}
        }
    }
}

fn lacks_warm(shared: &Shared) -> bool {
    let state = shared.state();
    !state.closing && state.warm.len() < shared.options.warm
}

/// Wakes the fleet when a browser dies, or has room again.
fn watch_new(
    shared: &Arc<Shared>,
    watched: &mut Vec<Weak<SharedBrowser>>,
    watches: &mut JoinSet<()>,
) {
    watched.retain(|browser| browser.strong_count() > 0);
    for browser in &shared.state().browsers {
        let known = |other: &Weak<SharedBrowser>| other.as_ptr() == Arc::as_ptr(browser);
        if watched.iter().any(known) {
            continue;
        }
        watched.push(Arc::downgrade(browser));
        let connection = browser.chromium().connection().clone();
        let (changed, fleet) = (browser.changed(), Arc::downgrade(shared));
        watches.spawn(async move {
            let mut ended = std::pin::pin!(connection.ended());
            loop {
                tokio::select! {
                    _ = &mut ended => return,
                    () = changed.notified() => match fleet.upgrade() {
                        Some(fleet) => fleet.wake.notify_one(),
                        None => return,
                    },
                }
            }
        });
    }
}

/// Ends browsers that are dead, retired and empty, or too many, in the background.
fn end_unneeded(shared: &Shared) {
    let (ended, worlds) = unneeded(&mut shared.state());
    for browser in ended {
        let grace = if browser.is_alive() {
            GRACE
        } else {
            Duration::ZERO
        };
        tokio::spawn(async move {
            if let Err(error) = browser.stop(grace).await {
                tracing::warn!(%error, "a browser that is not needed could not be ended");
            }
        });
    }
    drop(worlds);
}

/// Takes browsers out that are not needed any more, with the blank worlds in them.
fn unneeded(state: &mut State) -> (Vec<Arc<SharedBrowser>>, Vec<World>) {
    // Nobody is given a blank world of a browser that takes in nobody any more.
    let retired = |world: &World| world.browser().is_retired();
    let (refused, sound): (Vec<World>, Vec<World>) = state.warm.drain(..).partition(retired);
    state.warm = sound.into();
    let useless = |browser: &Arc<SharedBrowser>| {
        !browser.is_alive() || (browser.is_retired() && browser.worlds() == 0)
    };
    let mut ended: Vec<_> = state
        .browsers
        .extract_if(.., |browser| useless(browser))
        .collect();
    if let Some(at) = surplus(state) {
        ended.push(state.browsers.remove(at));
    }
    let in_ended = |world: &World| {
        ended
            .iter()
            .any(|browser| Arc::ptr_eq(browser, world.browser()))
    };
    let (mut lost, kept): (Vec<World>, Vec<World>) = state.warm.drain(..).partition(in_ended);
    state.warm = kept.into();
    lost.extend(refused);
    (ended, lost)
}

/// A browser that serves nobody, while the others have room to spare for its blank worlds: a
/// quarter of it, so that the next caller does not have to start it again.
fn surplus(state: &State) -> Option<usize> {
    let warm_in = |browser: &Arc<SharedBrowser>| {
        let inside = |world: &&World| Arc::ptr_eq(browser, world.browser());
        state.warm.iter().filter(inside).count()
    };
    let free: usize = state
        .browsers
        .iter()
        .map(|browser| browser.free_seats())
        .sum();
    state.browsers.iter().position(|browser| {
        let warm = warm_in(browser);
        // A seat may have been given back since they were counted.
        let elsewhere = free.saturating_sub(browser.free_seats());
        let spare = (browser.capacity() / 4).max(1);
        browser.worlds() == warm && elsewhere >= warm + spare
    })
}

/// The pause after a failure: none to begin with.
#[derive(Debug, Default)]
struct Pause {
    length: Duration,
    end: Option<Instant>,
}

impl Pause {
    fn longer(&mut self) {
        self.length = (self.length * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        self.end = Some(Instant::now() + self.length);
    }

    fn is_over(&self) -> bool {
        self.end.is_none_or(|end| Instant::now() >= end)
    }

    async fn over(&self) {
        if let Some(end) = self.end {
            sleep_until(end).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_with_each_failure_up_to_a_bound() {
        let mut pause = Pause::default();
        assert!(pause.is_over());
        let mut lengths = Vec::new();
        for _ in 0..8 {
            pause.longer();
            let begun = Instant::now();
            pause.over().await;
            assert!(pause.is_over());
            lengths.push(begun.elapsed().as_secs());
        }
        assert_eq!(lengths, [1, 2, 4, 8, 16, 32, 60, 60]);
    }
}
