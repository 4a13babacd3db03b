//! Looking up calls: one by its name, or many, newest first.

use std::time::Duration;

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::model::{ContentKind, Outcome};
use super::parts::{self, Part};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId, SessionId};
use crate::readers::View;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// What is known about a call without reading its large values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallInfo {
    /// Its name.
    pub ref_id: RefId,
    /// Its session.
    pub session: Option<SessionId>,
    /// Its pool.
    pub pool: Option<String>,
    /// Its instance.
    pub instance: Option<String>,
    /// What was called.
    pub tool: String,
    /// When it started.
    pub started_at: Timestamp,
    /// How long it took, once it has ended.
    pub duration: Option<Duration>,
    /// How it stands.
    pub outcome: Outcome,
    /// Its response, once it has one.
    pub response: Option<ResponseInfo>,
}

/// What is known about a response without reading its large values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResponseInfo {
    /// What its text is, if it has one.
    pub content: Option<ContentKind>,
    /// How many lines its text has.
    pub content_lines: u64,
    /// How many console messages it has.
    pub console_count: u64,
    /// How many of them are errors.
    pub console_error_count: u64,
    /// Where the page was.
    pub url: Option<String>,
    /// What the page was called.
    pub title: Option<String>,
    /// Which tab it was in.
    pub tab: Option<String>,
    /// Bytes of result, text and console, before compression.
    pub bytes: u64,
}

/// Which calls to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only those that came before this one.
    pub before: Option<RefId>,
    /// At most so many.
    pub limit: usize,
}

const COLUMNS: &str = "c.ref_id, c.session_id, c.pool, c.instance, c.tool, c.started_at, \
    c.duration_us, c.outcome, r.seq, r.content_kind, r.content_lines, r.console_count, \
    r.console_errors, r.url, r.title, r.tab, r.bytes";

impl Store {
    /// One call.
    pub async fn call(&self, principal: Principal, ref_id: RefId) -> Result<CallInfo> {
        self.read_with(move |view| {
            let sql = format!(
                "SELECT {COLUMNS} FROM calls c LEFT JOIN responses r ON r.seq = c.seq \
                 WHERE c.ref_id = ?1 AND c.principal = ?2"
            );
            view.prepare_cached(&sql)?
                .query_row(params![ref_id, principal], call_info)
                .optional()?
                .ok_or(StoreError::NO_RESPONSE)
        })
        .await
    }

    /// The arguments of a call, as JSON text.
    pub async fn arguments(&self, principal: Principal, ref_id: RefId) -> Result<String> {
        self.read_with(move |view| {
            let short: Option<String> = view
                .prepare_cached("SELECT arguments FROM calls WHERE ref_id = ?1 AND principal = ?2")?
                .query_row(params![ref_id, principal], |row| row.get(0))
                .optional()?
                .ok_or(StoreError::NO_RESPONSE)?;
            match short {
                Some(short) => Ok(short),
                None => Ok(parts::read_text(view, &principal, ref_id, Part::Arguments)?
                    .unwrap_or_default()),
            }
        })
        .await
    }

    /// The exact bytes of a result.
    pub async fn result(&self, principal: Principal, ref_id: RefId) -> Result<Vec<u8>> {
        self.read_with(move |view| {
            parts::read_all(view, &principal, ref_id, Part::Result)?.ok_or(StoreError::NO_RESPONSE)
        })
        .await
    }

    /// Calls, newest first.
    pub async fn calls(&self, principal: Principal, filter: CallFilter) -> Result<Vec<CallInfo>> {
        self.read_with(move |view| list(view, &principal, &filter))
            .await
    }
}

/// The order in which calls came, which is what pages of a list hang on.
pub(crate) fn seq_of(view: &View<'_>, principal: &Principal, ref_id: RefId) -> Result<i64> {
    view.prepare_cached("SELECT seq FROM calls WHERE ref_id = ?1 AND principal = ?2")?
        .query_row(params![ref_id, principal], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NO_RESPONSE)
}

fn list(view: &View<'_>, principal: &Principal, filter: &CallFilter) -> Result<Vec<CallInfo>> {
    let before = match filter.before {
        Some(ref_id) => seq_of(view, principal, ref_id)?,
        None => i64::MAX,
    };
    // Two texts, so that each finds its index.
    let session = match filter.session {
        Some(_) => "c.session_id = ?5",
        None => "?5 IS NULL",
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM calls c LEFT JOIN responses r ON r.seq = c.seq \
         WHERE c.principal = ?1 AND c.seq < ?2 AND (?3 IS NULL OR c.tool = ?3) AND {session} \
         ORDER BY c.seq DESC LIMIT ?4"
    );
    let mut statement = view.prepare_cached(&sql)?;
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    let rows = statement.query_map(
        params![principal, before, filter.tool, limit, filter.session],
        call_info,
    )?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn call_info(row: &Row<'_>) -> rusqlite::Result<CallInfo> {
    let answered: Option<i64> = row.get(8)?;
    Ok(CallInfo {
        ref_id: row.get(0)?,
        session: row.get(1)?,
        pool: row.get(2)?,
        instance: row.get(3)?,
        tool: row.get(4)?,
        started_at: row.get(5)?,
        duration: row.get::<_, Option<u64>>(6)?.map(Duration::from_micros),
        outcome: row.get(7)?,
        response: answered.map(|_| response_info(row)).transpose()?,
    })
}

fn response_info(row: &Row<'_>) -> rusqlite::Result<ResponseInfo> {
    Ok(ResponseInfo {
        content: row.get(9)?,
        content_lines: row.get(10)?,
        console_count: row.get(11)?,
        console_error_count: row.get(12)?,
        url: row.get(13)?,
        title: row.get(14)?,
        tab: row.get(15)?,
        bytes: row.get(16)?,
    })
}
