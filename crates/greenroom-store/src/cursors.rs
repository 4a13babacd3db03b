//! Reading a page once, and then only what changed.
//!
//! A cursor says what a reader has seen last of one tab of one session. It belongs to (principal,
//! reader, session, tab) and spans responses: a page that was read in one is not new in the next.
//!
//! | the reader has | and asks for | it gets |
//! |---|---|---|
//! | no cursor, or resets it | anything | everything |
//! | seen this text (by SHA-256) | `changed`, `diff` | nothing |
//! | seen another text | `changed` | everything |
//! | seen another text | `diff` | the lines that differ; everything where that is shorter, or where the other text is gone |
//! | either | `full` | everything |
//!
//! Each of these reads moves the cursor. A response whose text is no page is read whole, and no
//! cursor moves. Pages, searches and other ways of reading never come here.

use rusqlite::{OptionalExtension, params};

use crate::calls::ContentKind;
use crate::calls::parts::{self, Part};
use crate::content::{Mode, line_diff};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, Reader, RefId, SessionId};
use crate::readers::View;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// A read with a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// Whose response.
    pub principal: Principal,
    /// Whose cursor.
    pub reader: Reader,
    /// Which response.
    pub ref_id: RefId,
    /// What is wanted if the text has changed.
    pub mode: Mode,
    /// Whether to forget what was read before.
    pub reset: bool,
}

impl ReadRequest {
    /// A read in the default mode.
    pub fn new(principal: Principal, reader: Reader, ref_id: RefId) -> Self {
        Self {
            principal,
            reader,
            ref_id,
            mode: Mode::default(),
            reset: false,
        }
    }

    /// In this mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// From the start.
    #[must_use]
    pub fn reset(mut self) -> Self {
        self.reset = true;
        self
    }
}

/// What a read with a cursor gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The whole text.
    Full {
        /// The text.
        text: String,
        /// Why all of it.
        why: WhyFull,
    },
    /// Nothing has changed since the last read.
    Unchanged,
    /// The lines that differ.
    Diff {
        /// Hunks with a little context.
        text: String,
        /// The response that was read before.
        since: RefId,
    },
    /// The response has no text.
    NoContent,
}

/// Why a read gives the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyFull {
    /// It is the reader's first, or it starts over.
    First,
    /// The text has changed, or everything was asked for.
    Asked,
    /// What was read before is no longer stored, or too large to be compared.
    NothingToCompare,
    /// The difference would be longer.
    Shorter,
    /// It is no page: it is always read whole.
    NotAPage,
}

/// Where a cursor stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cursor {
    ref_id: RefId,
    hash: [u8; 32],
}

/// The text that is asked for, before it is read.
struct Target {
    session: Option<SessionId>,
    tab: Option<String>,
    kind: Option<ContentKind>,
    hash: Option<[u8; 32]>,
}

impl Store {
    /// Reads the text of a response with the cursor of a reader, and moves it.
    pub async fn read(&self, request: ReadRequest) -> Result<Reading> {
        let asked = request.clone();
        let (reading, target) = self.read_with(move |view| look(view, &asked)).await?;
        if let (Some(ContentKind::Snapshot), Some(hash)) = (target.kind, target.hash) {
            // A cursor that could not be moved costs a second reading, not the answer: the writer
            // has logged and counted it.
            let _ = self.move_cursor(request, target, hash).await;
        }
        Ok(reading)
    }

    async fn move_cursor(&self, to: ReadRequest, target: Target, hash: [u8; 32]) -> Result<()> {
        const ROW_BYTES: usize = 256;
        self.writer()
            .write(ROW_BYTES, move |conn| {
                conn.prepare_cached(
                    "INSERT INTO cursors \
                     (principal, reader, session_id, tab, ref_id, hash, updated_at) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET \
                     ref_id = excluded.ref_id, hash = excluded.hash, \
                     updated_at = excluded.updated_at",
                )?
                .execute(params![
                    to.principal,
                    to.reader,
                    key_text(target.session.as_ref().map(SessionId::as_str)),
                    key_text(target.tab.as_deref()),
                    to.ref_id,
                    hash,
                    Timestamp::now(),
                ])?;
                Ok(())
            })
            .await
    }
}

fn look(view: &View<'_>, request: &ReadRequest) -> Result<(Reading, Target)> {
    let target = find_target(view, request)?;
    let seen = if request.reset {
        None
    } else {
        find_cursor(view, request, &target)?
    };
    let reading = match (target.kind, target.hash) {
        (None, _) | (_, None) => Reading::NoContent,
        (Some(ContentKind::Text), _) => full(view, request, WhyFull::NotAPage)?,
        (Some(ContentKind::Snapshot), Some(hash)) => compare(view, request, seen, hash)?,
    };
    Ok((reading, target))
}

fn compare(
    view: &View<'_>,
    request: &ReadRequest,
    seen: Option<Cursor>,
    hash: [u8; 32],
) -> Result<Reading> {
    let Some(seen) = seen else {
        return full(view, request, WhyFull::First);
    };
    match request.mode {
        Mode::Full => full(view, request, WhyFull::Asked),
        _ if seen.hash == hash => Ok(Reading::Unchanged),
        Mode::Changed => full(view, request, WhyFull::Asked),
        Mode::Diff => difference(view, request, seen.ref_id),
    }
}

fn difference(view: &View<'_>, request: &ReadRequest, since: RefId) -> Result<Reading> {
    let new = text_of(view, request, request.ref_id)?.unwrap_or_default();
    let whole = |text, why| Ok(Reading::Full { text, why });
    let Some(old) = text_of(view, request, since)? else {
        return whole(new, WhyFull::NothingToCompare);
    };
    match line_diff(&old, &new) {
        Ok(text) if text.len() < new.len() => Ok(Reading::Diff { text, since }),
        Ok(_) => whole(new, WhyFull::Shorter),
        Err(StoreError::TooLarge { .. }) => whole(new, WhyFull::NothingToCompare),
        Err(other) => Err(other),
    }
}

fn full(view: &View<'_>, request: &ReadRequest, why: WhyFull) -> Result<Reading> {
    let text = text_of(view, request, request.ref_id)?.unwrap_or_default();
    Ok(Reading::Full { text, why })
}

fn text_of(view: &View<'_>, request: &ReadRequest, ref_id: RefId) -> Result<Option<String>> {
    parts::read_text(view, &request.principal, ref_id, Part::Content)
}

fn find_target(view: &View<'_>, request: &ReadRequest) -> Result<Target> {
    view.prepare_cached(
        "SELECT c.session_id, r.tab, r.content_kind, r.content_hash \
         FROM calls c JOIN responses r ON r.seq = c.seq WHERE c.ref_id = ?1 AND c.principal = ?2",
    )?
    .query_row(params![request.ref_id, request.principal], |row| {
        Ok(Target {
            session: row.get(0)?,
            tab: row.get(1)?,
            kind: row.get(2)?,
            hash: row.get(3)?,
        })
    })
    .optional()?
    .ok_or(StoreError::NO_RESPONSE)
}

fn find_cursor(view: &View<'_>, request: &ReadRequest, target: &Target) -> Result<Option<Cursor>> {
    let session = key_text(target.session.as_ref().map(SessionId::as_str));
    Ok(view
        .prepare_cached(
            "SELECT ref_id, hash FROM cursors \
             WHERE principal = ?1 AND reader = ?2 AND session_id = ?3 AND tab = ?4",
        )?
        .query_row(
            params![
                request.principal,
                request.reader,
                session,
                key_text(target.tab.as_deref())
            ],
            |row| {
                Ok(Cursor {
                    ref_id: row.get(0)?,
                    hash: row.get(1)?,
                })
            },
        )
        .optional()?)
}

/// A key has no NULL: no session and no tab are the empty name, which nothing else has.
fn key_text(name: Option<&str>) -> &str {
    name.unwrap_or_default()
}
