//! Sessions as rows that outlive the process.
//!
//! A session that cannot be written down works all the same, for as long as the process lives: the
//! store has counted and logged it. What a row says of a session of an earlier run is its name, its
//! pool and its label; the state of its pages went with the run.

use std::time::Duration;

use greenroom_store::{NewSession, SessionState, Store, StoreError, Timestamp};

use super::id::SessionId;
use super::session::Session;
use crate::dispatch::CallError;
use crate::identity::Principal;
use crate::record::owner;
use crate::service::Refused;

/// A session that this process knows from the record alone.
#[derive(Debug, Clone)]
pub(crate) struct Dormant {
    pub(crate) id: String,
    pub(crate) label: Option<String>,
    pub(crate) pool: String,
    pub(crate) state: SessionState,
    pub(crate) idle_seconds: u64,
}

/// The rows of all sessions.
pub(super) struct Ledger(Store);

impl Ledger {
    pub(super) fn new(store: Store) -> Self {
        Self(store)
    }

    /// Notes that a session was opened. Never waits: it is on disk before the first answer from it.
    pub(super) fn note(&self, session: &Session) {
        self.0.note_session(row(session));
    }

    /// Writes a session down before anybody is told of it.
    pub(super) async fn opened(&self, session: &Session) {
        if let Err(error) = self.0.create_session(row(session)).await {
            tracing::warn!(session = %session.id(), %error, "the session will not survive a restart");
        }
    }

    /// Notes that a session is over. Says whether there was one.
    pub(super) async fn closed(&self, principal: &Principal, id: &SessionId) -> bool {
        let ended = self.0.end_session(owner(principal), row_id(id), false);
        match ended.await {
            Ok(()) => true,
            Err(StoreError::NotFound { .. }) => false,
            Err(error) => {
                tracing::warn!(session = %id, %error, "the end of the session was not written down");
                false
            }
        }
    }

    /// Takes a session of an earlier run into this process. `None` if there is none.
    pub(super) async fn wake(
        &self,
        principal: &Principal,
        id: &SessionId,
    ) -> Result<Option<Dormant>, CallError> {
        let row = match self.0.session(owner(principal), row_id(id)).await {
            Ok(row) if row.state != SessionState::Closed => row,
            Ok(_) | Err(StoreError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unavailable(id, &error)),
        };
        let activated = self.0.activate_session(owner(principal), row_id(id));
        match activated.await {
            Ok(_) => Ok(Some(dormant(row))),
            Err(StoreError::ActiveElsewhere { pid, .. }) => {
                let session = id.clone();
                Err(CallError::SessionInOtherProcess { session, pid })
            }
            Err(StoreError::NotFound { .. }) => Ok(None),
            // It is there and nobody else has it: it goes on, and the next start finds it as it was.
            Err(error) => {
                tracing::warn!(session = %id, %error, "the session goes on without being marked active");
                Ok(Some(dormant(row)))
            }
        }
    }

    /// Ends the sessions of all principals that nobody has taken up for that long.
    pub(super) async fn expire(&self, unused_for: Duration) {
        let before = Timestamp::now().before(unused_for);
        match self.0.expire_sessions(before).await {
            Ok(ended) if !ended.is_empty() => {
                tracing::info!(count = ended.len(), "sessions of earlier runs have expired");
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "old sessions were not ended"),
        }
    }

    /// The sessions of a principal that are not over, last used first.
    pub(super) async fn all(&self, principal: &Principal) -> Vec<Dormant> {
        let rows = self.0.sessions(owner(principal), false).await;
        let rows = rows.inspect_err(|error| {
            tracing::warn!(%error, "earlier sessions cannot be listed");
        });
        rows.unwrap_or_default().into_iter().map(dormant).collect()
    }
}

fn unavailable(id: &SessionId, error: &StoreError) -> CallError {
    CallError::Reading {
        kind: Refused::Unavailable,
        message: format!(
            "session '{id}' cannot be looked up now: {error}. Retry, or open a new session."
        ),
    }
}

fn row(session: &Session) -> NewSession {
    NewSession {
        principal: owner(session.principal()),
        id: row_id(session.id()),
        pool: session.pool().name().to_owned(),
        label: session.label().map(str::to_owned),
    }
}

fn row_id(id: &SessionId) -> greenroom_store::SessionId {
    greenroom_store::SessionId::new(id.as_str())
}

fn dormant(row: greenroom_store::Session) -> Dormant {
    let idle = Timestamp::now().as_millis() - row.last_used_at.as_millis();
    Dormant {
        id: row.id.as_str().to_owned(),
        label: row.label,
        pool: row.pool,
        state: row.state,
        idle_seconds: u64::try_from(idle / 1000).unwrap_or_default(),
    }
}
