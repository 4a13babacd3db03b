//! One session: an agent's own world, which holds a browser between calls.
//!
//! A session is entered for each call. Entering waits for the calls before it (a fair lock, so calls
//! run one at a time in the order they came), then makes sure that the session holds a browser: the
//! one it had, or a new one from its pool. The browser stays with the session after the call, until
//! the session is closed or the holding policy takes the browser for somebody who waits. Whoever
//! enters next is told that the state is gone, and why.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use greenroom_browser::call::Reply;
use greenroom_pool::{Holder, InstanceName, Request};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use super::id::SessionId;
use crate::dispatch::CallError;
use crate::fleet::{BrowserLease, BrowserPool};
use crate::identity::Principal;

/// No queue of honest calls takes longer than this.
const LONGEST_TURN: Duration = Duration::from_secs(3600);

/// An agent's world.
pub(crate) struct Session {
    id: SessionId,
    principal: Principal,
    pool: Arc<BrowserPool>,
    label: Option<String>,
    holder: Holder,
    seat: Arc<tokio::sync::Mutex<Seat>>,
    /// What others may look at while a call holds the seat.
    view: Mutex<View>,
}

/// What whoever opens a session may ask for.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    /// A name for people.
    pub(crate) label: Option<String>,
    /// Cookies and storage to begin with, as Playwright writes them.
    pub(crate) storage_state: Option<Value>,
    /// Why what it had before is gone, if it had something.
    pub(crate) lost: Option<String>,
}

/// What only the call whose turn it is may touch.
#[derive(Default)]
struct Seat {
    lease: Option<BrowserLease>,
    /// Cookies and storage that the first browser of the session begins with.
    initial: Option<Value>,
    /// Why the browser that the session had is gone, until somebody has been told.
    lost: Option<String>,
    closed: bool,
}

/// A session as others see it.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// Calls that run or wait for their turn.
    pub(crate) calls: usize,
    pub(crate) last_used: Instant,
    pub(crate) holding: Option<InstanceName>,
    /// Open tabs, as far as replies have told.
    pub(crate) tab_count: Option<usize>,
}

impl View {
    fn forget_browser(&mut self) {
        self.holding = None;
        self.tab_count = None;
    }

    /// How long the session has held a browser without using it; none while it is in use.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        (self.calls == 0).then_some(self.last_used)
    }
}

impl Session {
    pub(super) fn new(
        id: SessionId,
        principal: Principal,
        pool: Arc<BrowserPool>,
        wish: Wish,
    ) -> Self {
        Self {
            holder: Holder::new(format!("session {id} of {principal}")),
            id,
            principal,
            pool,
            label: wish.label,
            seat: Arc::new(tokio::sync::Mutex::new(Seat {
                initial: wish.storage_state,
                lost: wish.lost,
                ..Seat::default()
            })),
            view: Mutex::new(View {
                calls: 0,
                last_used: Instant::now(),
                holding: None,
                tab_count: None,
            }),
        }
    }

    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) fn principal(&self) -> &Principal {
        &self.principal
    }

    pub(crate) fn pool(&self) -> &Arc<BrowserPool> {
        &self.pool
    }

    pub(crate) fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    pub(crate) fn view(&self) -> View {
        self.lock_view().clone()
    }

    /// Notes what a reply tells about the world. Engines list the tabs only when there are several.
    pub(crate) fn observe(&self, reply: &Reply) {
        let mut view = self.lock_view();
        if !reply.tabs.is_empty() {
            view.tab_count = Some(reply.tabs.len());
        } else if view.tab_count.is_none() && reply.page.is_some() {
            view.tab_count = Some(1);
        }
    }

    /// Whether a lease with this holder is this session's.
    pub(crate) fn is_holder(&self, holder: &Holder) -> bool {
        self.holder == *holder
    }

    fn lock_view(&self) -> std::sync::MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for this call's turn and for a browser. `instance` names the only one that will do.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        tool: &str,
        instance: Option<&str>,
    ) -> Result<Turn, CallError> {
        let presence = Presence::announce(self);
        let ahead = self.lock_view().calls - 1;
        let busy = || CallError::SessionBusy {
            session: self.id.clone(),
            ahead,
        };
        if ahead > self.pool.settings().max_queue {
            return Err(busy());
        }
        // Every call ahead ends within deadlines of its own; this bounds what they add up to.
        let mut seat = tokio::time::timeout(LONGEST_TURN, self.seat.clone().lock_owned())
            .await
            .map_err(|_| busy())?;
        if seat.closed {
            return Err(CallError::UnknownSession {
                session: self.id.clone(),
            });
        }
        self.discard_dead_browser(&mut seat);
        match (&seat.lease, instance) {
            (Some(lease), Some(wanted)) if !lease.is_called(wanted) => {
                return Err(CallError::SessionElsewhere {
                    session: self.id.clone(),
                    held: lease.name().to_string(),
                    wanted: wanted.to_owned(),
                });
            }
            (Some(_), _) => {}
            (None, _) => {
                let lease = self.pool.acquire(self.request(tool, instance)).await?;
                if let Some(state) = &seat.initial {
                    lease.restore(state).await?;
                }
                seat.initial = None;
                self.lock_view().holding = Some(lease.name().clone());
                seat.lease = Some(lease);
            }
        }
        let lost = seat.lost.take();
        if let Some(lease) = &seat.lease {
            lease.set_activity(Some(tool));
        }
        Ok(Turn {
            seat,
            presence,
            lost,
        })
    }

    fn request(&self, tool: &str, instance: Option<&str>) -> Request {
        let wish = Request::any(self.holder.clone(), self.pool.settings().lease_timeout)
            .activity(tool.to_owned());
        match instance {
            Some(key) => wish.only(key),
            None => wish,
        }
    }

    /// A browser that died between two calls is no browser.
    fn discard_dead_browser(&self, seat: &mut Seat) {
        if let Some(reason) = seat.lease.as_ref().and_then(BrowserLease::lost_reason) {
            seat.lease = None;
            seat.lost = Some(format!("process crash while leased but idle ({reason})"));
            self.lock_view().forget_browser();
        }
    }

    /// Takes the browser away, unless a call runs or waits. The world is wiped off the caller's
    /// path; the next call of this session is told `why` its state is gone.
    pub(super) fn give_up_browser(&self, why: &str) -> bool {
        let Ok(mut seat) = self.seat.clone().try_lock_owned() else {
            return false;
        };
        if self.lock_view().calls > 0 {
            return false;
        }
        let Some(lease) = seat.lease.take() else {
            return false;
        };
        seat.lost = Some(why.to_owned());
        self.lock_view().forget_browser();
        lease.release_reset();
        true
    }

    /// Ends the session. A call that runs may finish; then the browser is wiped and freed.
    pub(super) async fn close(self: Arc<Self>) {
        let mut seat = self.seat.clone().lock_owned().await;
        seat.closed = true;
        self.lock_view().forget_browser();
        if let Some(lease) = seat.lease.take() {
            lease.release_reset();
        }
    }
}

/// Counts a call as present from before it waits until it is over, however it ends.
struct Presence(Arc<Session>);

impl Presence {
    fn announce(session: &Arc<Session>) -> Self {
        session.lock_view().calls += 1;
        Self(session.clone())
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut view = self.0.lock_view();
        view.calls -= 1;
        view.last_used = Instant::now();
        drop(view);
        self.0.pool.note_idle_session();
    }
}

/// The right of one call to use the session's browser. Dropping it leaves the browser with the session.
pub(crate) struct Turn {
    seat: OwnedMutexGuard<Seat>,
    presence: Presence,
    /// Why the state that the caller may expect is gone.
    pub(crate) lost: Option<String>,
}

impl Turn {
    /// The session's browser, unless it has been given back as broken in this turn.
    pub(crate) fn browser(&self) -> Option<&BrowserLease> {
        self.seat.lease.as_ref()
    }

    /// Gives the browser back as broken. The next call of the session is told.
    pub(crate) fn fail(&mut self, reason: &str) {
        if let Some(lease) = self.seat.lease.take() {
            lease.fail(reason);
            self.seat.lost = Some(reason.to_owned());
            self.session().lock_view().forget_browser();
        }
    }

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.presence.0
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(lease) = &self.seat.lease {
            lease.set_activity(None);
        }
        self.presence.0.discard_dead_browser(&mut self.seat);
    }
}
