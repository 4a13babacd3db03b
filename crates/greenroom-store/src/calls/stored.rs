//! A response on its way into the database: what is to be said about it, and its values, each in
//! the row or, where they are large, already in a file.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::console::ConsoleLevel;
use super::model::{ContentKind, Response};
use super::parts::Part;
use crate::codec::Codec;
use crate::error::Result;
use crate::spool::{Claim, SpoolDir, WORTH_A_FILE};

/// A response that is ready to be inserted.
pub(crate) struct Stored {
    kind: Option<ContentKind>,
    hash: Option<[u8; 32]>,
    lines: u64,
    console_count: usize,
    console_errors: usize,
    url: Option<String>,
    title: Option<String>,
    tab: Option<String>,
    bytes: usize,
    values: Vec<Value>,
}

struct Value {
    part: Part,
    codec: Codec,
    raw_len: usize,
    data: Vec<u8>,
}

impl Response {
    /// Bytes of its values. The console is counted roughly.
    pub(super) fn size(&self) -> usize {
        let console = self.console.iter().map(|message| message.text.len() + 64);
        self.result.len()
            + self
                .content
                .as_ref()
                .map_or(0, |content| content.text.len())
            + console.sum::<usize>()
    }
}

impl Stored {
    /// Hashes the text, and writes the values to a file if they are large.
    pub(super) fn prepare(response: Response, spool: &SpoolDir) -> Result<(Self, Option<Claim>)> {
        let text = response
            .content
            .as_ref()
            .map(|content| content.text.as_bytes());
        let errors = response
            .console
            .iter()
            .filter(|message| message.level == ConsoleLevel::Error);
        let mut stored = Self {
            kind: response.content.as_ref().map(|content| content.kind),
            hash: text.map(|text| Sha256::digest(text).into()),
            lines: text.map_or(0, count_lines),
            console_count: response.console.len(),
            console_errors: errors.count(),
            url: response.url,
            title: response.title,
            tab: response.tab,
            bytes: 0,
            values: vec![Value::in_row(Part::Result, response.result)],
        };
        if let Some(content) = response.content {
            stored
                .values
                .push(Value::in_row(Part::Content, content.text.into_bytes()));
        }
        if !response.console.is_empty() {
            let json = serde_json::to_vec(&response.console).expect("BUG: plain fields are JSON");
            stored.values.push(Value::in_row(Part::Console, json));
        }
        stored.bytes = stored.in_memory();
        let claim = stored.move_to_file(spool)?;
        Ok((stored, claim))
    }

    fn move_to_file(&mut self, spool: &SpoolDir) -> Result<Option<Claim>> {
        if self.bytes < WORTH_A_FILE {
            return Ok(None);
        }
        let values: Vec<&[u8]> = self
            .values
            .iter()
            .map(|value| value.data.as_slice())
            .collect();
        let (claim, tickets) = spool.write(&values)?;
        for (value, ticket) in self.values.iter_mut().zip(tickets) {
            value.codec = Codec::File;
            value.data = ticket.to_bytes();
        }
        Ok(Some(claim))
    }

    /// Bytes of the response as it came.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that it takes while it waits to be written.
    pub(super) fn in_memory(&self) -> usize {
        self.values.iter().map(|value| value.data.len()).sum()
    }

    pub(super) fn insert(&self, conn: &Connection, seq: i64) -> Result<()> {
        conn.prepare_cached(
            "INSERT INTO responses (seq, content_kind, content_hash, content_lines, \
             console_count, console_errors, url, title, tab, bytes) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            seq,
            self.kind,
            self.hash,
            self.lines,
            self.console_count,
            self.console_errors,
            self.url,
            self.title,
            self.tab,
            self.bytes,
        ])?;
        self.values
            .iter()
            .try_for_each(|value| value.insert(conn, seq))
    }
}

impl Value {
    fn in_row(part: Part, data: Vec<u8>) -> Self {
        Self {
            part,
            codec: Codec::Raw,
            raw_len: data.len(),
            data,
        }
    }

    fn insert(&self, conn: &Connection, seq: i64) -> Result<()> {
        insert_value(conn, seq, self.part, self.codec, self.raw_len, &self.data)
    }
}

/// Inserts the arguments of a call that are too long for its row.
pub(super) fn insert_arguments(conn: &Connection, seq: i64, arguments: &str) -> Result<()> {
    let bytes = arguments.as_bytes();
    insert_value(conn, seq, Part::Arguments, Codec::Raw, bytes.len(), bytes)
}

fn insert_value(
    conn: &Connection,
    seq: i64,
    part: Part,
    codec: Codec,
    raw_len: usize,
    data: &[u8],
) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO call_parts (id, codec, raw_len, data) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT DO NOTHING",
    )?
    .execute(params![part.id(seq), codec, raw_len, data])?;
    Ok(())
}

/// Lines as an editor counts them: a text that does not end in a newline has one more line.
fn count_lines(text: &[u8]) -> u64 {
    // Sums of bytes that cannot overflow: the compiler turns them into vector instructions, which
    // counts a page in the time of a few microseconds instead of tens of them.
    let in_chunk = |chunk: &[u8]| {
        chunk
            .iter()
            .map(|byte| u8::from(*byte == b'\n'))
            .sum::<u8>()
    };
    let newlines: u64 = text
        .chunks(255)
        .map(|chunk| u64::from(in_chunk(chunk)))
        .sum();
    let open_end = text.last().is_some_and(|last| *last != b'\n');
    newlines + u64::from(open_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_an_editor_does() {
        let long = "x\n".repeat(1000);
        let table = [
            ("", 0),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("\n\n", 2),
            (&long, 1000),
        ];
        for (text, lines) in table {
            assert_eq!(count_lines(text.as_bytes()), lines, "{}", text.len());
        }
    }
}
