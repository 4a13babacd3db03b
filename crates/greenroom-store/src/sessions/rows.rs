//! Making, changing and finding the rows of sessions.

use std::io::Read;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::model::{NewSession, Session, SessionState, session};
use crate::codec::{self, Codec};
use crate::db::runs::{self, RunId};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, SessionId};
use crate::store::Store;
use crate::timestamp::Timestamp;

const ROW_BYTES: usize = 256;

impl Store {
    /// Makes an active session. The name of a closed one may be used again.
    pub async fn create_session(&self, new: NewSession) -> Result<()> {
        let run = self.run();
        let write = move |conn: &Connection| create(conn, run, &new);
        self.writer().write(ROW_BYTES, write).await
    }

    /// Makes an active session like [`create_session`](Self::create_session), but never waits: it is
    /// committed no later than the end of a call that is stored after it. Where too much is queued it
    /// is not made.
    pub fn note_session(&self, new: NewSession) {
        let run = self.run();
        let write = move |conn: &Connection| create(conn, run, &new);
        self.writer().note(ROW_BYTES, write);
    }

    /// One session.
    pub async fn session(&self, principal: Principal, id: SessionId) -> Result<Session> {
        self.read_with(move |conn| {
            conn.prepare_cached(
                "SELECT id, pool, label, state, created_at, last_used_at FROM sessions \
                 WHERE principal = ?1 AND id = ?2",
            )?
            .query_row(params![principal, id], session)
            .optional()?
            .ok_or(StoreError::NO_SESSION)
        })
        .await
    }

    /// The sessions of a principal, last used first, closed ones only if asked for.
    pub async fn sessions(&self, principal: Principal, with_closed: bool) -> Result<Vec<Session>> {
        self.read_with(move |conn| {
            let mut statement = conn.prepare_cached(
                "SELECT id, pool, label, state, created_at, last_used_at FROM sessions \
                 WHERE principal = ?1 AND (?2 OR state <> 'closed') \
                 ORDER BY last_used_at DESC, key DESC",
            )?;
            let rows = statement.query_map(params![principal, with_closed], session)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Makes a session active in this process and gives the state that it was parked with.
    pub async fn activate_session(
        &self,
        principal: Principal,
        id: SessionId,
    ) -> Result<Option<Vec<u8>>> {
        let (run, path) = (self.run(), self.path().to_owned());
        self.writer()
            .write(ROW_BYTES, move |conn| {
                activate(conn, &path, run, &principal, &id)
            })
            .await
    }

    /// Saves the state of a session and frees it for any process.
    pub async fn park_session(
        &self,
        principal: Principal,
        id: SessionId,
        saved_state: Vec<u8>,
    ) -> Result<()> {
        let raw_len = saved_state.len();
        let packing = tokio::task::spawn_blocking(move || {
            codec::pack(&saved_state).map(|(codec, packed)| (codec, packed.unwrap_or(saved_state)))
        });
        let packed = packing.await.map_err(|_| StoreError::Closed)?;
        let (codec, bytes) = packed.map_err(|source| StoreError::Unreadable { source })?;
        self.change_session(bytes.len(), move |conn| {
            Ok(conn
                .prepare_cached(
                    "UPDATE sessions SET state = 'parked', run = NULL, saved_codec = ?3, \
                     saved_len = ?4, saved_state = ?5 \
                     WHERE principal = ?1 AND id = ?2 AND state <> 'closed'",
                )?
                .execute(params![principal, id, codec, raw_len, bytes])?)
        })
        .await
    }

    /// Ends a session, or says that it could not be brought back. What it had saved is dropped
    /// when it is closed.
    pub async fn end_session(
        &self,
        principal: Principal,
        id: SessionId,
        with_error: bool,
    ) -> Result<()> {
        let state = if with_error {
            SessionState::Error
        } else {
            SessionState::Closed
        };
        self.change_session(0, move |conn| {
            Ok(conn
                .prepare_cached(
                    "UPDATE sessions SET state = ?3, run = NULL, \
                     saved_state = CASE WHEN ?3 = 'closed' THEN NULL ELSE saved_state END \
                     WHERE principal = ?1 AND id = ?2 AND state <> 'closed'",
                )?
                .execute(params![principal, id, state])?)
        })
        .await
    }

    /// Notes that a session is used now. The end of a call does the same.
    pub async fn touch_session(&self, principal: Principal, id: SessionId) -> Result<()> {
        self.change_session(0, move |conn| {
            Ok(conn
                .prepare_cached(
                    "UPDATE sessions SET last_used_at = ?3 WHERE principal = ?1 AND id = ?2",
                )?
                .execute(params![principal, id, Timestamp::now()])?)
        })
        .await
    }

    /// Closes the sessions of all principals that were parked and not used since, and says which.
    pub async fn expire_sessions(
        &self,
        unused_since: Timestamp,
    ) -> Result<Vec<(Principal, SessionId)>> {
        self.writer()
            .write(ROW_BYTES, move |conn| {
                let mut statement = conn.prepare_cached(
                    "UPDATE sessions SET state = 'closed', saved_state = NULL \
                     WHERE state = 'parked' AND last_used_at < ?1 RETURNING principal, id",
                )?;
                let rows =
                    statement.query_map([unused_since], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// A change that must find its row.
    async fn change_session<F>(&self, bytes: usize, mut change: F) -> Result<()>
    where
        F: FnMut(&Connection) -> Result<usize> + Send + 'static,
    {
        self.writer()
            .write(ROW_BYTES + bytes, move |conn| match change(conn)? {
                0 => Err(StoreError::NO_SESSION),
                _ => Ok(()),
            })
            .await
    }
}

fn create(conn: &Connection, run: RunId, new: &NewSession) -> Result<()> {
    let made = conn
        .prepare_cached(
            "INSERT INTO sessions \
             (principal, id, pool, label, state, run, created_at, last_used_at) \
             VALUES (?1, ?2, ?3, ?4, 'active', ?5, ?6, ?6) \
             ON CONFLICT (principal, id) DO UPDATE SET pool = excluded.pool, \
             label = excluded.label, state = 'active', run = excluded.run, \
             created_at = excluded.created_at, last_used_at = excluded.last_used_at \
             WHERE sessions.state = 'closed'",
        )?
        .execute(params![
            new.principal,
            new.id,
            new.pool,
            new.label,
            run,
            Timestamp::now()
        ])?;
    if made == 0 {
        return Err(StoreError::SessionExists { id: new.id.clone() });
    }
    Ok(())
}

fn activate(
    conn: &Connection,
    database: &Path,
    run: RunId,
    principal: &Principal,
    id: &SessionId,
) -> Result<Option<Vec<u8>>> {
    let holder: Option<RunId> = conn
        .prepare_cached(
            "SELECT run FROM sessions WHERE principal = ?1 AND id = ?2 AND state <> 'closed'",
        )?
        .query_row(params![principal, id], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NO_SESSION)?;
    if let Some(other) = holder.filter(|holder| *holder != run)
        && let Some(pid) = runs::live_pid(conn, database, other)?
    {
        return Err(StoreError::ActiveElsewhere {
            id: id.clone(),
            pid,
        });
    }
    let saved = conn
        .prepare_cached(
            "UPDATE sessions SET state = 'active', run = ?3, last_used_at = ?4 \
             WHERE principal = ?1 AND id = ?2 RETURNING saved_codec, saved_len, saved_state",
        )?
        .query_row(params![principal, id, run, Timestamp::now()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    unpacked(saved)
}

fn unpacked((codec, len, bytes): (Codec, usize, Option<Vec<u8>>)) -> Result<Option<Vec<u8>>> {
    let Some(bytes) = bytes else { return Ok(None) };
    let mut raw = Vec::with_capacity(len);
    codec::unpack(codec, &bytes[..])
        .and_then(|mut reader| reader.read_to_end(&mut raw))
        .map_err(|source| StoreError::Unreadable { source })?;
    Ok(Some(raw))
}
