//! Writing a call when it starts and when it ends.

use rusqlite::{Connection, OptionalExtension, params};

use super::model::{Call, Finish, Outcome, Persisted, Response};
use super::stored::{self, Stored};
use crate::codec::WORTH_COMPRESSING;
use crate::db::runs::RunId;
use crate::error::{Result, StoreError};
use crate::spool::{Claim, WORTH_A_FILE};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// What a row costs in the queue beside its values.
const ROW_BYTES: usize = 512;

impl Store {
    /// Notes that a call runs, so that a crash leaves `unknown` and not nothing. Never waits: where
    /// too much is queued the note is dropped, since the end of the call carries everything.
    pub fn call_started(&self, call: &Call) {
        let (run, call) = (self.run(), call.clone());
        self.writer().note(call.weight(), move |conn| {
            upsert(conn, run, &call, Outcome::Running, None).map(|_| ())
        });
    }

    /// Stores how a call ended. Resolves after COMMIT. An error says that the answer may be given,
    /// but not as persisted; it comes within the time that the options allow.
    pub async fn call_finished(&self, call: Call, finish: Finish) -> Result<Persisted> {
        let (outcome, duration) = (finish.outcome, finish.duration);
        let (stored, claim) = match finish.response {
            Some(response) => {
                let (stored, claim) = self.prepare(response).await?;
                (Some(stored), claim)
            }
            None => (None, None),
        };
        let weight = call.weight() + stored.as_ref().map_or(0, Stored::in_memory);
        let to_settle = stored.as_ref().map(Stored::bytes);
        let (run, ref_id) = (self.run(), call.ref_id);
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let write = move |conn: &Connection| {
            let seq = upsert(conn, run, &call, outcome, Some(micros))?
                .ok_or(StoreError::AlreadyFinished { ref_id })?;
            if let Some(stored) = &stored {
                stored.insert(conn, seq)?;
            }
            touch_session(conn, &call)
        };
        self.writer().write_with(claim, weight, write).await?;
        if let Some(bytes) = to_settle {
            self.keeper().to_settle(bytes);
        }
        Ok(Persisted(ref_id))
    }

    /// Everything about a response that can be done before it has the writer.
    async fn prepare(&self, response: Response) -> Result<(Stored, Option<Claim>)> {
        let (size, limit) = (response.size(), self.options().max_value_bytes);
        if size as u64 > limit {
            let size = size as u64;
            return Err(StoreError::TooLarge {
                what: "the response",
                size,
                limit,
            });
        }
        let spool = self.spool().clone();
        let prepare = move || Stored::prepare(response, &spool);
        let prepared = if size < WORTH_A_FILE {
            prepare()
        } else {
            // Hashing takes a while then, and writing a file may block.
            tokio::task::spawn_blocking(prepare)
                .await
                .unwrap_or(Err(StoreError::Closed))
        };
        prepared.inspect_err(|error| {
            if let StoreError::NotPersisted { reason } = error {
                self.writer().failed(reason);
            }
        })
    }
}

impl Call {
    fn weight(&self) -> usize {
        ROW_BYTES + self.arguments.len()
    }
}

/// Writes the row of a call. The end of a call finds the row of its start, or none. `None` says
/// that the call has ended before: there is one outcome, the first.
pub(crate) fn upsert(
    conn: &Connection,
    run: RunId,
    call: &Call,
    outcome: Outcome,
    micros: Option<i64>,
) -> Result<Option<i64>> {
    let long = call.arguments.len() as u64 >= WORTH_COMPRESSING;
    let seq: Option<i64> = conn
        .prepare_cached(
            "INSERT INTO calls (ref_id, run, principal, session_id, pool, instance, tool, \
             started_at, duration_us, outcome, arguments) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             ON CONFLICT (ref_id) DO UPDATE SET session_id = excluded.session_id, \
             pool = excluded.pool, instance = excluded.instance, \
             duration_us = excluded.duration_us, outcome = excluded.outcome \
             WHERE calls.outcome = 'running' AND calls.principal = excluded.principal \
             RETURNING seq",
        )?
        .query_row(
            params![
                call.ref_id,
                run,
                call.principal,
                call.session,
                call.pool,
                call.instance,
                call.tool,
                call.started_at,
                micros,
                outcome,
                (!long).then_some(&call.arguments),
            ],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(seq) = seq.filter(|_| long) {
        stored::insert_arguments(conn, seq, &call.arguments)?;
    }
    Ok(seq)
}

fn touch_session(conn: &Connection, call: &Call) -> Result<()> {
    let Some(session) = &call.session else {
        return Ok(());
    };
    conn.prepare_cached(
        "UPDATE sessions SET last_used_at = max(last_used_at, ?3) WHERE principal = ?1 AND id = ?2",
    )?
    .execute(params![call.principal, session, Timestamp::now()])?;
    Ok(())
}
