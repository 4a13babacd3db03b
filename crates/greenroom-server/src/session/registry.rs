//! Every session by its owner and id, and the implicit ones by connection.
//!
//! What is in use is in memory; what outlives the process is in the ledger. A session that is not in
//! memory is looked for there before it is called unknown or made anew.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use greenroom_store::Store;

use super::id::SessionId;
use super::ledger::{Dormant, Ledger};
use super::session::{Session, Wish};
use crate::dispatch::CallError;
use crate::fleet::BrowserPool;
use crate::identity::{ConnectionId, Principal};

/// Sessions of one principal. They are small, but a client that opens one per call must not fill
/// the memory, nor keep others out.
const MOST_SESSIONS: usize = 10_000;

/// Held by whoever looks for a session beyond the books.
type TurnToLook = tokio::sync::Mutex<()>;

/// All sessions. Every look-up is by principal and id: another principal's session is as unknown as
/// one that does not exist.
pub(crate) struct Registry {
    books: Mutex<Books>,
    ledger: Arc<Ledger>,
    /// Who looks beyond the books for which session, so that two calls never make one twice, and
    /// nobody waits for another's.
    beyond: Mutex<HashMap<(Principal, SessionId), Weak<TurnToLook>>>,
}

#[derive(Default)]
struct Books {
    sessions: HashMap<(Principal, SessionId), Arc<Session>>,
    /// A connection has one implicit session in each pool that it uses without naming a session.
    implicit: HashMap<(ConnectionId, String), Arc<Session>>,
}

impl Registry {
    /// Sessions that are written down in this store.
    pub(crate) fn new(store: Store) -> Self {
        Self {
            books: Mutex::default(),
            ledger: Arc::new(Ledger::new(store)),
            beyond: Mutex::default(),
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session with a fresh id.
    pub(crate) async fn open(
        &self,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
        wish: Wish,
    ) -> Result<Arc<Session>, CallError> {
        let opened = self
            .books()
            .open(SessionId::mint(), principal, pool, wish)?;
        self.ledger.opened(&opened.session).await;
        Ok(self.taken_in(opened))
    }

    /// The session that was opened. One that made room for it is over.
    fn taken_in(&self, opened: Opened) -> Arc<Session> {
        if let Some(gone) = opened.made_room {
            self.write_end(gone.principal().clone(), gone.id().clone());
        }
        opened.session
    }

    /// Writes the end of a session down, behind the caller's back.
    fn write_end(&self, principal: Principal, id: SessionId) {
        let ledger = self.ledger.clone();
        tokio::spawn(async move { ledger.closed(&principal, &id).await });
    }

    /// The session that a caller named. One that the caller made up is created on first use; one
    /// that Greenroom minted exists or has ended. One of an earlier run goes on in the pool in which
    /// it lived: `pool` finds it by the name that was written down, or the caller's own choice.
    pub(crate) async fn named(
        &self,
        principal: &Principal,
        id: SessionId,
        pool: impl Fn(Option<&str>) -> Result<Arc<BrowserPool>, CallError>,
    ) -> Result<Arc<Session>, CallError> {
        if let Some(session) = self.find(principal, &id) {
            return Ok(session);
        }
        let turn = self.turn_to_look(principal, &id);
        let _looking = turn.lock().await;
        if let Some(session) = self.find(principal, &id) {
            return Ok(session);
        }
        let dormant = match self.ledger.wake(principal, &id).await {
            // A name that may well be new is not kept waiting for a store that does not answer.
            Err(CallError::Reading { .. }) if !id.is_minted() => None,
            found => found?,
        };
        if let Some(dormant) = dormant {
            let pool = pool(Some(&dormant.pool))?;
            let wish = Wish {
                label: dormant.label,
                lost: Some("greenroom was started anew since".to_owned()),
                ..Wish::default()
            };
            let opened = self.books().open(id, principal, &pool, wish)?;
            return Ok(self.taken_in(opened));
        }
        if id.is_minted() {
            return Err(CallError::UnknownSession { session: id });
        }
        let pool = pool(None)?;
        let opened = self.books().open(id, principal, &pool, Wish::default())?;
        self.ledger.note(&opened.session);
        Ok(self.taken_in(opened))
    }

    fn turn_to_look(&self, principal: &Principal, id: &SessionId) -> Arc<TurnToLook> {
        let mut beyond = self.beyond.lock().unwrap_or_else(PoisonError::into_inner);
        beyond.retain(|_, turn| turn.strong_count() > 0);
        let known = beyond.entry((principal.clone(), id.clone())).or_default();
        known.upgrade().unwrap_or_else(|| {
            let turn = Arc::default();
            *known = Arc::downgrade(&turn);
            turn
        })
    }

    fn find(&self, principal: &Principal, id: &SessionId) -> Option<Arc<Session>> {
        let books = self.books();
        books
            .sessions
            .get(&(principal.clone(), id.clone()))
            .cloned()
    }

    /// The session that a connection uses in this pool when it names none.
    pub(crate) fn implicit(
        &self,
        connection: ConnectionId,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
    ) -> Result<Arc<Session>, CallError> {
        let opened = {
            let mut books = self.books();
            let key = (connection, pool.name().to_owned());
            if let Some(session) = books.implicit.get(&key) {
                return Ok(session.clone());
            }
            let opened = books.open(SessionId::mint(), principal, pool, Wish::default())?;
            books.implicit.insert(key, opened.session.clone());
            opened
        };
        self.ledger.note(&opened.session);
        Ok(self.taken_in(opened))
    }

    /// The sessions of one principal, oldest id first.
    pub(crate) fn of(&self, principal: &Principal) -> Vec<Arc<Session>> {
        let mut found = self.all();
        found.retain(|session| session.principal() == principal);
        found.sort_by(|a, b| a.id().cmp(b.id()));
        found
    }

    /// Ends the sessions of earlier runs that nobody has taken up for that long.
    pub(crate) async fn expire_dormant(&self, unused_for: Duration) {
        self.ledger.expire(unused_for).await;
    }

    /// The sessions of one principal that are in the ledger alone, last used first.
    pub(crate) async fn dormant(&self, principal: &Principal) -> Vec<Dormant> {
        let mut rows = self.ledger.all(principal).await;
        let here: HashSet<String> = self
            .of(principal)
            .iter()
            .map(|session| session.id().as_str().to_owned())
            .collect();
        rows.retain(|row| !here.contains(&row.id));
        rows
    }

    pub(crate) fn all(&self) -> Vec<Arc<Session>> {
        self.books().sessions.values().cloned().collect()
    }

    /// Ends a session, one of an earlier run too. Its browser is wiped and freed when a running call
    /// is over.
    pub(crate) async fn close(
        &self,
        principal: &Principal,
        id: &SessionId,
    ) -> Result<(), CallError> {
        let session = self.books().remove(principal, id);
        let was_here = session.is_some();
        if let Some(session) = session {
            tokio::spawn(session.close());
        } else {
            // One that another process uses is not ours to end.
            self.ledger.wake(principal, id).await?;
        }
        let was_written = self.ledger.closed(principal, id).await;
        if was_here || was_written {
            return Ok(());
        }
        Err(CallError::UnknownSession {
            session: id.clone(),
        })
    }

    /// Ends a session that nobody has used for its `SESSION_TTL`.
    pub(super) fn expire(&self, session: &Session) {
        let removed = self.books().remove(session.principal(), session.id());
        if let Some(session) = removed {
            self.write_end(session.principal().clone(), session.id().clone());
            tokio::spawn(session.close());
        }
    }

    /// Ends the implicit sessions of a connection that is gone.
    pub(crate) fn close_connection(&self, connection: ConnectionId) {
        let ended: Vec<Arc<Session>> = {
            let mut books = self.books();
            let of_connection: Vec<_> = books
                .implicit
                .iter()
                .filter(|((owner, _), _)| *owner == connection)
                .map(|(_, session)| session.clone())
                .collect();
            of_connection
                .iter()
                .filter_map(|session| books.remove(session.principal(), session.id()))
                .collect()
        };
        for session in ended {
            self.write_end(session.principal().clone(), session.id().clone());
            tokio::spawn(session.close());
        }
    }
}

/// A session that was just put into the books.
struct Opened {
    session: Arc<Session>,
    /// The one that had to go for it.
    made_room: Option<Arc<Session>>,
}

impl Books {
    fn open(
        &mut self,
        id: SessionId,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
        wish: Wish,
    ) -> Result<Opened, CallError> {
        let made_room = self.make_room(principal)?;
        let session = Arc::new(Session::new(
            id.clone(),
            principal.clone(),
            pool.clone(),
            wish,
        ));
        self.sessions
            .insert((principal.clone(), id), session.clone());
        Ok(Opened { session, made_room })
    }

    /// At the bound, the session that nobody has used for longest makes room, if it holds nothing.
    fn make_room(&mut self, principal: &Principal) -> Result<Option<Arc<Session>>, CallError> {
        if self.sessions.len() < MOST_SESSIONS {
            return Ok(None);
        }
        let of_principal = self
            .sessions
            .values()
            .filter(|s| s.principal() == principal);
        if of_principal.clone().count() < MOST_SESSIONS {
            return Ok(None);
        }
        let unused = of_principal.filter_map(|session| {
            let view = session.view();
            let since = view.idle_since().filter(|_| view.holding.is_none())?;
            Some((since, session.id().clone()))
        });
        let Some((_, oldest)) = unused.min_by_key(|(since, _)| *since) else {
            return Err(CallError::TooManySessions {
                limit: MOST_SESSIONS,
            });
        };
        Ok(self.remove(principal, &oldest))
    }

    fn remove(&mut self, principal: &Principal, id: &SessionId) -> Option<Arc<Session>> {
        let session = self.sessions.remove(&(principal.clone(), id.clone()))?;
        self.implicit
            .retain(|_, other| !Arc::ptr_eq(other, &session));
        Some(session)
    }
}
