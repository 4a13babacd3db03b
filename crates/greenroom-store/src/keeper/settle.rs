//! What is done with a response after its commit: its large values are compressed, moved into the
//! database where they are still files, and the words of its page are indexed. Reading and
//! compressing happen here; the writer only swaps the result in. A response that is not settled is
//! served all the same, and a kill in between changes nothing: the row still says that it waits.

use rusqlite::{Connection, OptionalExtension, params};

use super::Worker;
use crate::calls::ContentKind;
use crate::calls::parts::{Found, Part, unreadable};
use crate::codec::{self, Codec, WORTH_COMPRESSING};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, SessionId};
use crate::readers::View;
use crate::spool;
use crate::words::{self, Plain};

/// A larger page is not indexed: it is a data dump, and would hold up everything else.
const LARGEST_INDEXED: u64 = 8 << 20;

/// How many responses, and about how many bytes of them, are settled in one transaction.
const MOST_AT_ONCE: usize = 16;
const BYTES_AT_ONCE: usize = 1 << 20;

/// A response that waits.
struct Waiting {
    seq: i64,
    principal: Principal,
    session: Option<SessionId>,
    kind: Option<ContentKind>,
    bytes: usize,
}

/// A response as it is to be once it is settled.
struct Settled {
    seq: i64,
    bytes: usize,
    values: Vec<(i64, Codec, Vec<u8>)>,
    document: Option<String>,
    /// The file is not what was written: a power loss took it. The response goes as well.
    lost: bool,
}

impl Worker {
    /// Settles everything that waits now, though callers may come. What they bring is left for
    /// later: they might never stop.
    pub(super) fn settle_all(&self) -> Result<()> {
        let up_to = self.readers.run_here(newest)?;
        while !self.orders.is_stopped() && self.settle_some(up_to)? {}
        Ok(())
    }

    /// Goes on until nothing waits, or callers come.
    pub(super) fn settle_if_quiet(&self) -> Result<()> {
        while !self.orders.is_stopped() && self.orders.may_settle() && self.settle_some(i64::MAX)? {
        }
        Ok(())
    }

    /// Removes the files that held what is settled by now.
    pub(super) fn tidy_spool(&self) -> Result<()> {
        let all_settled = || {
            self.readers
                .run_here(|view| Ok(next(view, 0, i64::MAX)?.is_none()))
        };
        self.parts.spool.tidy(&self.parts.path, all_settled)
    }

    /// Answers whether there was anything. Where the writer refuses, nothing more is tried until
    /// the next response comes.
    fn settle_some(&self, up_to: i64) -> Result<bool> {
        let some = match self.readers.run_here(|view| prepare_some(view, up_to)) {
            Ok(some) if !some.is_empty() => some,
            other => {
                if up_to == i64::MAX || other.is_err() {
                    self.orders.settled(None);
                }
                return other.map(|_| false);
            }
        };
        let bytes = some.iter().map(|settled| settled.bytes).sum();
        let applied = self
            .parts
            .writer
            .chore(move |conn| some.iter().try_for_each(|settled| settled.apply(conn)));
        self.orders.settled(applied.is_ok().then_some(bytes));
        applied.map(|()| true)
    }
}

/// Several at a time, since the word index likes to take a few texts at once, but not so much that
/// a caller would notice.
fn prepare_some(view: &View<'_>, up_to: i64) -> Result<Vec<Settled>> {
    let mut some: Vec<Settled> = Vec::new();
    let mut bytes = 0;
    while some.len() < MOST_AT_ONCE && bytes < BYTES_AT_ONCE {
        let after = some.last().map_or(0, |last| last.seq);
        let Some(waiting) = next(view, after, up_to)? else {
            break;
        };
        bytes += waiting.bytes;
        some.push(prepare_one(view, &waiting)?);
    }
    Ok(some)
}

fn newest(view: &View<'_>) -> Result<i64> {
    let mut newest = view.prepare_cached("SELECT coalesce(max(seq), 0) FROM responses")?;
    Ok(newest.query_row([], |row| row.get(0))?)
}

fn next(view: &View<'_>, after: i64, up_to: i64) -> Result<Option<Waiting>> {
    Ok(view
        .prepare_cached(
            "SELECT r.seq, c.principal, c.session_id, r.content_kind, r.bytes \
             FROM responses r JOIN calls c ON c.seq = r.seq \
             WHERE r.settled = 0 AND r.seq > ?1 AND r.seq <= ?2 ORDER BY r.seq LIMIT 1",
        )?
        .query_row([after, up_to], |row| {
            Ok(Waiting {
                seq: row.get(0)?,
                principal: row.get(1)?,
                session: row.get(2)?,
                kind: row.get(3)?,
                bytes: row.get(4)?,
            })
        })
        .optional()?)
}

fn prepare_one(view: &View<'_>, waiting: &Waiting) -> Result<Settled> {
    let mut settled = Settled {
        seq: waiting.seq,
        bytes: waiting.bytes,
        values: Vec::new(),
        document: None,
        lost: false,
    };
    match settled.prepare(view, waiting) {
        // What cannot be read stays as it is; trying again and again would not help.
        Err(error @ StoreError::Unreadable { .. }) => {
            tracing::error!(%error, seq = waiting.seq, "a response cannot be settled");
            Ok(settled)
        }
        other => other.map(|()| settled),
    }
}

impl Settled {
    fn prepare(&mut self, view: &View<'_>, waiting: &Waiting) -> Result<()> {
        for part in Part::ALL {
            let Some(found) = find(view, part.id(waiting.seq))? else {
                continue;
            };
            if found.codec == Codec::File {
                self.lost |= !is_whole(view, &found)?;
            }
            if self.lost {
                return Ok(());
            }
            self.pack(view, &found)?;
            let is_page = part == Part::Content && waiting.kind == Some(ContentKind::Snapshot);
            if is_page && found.raw_len <= LARGEST_INDEXED {
                let text = found.open(view)?.into_vec()?;
                self.document = Some(document(waiting, &String::from_utf8_lossy(&text)));
            }
        }
        Ok(())
    }

    fn pack(&mut self, view: &View<'_>, found: &Found) -> Result<()> {
        let packed = match found.codec {
            Codec::Zstd => None,
            _ if found.raw_len < WORTH_COMPRESSING => None,
            _ => codec::compress(found.open(view)?.bytes, found.raw_len).map_err(unreadable)?,
        };
        match (packed, found.codec) {
            (Some(packed), _) => self.values.push((found.id, Codec::Zstd, packed)),
            (None, Codec::File) => {
                self.values
                    .push((found.id, Codec::Raw, found.open(view)?.into_vec()?));
            }
            (None, _) => {}
        }
        Ok(())
    }

    fn apply(&self, conn: &Connection) -> Result<()> {
        let waited = conn
            .prepare_cached("UPDATE responses SET settled = 1 WHERE seq = ?1 AND settled = 0")?
            .execute([self.seq])?;
        if waited == 0 {
            // Removed meanwhile, or settled by another process.
            return Ok(());
        }
        if self.lost {
            return forget(conn, self.seq);
        }
        for (id, codec, data) in &self.values {
            conn.prepare_cached("UPDATE call_parts SET codec = ?2, data = ?3 WHERE id = ?1")?
                .execute(params![id, codec, data])?;
        }
        if let Some(document) = &self.document {
            conn.prepare_cached("INSERT INTO snapshot_words (rowid, words) VALUES (?1, ?2)")?
                .execute(params![self.seq, document])?;
        }
        Ok(())
    }
}

fn find(view: &View<'_>, id: i64) -> Result<Option<Found>> {
    Ok(view
        .prepare_cached("SELECT codec, raw_len FROM call_parts WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(Found {
                id,
                codec: row.get(0)?,
                raw_len: row.get(1)?,
            })
        })
        .optional()?)
}

fn is_whole(view: &View<'_>, found: &Found) -> Result<bool> {
    let ticket = found.ticket(view)?;
    let read = view
        .spool
        .open_value(&ticket, found.raw_len)
        .and_then(spool::crc_of);
    Ok(read.is_ok_and(|(crc, length)| crc == ticket.crc && length == found.raw_len))
}

/// The response is gone as if its commit had been; the call is still known.
fn forget(conn: &Connection, seq: i64) -> Result<()> {
    tracing::error!(
        seq,
        "a response was lost with a file that was not on the disk yet"
    );
    conn.execute("DELETE FROM responses WHERE seq = ?1", [seq])?;
    conn.execute("UPDATE calls SET outcome = 'unknown' WHERE seq = ?1", [seq])?;
    for part in [Part::Result, Part::Content, Part::Console] {
        conn.execute("DELETE FROM call_parts WHERE id = ?1", [part.id(seq)])?;
    }
    Ok(())
}

fn document(waiting: &Waiting, text: &str) -> String {
    let scope = words::scope(&waiting.principal, waiting.session.as_ref());
    words::document(&scope, &Plain::of(text).words())
}
