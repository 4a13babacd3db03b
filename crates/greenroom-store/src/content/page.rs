//! A piece of a text, by lines or by bytes, cut while it is read. A text of any size passes
//! through one small buffer; only the piece is kept.

use std::io::{self, BufRead};

use rusqlite::{OptionalExtension, params};

use crate::calls::parts::{self, Part};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId};
use crate::store::Store;

/// No page is smaller: the longest character must fit, or reading on would never get anywhere.
const SMALLEST: usize = 16;

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStart {
    /// After so many lines.
    Line(u64),
    /// After so many bytes. Within a character: at the next one.
    Byte(u64),
}

/// Which piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Where it begins.
    pub start: PageStart,
    /// At most so many lines.
    pub max_lines: Option<u64>,
    /// At most so many bytes, cut at the end of a line where one ends within them.
    pub max_bytes: usize,
}

/// A piece of a text. Past the end it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The piece.
    pub text: String,
    /// How many lines come before it.
    pub first_line: u64,
    /// How many bytes come before it.
    pub first_byte: u64,
    /// Where the next piece begins, if there is more.
    pub next_byte: Option<u64>,
    /// How many lines come before the next piece, if it begins with a line.
    pub next_line: Option<u64>,
    /// Lines of the whole text.
    pub total_lines: u64,
    /// Bytes of the whole text.
    pub total_bytes: u64,
}

impl Store {
    /// A piece of the text of a response.
    pub async fn page(
        &self,
        principal: Principal,
        ref_id: RefId,
        request: PageRequest,
    ) -> Result<Page> {
        self.read_with(move |view| {
            let total_lines: u64 = view
                .prepare_cached(
                    "SELECT r.content_lines FROM calls c JOIN responses r ON r.seq = c.seq \
                     WHERE c.ref_id = ?1 AND c.principal = ?2",
                )?
                .query_row(params![ref_id, principal], |row| row.get(0))
                .optional()?
                .ok_or(StoreError::NO_RESPONSE)?;
            let Some(part) = parts::open(view, &principal, ref_id, Part::Content)? else {
                return Ok(Page::default());
            };
            let (total_bytes, mut bytes) = (part.raw_len, part.bytes);
            let page = cut(&mut *bytes, request, total_bytes).map_err(parts::unreadable)?;
            Ok(Page {
                total_lines,
                total_bytes,
                ..page
            })
        })
        .await
    }

    /// A range of the exact bytes of a result. Shorter where the result ends, empty past its end.
    pub async fn result_range(
        &self,
        principal: Principal,
        ref_id: RefId,
        offset: u64,
        length: usize,
    ) -> Result<Vec<u8>> {
        self.read_with(move |view| {
            let part = parts::open(view, &principal, ref_id, Part::Result)?;
            let mut bytes = part.ok_or(StoreError::NO_RESPONSE)?.bytes;
            let mut range = Vec::new();
            skip(&mut *bytes, PageStart::Byte(offset))
                .and_then(|_| io::Read::take(bytes, length as u64).read_to_end_into(&mut range))
                .map_err(parts::unreadable)?;
            Ok(range)
        })
        .await
    }
}

trait ReadInto {
    fn read_to_end_into(self, into: &mut Vec<u8>) -> io::Result<usize>;
}

impl<R: io::Read> ReadInto for R {
    fn read_to_end_into(mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        self.read_to_end(into)
    }
}

/// How far a reader has come.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    byte: u64,
    line: u64,
}

fn cut(bytes: &mut dyn BufRead, request: PageRequest, total: u64) -> io::Result<Page> {
    let mut start = skip(bytes, request.start)?;
    let max_bytes = request.max_bytes.max(SMALLEST);
    let mut piece = take(bytes, request.max_lines.unwrap_or(u64::MAX), max_bytes)?;
    let torn = piece
        .iter()
        .take_while(|byte| is_continuation(**byte))
        .count();
    piece.drain(..torn);
    start.byte += torn as u64;
    let more = start.byte + (piece.len() as u64) < total;
    if more {
        end_well(&mut piece);
    }
    let newlines = piece.iter().filter(|byte| **byte == b'\n').count() as u64;
    let whole_lines = piece.ends_with(b"\n");
    Ok(Page {
        first_line: start.line,
        first_byte: start.byte,
        next_byte: more.then_some(start.byte + piece.len() as u64),
        next_line: (more && whole_lines).then_some(start.line + newlines),
        text: String::from_utf8(piece).map_err(io::Error::other)?,
        ..Page::default()
    })
}

/// Reads on to where a page begins, or to the end.
fn skip(bytes: &mut dyn BufRead, start: PageStart) -> io::Result<Position> {
    let mut at = Position::default();
    loop {
        let ahead = bytes.fill_buf()?;
        let step = match start {
            PageStart::Byte(byte) => usize::try_from(byte - at.byte)
                .unwrap_or(usize::MAX)
                .min(ahead.len()),
            PageStart::Line(line) => after_lines(ahead, line - at.line),
        };
        if step == 0 {
            return Ok(at);
        }
        at.line += ahead[..step].iter().filter(|byte| **byte == b'\n').count() as u64;
        at.byte += step as u64;
        bytes.consume(step);
    }
}

/// Reads up to so many lines and bytes.
fn take(bytes: &mut dyn BufRead, mut lines: u64, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    while lines > 0 && piece.len() < max_bytes {
        let ahead = bytes.fill_buf()?;
        let step = after_lines(ahead, lines).min(max_bytes - piece.len());
        if step == 0 {
            break;
        }
        lines -= ahead[..step].iter().filter(|byte| **byte == b'\n').count() as u64;
        piece.extend_from_slice(&ahead[..step]);
        bytes.consume(step);
    }
    Ok(piece)
}

/// How many bytes there are up to and including the newline that ends the last of these lines.
fn after_lines(bytes: &[u8], lines: u64) -> usize {
    if lines == 0 {
        return 0;
    }
    let nth = usize::try_from(lines - 1).unwrap_or(usize::MAX);
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.nth(nth).map_or(bytes.len(), |(at, _)| at + 1)
}

/// Ends a piece with a line where it has a whole one, else with a whole character.
fn end_well(piece: &mut Vec<u8>) {
    if let Some(last) = piece.iter().rposition(|byte| *byte == b'\n') {
        piece.truncate(last + 1);
    } else if let Err(error) = std::str::from_utf8(piece) {
        piece.truncate(error.valid_up_to());
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    fn page(text: &str, request: PageRequest) -> Page {
        let mut reader = BufReader::with_capacity(7, text.as_bytes());
        cut(&mut reader, request, text.len() as u64).unwrap()
    }

    fn lines(start: u64, max_lines: u64) -> PageRequest {
        PageRequest {
            start: PageStart::Line(start),
            max_lines: Some(max_lines),
            max_bytes: 1 << 20,
        }
    }

    #[test]
    fn pages_by_line() {
        let text = "one\ntwo\nthree\nfour";
        let table = [
            (lines(0, 2), "one\ntwo\n", Some(2)),
            (lines(2, 1), "three\n", Some(3)),
            (lines(3, 9), "four", None),
            (lines(4, 9), "", None),
            (lines(900, 9), "", None),
            (lines(1, 0), "", None),
        ];
        for (request, expected, next_line) in table {
            let page = page(text, request);
            assert_eq!(
                (page.text.as_str(), page.next_line),
                (expected, next_line),
                "{request:?}"
            );
        }
    }

    #[test]
    fn a_long_line_is_cut_between_characters_and_continued_by_byte() {
        let text = "ä".repeat(20);
        let request = |byte| PageRequest {
            start: PageStart::Byte(byte),
            max_lines: None,
            max_bytes: 17,
        };
        let first = page(&text, request(0));
        assert_eq!(first.text, "ä".repeat(8));
        assert_eq!((first.next_byte, first.next_line), (Some(16), None));
        assert_eq!(
            page(&text, request(1)).first_byte,
            2,
            "begins with a whole character"
        );
    }

    proptest! {
        #[test]
        fn pages_put_together_are_the_text(text in "(\\PC|\n){0,400}", max_bytes in 1usize..64) {
            let mut whole = String::new();
            let mut next = Some(0);
            while let Some(byte) = next {
                let start = PageStart::Byte(byte);
                let page = page(&text, PageRequest { start, max_lines: None, max_bytes });
                prop_assert_eq!(page.first_byte, byte);
                prop_assert_eq!(page.first_line as usize, whole.matches('\n').count());
                whole.push_str(&page.text);
                next = page.next_byte;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
