//! Searching what the pages of a session said over time.

use std::collections::BTreeSet;

use rusqlite::{Row, params};

use crate::calls::parts::{self, Part};
use crate::content::{Line, for_each_line, shortened};
use crate::error::Result;
use crate::ids::{Principal, RefId, SessionId};
use crate::readers::View;
use crate::store::Store;
use crate::timestamp::Timestamp;
use crate::words::{self, Plain};

/// Responses that are not indexed yet are read instead. There are few, unless the load is heavy.
const MOST_UNINDEXED: i64 = 64;

/// What to find in the history of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Whose.
    pub principal: Principal,
    /// Of which session. `None`: calls outside any session.
    pub session: Option<SessionId>,
    /// Words that a page must all have.
    pub text: String,
    /// At most so many responses.
    pub limit: usize,
    /// At most so many lines of each.
    pub lines: usize,
}

/// A response whose page has the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The response.
    pub ref_id: RefId,
    /// What was called.
    pub tool: String,
    /// When.
    pub started_at: Timestamp,
    /// Where the page was.
    pub url: Option<String>,
    /// What the page was called.
    pub title: Option<String>,
    /// Lines that have all the words, or else some of them.
    pub lines: Vec<Line>,
}

impl Store {
    /// Pages that have all the words, newest first. A response is found from the moment at which
    /// it was acknowledged.
    pub async fn history(&self, query: HistoryQuery) -> Result<Vec<Hit>> {
        self.read_with(move |view| search(view, &query)).await
    }
}

fn search(view: &View<'_>, query: &HistoryQuery) -> Result<Vec<Hit>> {
    let plain = Plain::of(&query.text);
    let wanted = plain.words();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut hits = unindexed(view, query, &wanted)?;
    hits.extend(indexed(view, query, &wanted)?);
    // What is not indexed yet is mostly, but not always, the newest.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.ref_id));
    hits.truncate(query.limit);
    for hit in &mut hits {
        hit.lines = lines_of(view, query, hit.ref_id, &wanted)?;
    }
    Ok(hits)
}

fn indexed(view: &View<'_>, query: &HistoryQuery, wanted: &BTreeSet<&str>) -> Result<Vec<Hit>> {
    let scope = words::scope(&query.principal, query.session.as_ref());
    let mut statement = view.prepare_cached(
        "SELECT c.ref_id, c.tool, c.started_at, r.url, r.title \
         FROM snapshot_words w JOIN calls c ON c.seq = w.rowid JOIN responses r ON r.seq = c.seq \
         WHERE w.snapshot_words MATCH ?1 AND c.principal = ?2 AND c.session_id IS ?3 \
         ORDER BY w.rowid DESC LIMIT ?4",
    )?;
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let rows = statement.query_map(
        params![
            words::query(&scope, wanted),
            query.principal,
            query.session,
            limit
        ],
        hit,
    )?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn unindexed(view: &View<'_>, query: &HistoryQuery, wanted: &BTreeSet<&str>) -> Result<Vec<Hit>> {
    let mut statement = view.prepare_cached(
        "SELECT c.ref_id, c.tool, c.started_at, r.url, r.title \
         FROM responses r JOIN calls c ON c.seq = r.seq \
         WHERE r.settled = 0 AND r.content_kind = 'snapshot' \
         AND c.principal = ?1 AND c.session_id IS ?2 ORDER BY r.seq DESC LIMIT ?3",
    )?;
    let rows = statement.query_map(params![query.principal, query.session, MOST_UNINDEXED], hit)?;
    let mut hits = Vec::new();
    for row in rows {
        let hit = row?;
        let text = parts::read_text(view, &query.principal, hit.ref_id, Part::Content)?;
        if text.is_some_and(|text| Plain::of(&text).words().is_superset(wanted)) {
            hits.push(hit);
        }
    }
    Ok(hits)
}

fn lines_of(
    view: &View<'_>,
    query: &HistoryQuery,
    ref_id: RefId,
    wanted: &BTreeSet<&str>,
) -> Result<Vec<Line>> {
    let Some(mut part) = parts::open(view, &query.principal, ref_id, Part::Content)? else {
        return Ok(Vec::new());
    };
    let (mut with_all, mut with_some) = (Vec::new(), Vec::new());
    for_each_line(&mut *part.bytes, |number, text| {
        if with_all.len() >= query.lines {
            return;
        }
        let plain = Plain::of(text);
        let found = plain.words();
        let line = || Line {
            number,
            text: shortened(text),
            is_hit: true,
        };
        if found.is_superset(wanted) {
            with_all.push(line());
        } else if with_some.len() < query.lines && !found.is_disjoint(wanted) {
            with_some.push(line());
        }
    })
    .map_err(parts::unreadable)?;
    Ok(if with_all.is_empty() {
        with_some
    } else {
        with_all
    })
}

fn hit(row: &Row<'_>) -> rusqlite::Result<Hit> {
    Ok(Hit {
        ref_id: row.get(0)?,
        tool: row.get(1)?,
        started_at: row.get(2)?,
        url: row.get(3)?,
        title: row.get(4)?,
        lines: Vec::new(),
    })
}
