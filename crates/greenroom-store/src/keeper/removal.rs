//! The statements of retention, each short enough to be one step.

use std::time::Duration;

use rusqlite::{Connection, params};
use tokio::time::Instant;

use super::sizes;
use crate::calls::parts::Part;
use crate::error::Result;
use crate::ids::RefId;
use crate::timestamp::Timestamp;

/// Calls that one step looks at.
const WINDOW: u32 = 64;

/// A step that has taken this long does no more.
const STEP_TIME: Duration = Duration::from_millis(3);

/// How much of the word index one step rewrites, in its pages of 4 KB.
const MERGE_PAGES: i64 = 4;

/// Pages of the file that one step frees.
pub(super) const VACUUM_PAGES: u64 = 128;

/// Which calls go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    OlderThan(Timestamp),
    /// The oldest, until so many bytes are gone.
    Surplus(u64),
}

/// What one step did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The last call that was looked at.
    pub(super) floor: i64,
    pub(super) removed: u64,
    /// When the last one that was removed had started.
    pub(super) up_to: Option<Timestamp>,
    /// Whether the walk is over.
    pub(super) done: bool,
}

struct Candidate {
    seq: i64,
    ref_id: RefId,
    started_at: Timestamp,
    /// It runs, or waits to be settled.
    unfinished: bool,
}

pub(super) fn remove_some(conn: &Connection, rule: Rule, floor: i64) -> Result<Step> {
    let begun = Instant::now();
    let window = window(conn, floor)?;
    let mut step = Step {
        floor,
        removed: 0,
        up_to: None,
        done: window.len() < WINDOW as usize,
    };
    let used = sizes::used_bytes(conn)?;
    let (mut any_goes, mut blob_bytes) = (false, 0);
    for call in &window {
        step.floor = call.seq;
        if call.goes(rule) {
            any_goes = true;
            if !is_needed(conn, call.seq)? {
                blob_bytes += remove(conn, call)?;
                step.removed += 1;
                step.up_to = Some(call.started_at);
            }
        }
        let enough = match rule {
            Rule::Surplus(surplus) => {
                used.saturating_sub(sizes::used_bytes(conn)?) + blob_bytes >= surplus
            }
            Rule::OlderThan(_) => false,
        };
        if enough || begun.elapsed() > STEP_TIME {
            step.done = false;
            return Ok(step);
        }
    }
    // Calls stand in the order in which they came: where a whole window stays, the rest does.
    step.done |= !any_goes;
    Ok(step)
}

fn window(conn: &Connection, floor: i64) -> Result<Vec<Candidate>> {
    let mut statement = conn.prepare_cached(
        "SELECT c.seq, c.ref_id, c.started_at, c.outcome = 'running' OR r.settled = 0 \
         FROM calls c LEFT JOIN responses r ON r.seq = c.seq WHERE c.seq > ?1 \
         ORDER BY c.seq LIMIT ?2",
    )?;
    let rows = statement.query_map(params![floor, WINDOW], |row| {
        Ok(Candidate {
            seq: row.get(0)?,
            ref_id: row.get(1)?,
            started_at: row.get(2)?,
            unfinished: row.get::<_, Option<bool>>(3)?.unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl Candidate {
    fn goes(&self, rule: Rule) -> bool {
        !self.unfinished
            && match rule {
                Rule::OlderThan(cutoff) => self.started_at < cutoff,
                Rule::Surplus(_) => true,
            }
    }
}

/// Whether a session that may go on needs this response: it is its newest, or its newest page.
fn is_needed(conn: &Connection, seq: i64) -> Result<bool> {
    Ok(conn
        .prepare_cached(
            "SELECT 1 FROM calls c JOIN sessions s ON s.principal = c.principal \
             AND s.id = c.session_id AND s.state IN ('active', 'parked') \
             WHERE c.seq = ?1 AND c.seq IN ( \
               (SELECT n.seq FROM calls n JOIN responses r ON r.seq = n.seq \
                WHERE n.principal = c.principal AND n.session_id = c.session_id \
                ORDER BY n.seq DESC LIMIT 1), \
               (SELECT n.seq FROM calls n JOIN responses r ON r.seq = n.seq \
                WHERE n.principal = c.principal AND n.session_id = c.session_id \
                AND r.content_kind = 'snapshot' ORDER BY n.seq DESC LIMIT 1))",
        )?
        .exists([seq])?)
}

/// Removes a call and its response, and answers how many bytes of blobs it named.
fn remove(conn: &Connection, call: &Candidate) -> Result<u64> {
    let indexed = conn
        .prepare_cached(
            "SELECT 1 FROM responses WHERE seq = ?1 AND settled = 1 AND content_kind = 'snapshot'",
        )?
        .exists([call.seq])?;
    if indexed {
        conn.prepare_cached("UPDATE snapshot_words_removed SET texts = texts + 1")?
            .execute([])?;
        conn.prepare_cached("DELETE FROM snapshot_words WHERE rowid = ?1")?
            .execute([call.seq])?;
    }
    let blob_bytes = conn
        .prepare_cached(
            "SELECT coalesce(sum(b.size), 0) FROM blob_refs r JOIN blobs b ON b.sha256 = r.sha256 \
             WHERE r.ref_id = ?1",
        )?
        .query_row([call.ref_id], |row| row.get(0))?;
    conn.prepare_cached("DELETE FROM blob_refs WHERE ref_id = ?1")?
        .execute([call.ref_id])?;
    for part in Part::ALL {
        conn.prepare_cached("DELETE FROM call_parts WHERE id = ?1")?
            .execute([part.id(call.seq)])?;
    }
    // The row of the response goes with it.
    conn.prepare_cached("DELETE FROM calls WHERE seq = ?1")?
        .execute([call.seq])?;
    Ok(blob_bytes)
}

/// Uploads, and names by calls that were never stored.
pub(super) fn forget_blob_refs(conn: &Connection, cutoff: Timestamp) -> Result<usize> {
    Ok(conn
        .prepare_cached(
            "DELETE FROM blob_refs WHERE (sha256, principal, ref_id) IN ( \
             SELECT b.sha256, b.principal, b.ref_id FROM blob_refs b WHERE b.created_at < ?1 \
             AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.ref_id = b.ref_id) LIMIT ?2)",
        )?
        .execute(params![cutoff, WINDOW])?)
}

/// The upload that was named longest ago.
pub(super) fn forget_oldest_upload(conn: &Connection) -> Result<usize> {
    Ok(conn
        .prepare_cached(
            "DELETE FROM blob_refs WHERE (sha256, principal, ref_id) IN ( \
             SELECT b.sha256, b.principal, b.ref_id FROM blob_refs b WHERE b.ref_id = x'' \
             ORDER BY b.created_at LIMIT 1)",
        )?
        .execute([])?)
}

pub(super) fn forget_rows(conn: &Connection, cutoff: Timestamp) -> Result<usize> {
    const SMALL_ROWS: [&str; 3] = [
        "DELETE FROM sessions WHERE key IN (SELECT key FROM sessions \
         WHERE state IN ('closed', 'error') AND last_used_at < ?1 LIMIT ?2)",
        "DELETE FROM cursors WHERE (principal, reader, session_id, tab) IN ( \
         SELECT principal, reader, session_id, tab FROM cursors WHERE updated_at < ?1 LIMIT ?2)",
        "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended_at < ?1 LIMIT ?2)",
    ];
    let mut removed = 0;
    for sql in SMALL_ROWS {
        removed += conn.prepare_cached(sql)?.execute(params![cutoff, WINDOW])?;
    }
    Ok(removed)
}

/// Whether a quarter of the texts in the word index are no longer there.
pub(super) fn words_need_cleaning(conn: &Connection) -> Result<bool> {
    let removed: u64 = conn
        .prepare_cached("SELECT texts FROM snapshot_words_removed")?
        .query_row([], |row| row.get(0))?;
    Ok(removed > 0 && removed >= sizes::calls(conn)? / 4)
}

/// Marks the whole index to be rewritten, and answers whether there is anything to do. Where no
/// call is left it is simply emptied: nothing would be left of it to count steps by.
pub(super) fn begin_cleaning_words(conn: &Connection) -> Result<bool> {
    conn.execute("UPDATE snapshot_words_removed SET texts = 0", [])?;
    if sizes::calls(conn)? == 0 {
        conn.execute(
            "INSERT INTO snapshot_words (snapshot_words) VALUES ('delete-all')",
            [],
        )?;
        return Ok(false);
    }
    merge_words(conn, -1)
}

/// Rewrites a little of the index, and answers whether there may be more to do.
pub(super) fn clean_some_words(conn: &Connection) -> Result<bool> {
    merge_words(conn, MERGE_PAGES)
}

fn merge_words(conn: &Connection, pages: i64) -> Result<bool> {
    let before = conn.total_changes();
    conn.prepare_cached("INSERT INTO snapshot_words (snapshot_words, rank) VALUES ('merge', ?1)")?
        .execute([pages])?;
    // SQLite's documentation: fewer than two changes say that there was nothing to merge.
    Ok(conn.total_changes() - before >= 2)
}

/// Gives some free pages of the file back to the system.
pub(super) fn free_some_pages(conn: &Connection) -> Result<()> {
    let mut freeing = conn.prepare(&format!("PRAGMA incremental_vacuum({VACUUM_PAGES})"))?;
    let mut freed = freeing.query([])?;
    while freed.next()?.is_some() {}
    Ok(())
}
