//! Every session by its owner and id, and the implicit ones by connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::id::SessionId;
use super::session::{Session, Wish};
use crate::dispatch::CallError;
use crate::fleet::BrowserPool;
use crate::identity::{ConnectionId, Principal};

/// Sessions of one principal. They are small, but a client that opens one per call must not fill
/// the memory, nor keep others out.
const MOST_SESSIONS: usize = 10_000;

/// All sessions. Every look-up is by principal and id: another principal's session is as unknown as
/// one that does not exist.
#[derive(Default)]
pub(crate) struct Registry {
    books: Mutex<Books>,
}

#[derive(Default)]
struct Books {
    sessions: HashMap<(Principal, SessionId), Arc<Session>>,
    /// A connection has one implicit session in each pool that it uses without naming a session.
    implicit: HashMap<(ConnectionId, String), Arc<Session>>,
}

impl Registry {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session with a fresh id.
    pub(crate) fn open(
        &self,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
        wish: Wish,
    ) -> Result<Arc<Session>, CallError> {
        self.books().open(SessionId::mint(), principal, pool, wish)
    }

    /// The session that a caller named. One that the caller made up is created on first use, in
    /// `pool`; one that Greenroom minted exists or has ended.
    pub(crate) fn named(
        &self,
        principal: &Principal,
        id: SessionId,
        pool: impl FnOnce() -> Result<Arc<BrowserPool>, CallError>,
    ) -> Result<Arc<Session>, CallError> {
        let mut books = self.books();
        if let Some(session) = books.sessions.get(&(principal.clone(), id.clone())) {
            return Ok(session.clone());
        }
        if id.is_minted() {
            return Err(CallError::UnknownSession { session: id });
        }
        books.open(id, principal, &pool()?, Wish::default())
    }

    /// The session that a connection uses in this pool when it names none.
    pub(crate) fn implicit(
        &self,
        connection: ConnectionId,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
    ) -> Result<Arc<Session>, CallError> {
        let mut books = self.books();
        let key = (connection, pool.name().to_owned());
        if let Some(session) = books.implicit.get(&key) {
            return Ok(session.clone());
        }
        let session = books.open(SessionId::mint(), principal, pool, Wish::default())?;
        books.implicit.insert(key, session.clone());
        Ok(session)
    }

    /// The sessions of one principal, oldest id first.
    pub(crate) fn of(&self, principal: &Principal) -> Vec<Arc<Session>> {
        let mut found = self.all();
        found.retain(|session| session.principal() == principal);
        found.sort_by(|a, b| a.id().cmp(b.id()));
        found
    }

    pub(crate) fn all(&self) -> Vec<Arc<Session>> {
        self.books().sessions.values().cloned().collect()
    }

    /// Ends a session. Its browser is wiped and freed when a running call is over.
    pub(crate) fn close(&self, principal: &Principal, id: &SessionId) -> Result<(), CallError> {
        let session =
            self.books()
                .remove(principal, id)
                .ok_or_else(|| CallError::UnknownSession {
                    session: id.clone(),
                })?;
        tokio::spawn(session.close());
        Ok(())
    }

    /// Ends a session that nobody has used for its `SESSION_TTL`.
    pub(super) fn expire(&self, session: &Session) {
        // Somebody may have closed it meanwhile, which is as good.
        let _ = self.close(session.principal(), session.id());
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
            tokio::spawn(session.close());
        }
    }
}

impl Books {
    fn open(
        &mut self,
        id: SessionId,
        principal: &Principal,
        pool: &Arc<BrowserPool>,
        wish: Wish,
    ) -> Result<Arc<Session>, CallError> {
        self.make_room(principal)?;
        let session = Arc::new(Session::new(
            id.clone(),
            principal.clone(),
            pool.clone(),
            wish,
        ));
        self.sessions
            .insert((principal.clone(), id), session.clone());
        Ok(session)
    }

    /// At the bound, the session that nobody has used for longest makes room, if it holds nothing.
    fn make_room(&mut self, principal: &Principal) -> Result<(), CallError> {
        if self.sessions.len() < MOST_SESSIONS {
            return Ok(());
        }
        let of_principal = self
            .sessions
            .values()
            .filter(|s| s.principal() == principal);
        if of_principal.clone().count() < MOST_SESSIONS {
            return Ok(());
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
        self.remove(principal, &oldest);
        Ok(())
    }

    fn remove(&mut self, principal: &Principal, id: &SessionId) -> Option<Arc<Session>> {
        let session = self.sessions.remove(&(principal.clone(), id.clone()))?;
        self.implicit
            .retain(|_, other| !Arc::ptr_eq(other, &session));
        Some(session)
    }
}
