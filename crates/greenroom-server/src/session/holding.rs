//! When a session gives up its browser.
//!
//! A session keeps its browser between calls. It loses it when it has been idle for its
//! `SESSION_TIMEOUT`, or earlier when somebody waits for a browser that only an idle session could
//! give: then the least recently used session goes first, but none that was used within `MIN_HOLD`.
//! One task per pool watches for both; it sleeps until the next moment at which either can be due.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

use super::registry::Registry;
use super::session::Session;
use crate::fleet::BrowserPool;

/// How long the task may sleep when nothing is due: a bound on every missed wake-up.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// How long it may sleep while somebody waits whom it cannot help yet.
const SLEEP_UNDER_PRESSURE: Duration = Duration::from_secs(1);

/// Watches one pool until it closes or the registry is gone.
pub(crate) async fn watch(pool: Weak<BrowserPool>, registry: Weak<Registry>) {
    let Some(mut pressure) = pool.upgrade().map(|pool| pool.pressure()) else {
        return;
    };
    loop {
        let (Some(strong), Some(books)) = (pool.upgrade(), registry.upgrade()) else {
            return;
        };
        let next = settle(&strong, &books, Instant::now());
        drop(books);
        tokio::select! {
            open = pressure.changed() => if !open { return },
            () = strong.session_idle() => {}
            () = tokio::time::sleep_until(next) => {}
        }
    }
}

/// Takes every browser that is due now and says when to look again.
fn settle(pool: &Arc<BrowserPool>, registry: &Registry, now: Instant) -> Instant {
    let mut idle = idle_sessions(pool, registry);
    // Sessions that become idle wake nobody unless somebody waits, so the clock looks after them.
    let mut next = now + LONGEST_SLEEP.min(pool.session_timeout(None) / 2);

    idle.retain(|(since, session)| {
        if *since + pool.session_ttl() <= now {
            registry.expire(session);
            return false;
        }
        let Some(held) = session.view().holding else {
            return false;
        };
        let due = *since + pool.session_timeout(Some(held.id));
        if due <= now {
            session.give_up_browser("the session was idle for longer than SESSION_TIMEOUT");
            return false;
        }
        next = next.min(due);
        true
    });

    for wanted in pool.unserved() {
        next = next.min(now + SLEEP_UNDER_PRESSURE);
        let fits = |session: &Session| {
            let held = session.view().holding;
            held.is_some_and(|held| wanted.is_none_or(|wanted| held.id == wanted))
        };
        let Some(position) = idle.iter().position(|(_, session)| fits(session)) else {
            continue;
        };
        let due = idle[position].0 + pool.settings().min_hold;
        if due > now {
            next = next.min(due);
            continue;
        }
        let (_, session) = idle.remove(position);
        session.give_up_browser("another caller needed its browser while the session was idle");
    }
    next
}

/// The sessions of this pool that no call uses, least recently used first.
fn idle_sessions(pool: &Arc<BrowserPool>, registry: &Registry) -> Vec<(Instant, Arc<Session>)> {
    let mut idle: Vec<_> = registry
        .all()
        .into_iter()
        .filter(|session| Arc::ptr_eq(session.pool(), pool))
        .filter_map(|session| Some((session.view().idle_since()?, session)))
        .collect();
    idle.sort_by_key(|(since, _)| *since);
    idle
}
