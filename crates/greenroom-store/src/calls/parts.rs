//! The large values of a call, read in pieces.

use std::io::{BufRead, Read};

use rusqlite::types::{ToSql, ToSqlOutput};
use rusqlite::{MAIN_DB, OptionalExtension, params};

use crate::codec::{self, Codec};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId};
use crate::readers::View;
use crate::spool::Ticket;

/// Which value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Arguments = 0,
    Result = 1,
    Content = 2,
    Console = 3,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Arguments, Self::Result, Self::Content, Self::Console];

    /// The key of this value of a call.
    pub(crate) const fn id(self, seq: i64) -> i64 {
        4 * seq + self as i64
    }
}

/// A value that can be read from its start, without ever being in memory as a whole.
pub(crate) struct PartReader<'c> {
    pub(crate) raw_len: u64,
    pub(crate) bytes: Box<dyn BufRead + 'c>,
}

/// Opens a value of a call of this principal. `None` where the call has no such value.
pub(crate) fn open<'c>(
    view: &View<'c>,
    principal: &Principal,
    ref_id: RefId,
    part: Part,
) -> Result<Option<PartReader<'c>>> {
    let found = view
        .prepare_cached(
            "SELECT p.id, p.codec, p.raw_len \
             FROM calls c JOIN call_parts p ON p.id = 4 * c.seq + ?3 \
             WHERE c.ref_id = ?1 AND c.principal = ?2",
        )?
        .query_row(params![ref_id, principal, part], |row| {
            Ok(Found {
                id: row.get(0)?,
                codec: row.get(1)?,
                raw_len: row.get(2)?,
            })
        })
        .optional()?;
    found.map(|found| found.open(view)).transpose()
}

/// The row of a value.
pub(crate) struct Found {
    pub(crate) id: i64,
    pub(crate) codec: Codec,
    pub(crate) raw_len: u64,
}

impl Found {
    pub(crate) fn open<'c>(&self, view: &View<'c>) -> Result<PartReader<'c>> {
        let bytes = match self.codec {
            Codec::File => {
                let file = view.spool.open_value(&self.ticket(view)?, self.raw_len);
                file.and_then(|file| codec::unpack(Codec::File, file))
            }
            in_row => {
                let blob = view
                    .conn
                    .blob_open(MAIN_DB, c"call_parts", c"data", self.id, true)?;
                codec::unpack(in_row, blob)
            }
        };
        Ok(PartReader {
            raw_len: self.raw_len,
            bytes: bytes.map_err(unreadable)?,
        })
    }

    /// Where the file is that holds this value.
    pub(crate) fn ticket(&self, view: &View<'_>) -> Result<Ticket> {
        let mut statement = view.prepare_cached("SELECT data FROM call_parts WHERE id = ?1")?;
        Ok(statement.query_row([self.id], |row| {
            Ok(Ticket::from_bytes(row.get_ref(0)?.as_blob()?)?)
        })?)
    }
}

/// A whole value.
pub(crate) fn read_all(
    view: &View<'_>,
    principal: &Principal,
    ref_id: RefId,
    part: Part,
) -> Result<Option<Vec<u8>>> {
    open(view, principal, ref_id, part)?
        .map(PartReader::into_vec)
        .transpose()
}

/// A whole text.
pub(crate) fn read_text(
    view: &View<'_>,
    principal: &Principal,
    ref_id: RefId,
    part: Part,
) -> Result<Option<String>> {
    let bytes = read_all(view, principal, ref_id, part)?;
    bytes
        .map(|bytes| {
            String::from_utf8(bytes).map_err(|error| unreadable(std::io::Error::other(error)))
        })
        .transpose()
}

/// Fails unless the principal has a response of this name.
pub(crate) fn require_response(
    view: &View<'_>,
    principal: &Principal,
    ref_id: RefId,
) -> Result<()> {
    view.prepare_cached(
        "SELECT 1 FROM calls c JOIN responses r ON r.seq = c.seq \
         WHERE c.ref_id = ?1 AND c.principal = ?2",
    )?
    .query_row(params![ref_id, principal], |_| Ok(()))
    .optional()?
    .ok_or(StoreError::NO_RESPONSE)
}

impl PartReader<'_> {
    pub(crate) fn into_vec(mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.raw_len).unwrap_or_default());
        self.bytes.read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }
}

pub(crate) fn unreadable(source: std::io::Error) -> StoreError {
    StoreError::Unreadable { source }
}

impl ToSql for Part {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((*self as i64).into())
    }
}
