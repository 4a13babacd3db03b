//! Lines of bounded length from a byte stream.
//!
//! rmcp drops a line that is too long without a word to its sender. This reader drops it too, but
//! scans it on the way for the id of the request it was, so that the request can be answered. It
//! holds no more than one line of the allowed length.

use rmcp::model::RequestId;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::request_id::IdScanner;

/// What the stream had to say.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// A whole line, without its end.
    Whole(Vec<u8>),
    /// A line beyond the limit, and the id it carried.
    TooLong(Option<RequestId>),
    /// The stream has ended. An unfinished line before it is no message.
    End,
}

/// Reads lines of at most `limit` bytes.
pub(crate) struct BoundedLines<R> {
    input: BufReader<R>,
    assembly: Assembly,
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    pub(crate) fn new(input: R, limit: usize) -> Self {
        Self {
            input: BufReader::new(input),
            assembly: Assembly {
                limit,
                line: Vec::new(),
                excess: None,
            },
        }
    }

    /// The next line. May be dropped at its await and called again without losing a byte.
    pub(crate) async fn next(&mut self) -> Line {
        loop {
            let available = match self.input.fill_buf().await {
                Ok([]) => return self.assembly.end(),
                Ok(available) => available,
                Err(error) => {
                    tracing::debug!(%error, "reading failed");
                    return self.assembly.end();
                }
            };
            let newline = available.iter().position(|&byte| byte == b'\n');
            let piece = &available[..newline.unwrap_or(available.len())];
            let taken = piece.len() + usize::from(newline.is_some());
            let line = self.assembly.accept(piece, newline.is_some());
            self.input.consume(taken);
            if let Some(line) = line {
                return line;
            }
        }
    }
}

/// The line that is being put together, or dropped.
struct Assembly {
    limit: usize,
    line: Vec<u8>,
    excess: Option<Excess>,
}

/// A line that is being dropped.
struct Excess {
    scanner: IdScanner,
    reported: bool,
}

impl Assembly {
    fn accept(&mut self, piece: &[u8], ends: bool) -> Option<Line> {
        if self.excess.is_none() && self.line.len() + piece.len() > self.limit {
            self.give_up_on_line();
        }
        match &mut self.excess {
            Some(excess) => {
                excess.scanner.feed(piece);
                self.report_excess(ends)
            }
            None => {
                self.line.extend_from_slice(piece);
                ends.then(|| Line::Whole(self.take_line()))
            }
        }
    }

    fn give_up_on_line(&mut self) {
        let mut scanner = IdScanner::default();
        scanner.feed(&std::mem::take(&mut self.line));
        self.excess = Some(Excess {
            scanner,
            reported: false,
        });
    }

    /// Says so as soon as the id is known, else at the end of the line, and only once.
    fn report_excess(&mut self, ends: bool) -> Option<Line> {
        let excess = self.excess.as_mut()?;
        let id = excess.scanner.found().cloned();
        let due = !excess.reported && (ends || id.is_some());
        excess.reported |= due;
        if ends {
            self.excess = None;
        }
        due.then_some(Line::TooLong(id))
    }

    fn take_line(&mut self) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        line
    }

    fn end(&mut self) -> Line {
        self.report_excess(true).unwrap_or(Line::End)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines_of(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = BoundedLines::new(input, limit);
        let mut all = Vec::new();
        loop {
            match lines.next().await {
                Line::End => return all,
                line => all.push(line),
            }
        }
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_with_either_convention_and_may_be_empty() {
        let all = lines_of(b"a\nb\r\n\nlast", 10).await;
        assert_eq!(all, [whole("a"), whole("b"), whole("")]);
    }

    #[tokio::test]
    async fn a_line_of_the_limit_passes_and_one_byte_more_does_not() {
        let all = lines_of(b"12345\n123456\nafter\n", 5).await;
        assert_eq!(all, [whole("12345"), Line::TooLong(None), whole("after")]);
    }

    #[tokio::test]
    async fn a_long_line_is_reported_once_with_its_id_first_or_last() {
        let filler = "x".repeat(100_000);
        for message in [
            format!(r#"{{"id":9,"params":"{filler}"}}"#),
            format!(r#"{{"params":"{filler}","id":9}}"#),
        ] {
            let input = format!("{message}\nafter\n");
            let all = lines_of(input.as_bytes(), 1000).await;
            let id = Some(RequestId::Number(9));
            assert_eq!(all, [Line::TooLong(id), whole("after")]);
        }
    }

    #[tokio::test]
    async fn a_line_without_end_is_answered_when_its_id_is_known_or_the_stream_ends() {
        let (mut client, server) = tokio::io::duplex(64);
        let mut lines = BoundedLines::new(server, 40);
        let writing = async {
            let endless = format!(r#"{{"id":3,"params":"{}"#, "x".repeat(500));
            tokio::io::AsyncWriteExt::write_all(&mut client, endless.as_bytes())
                .await
                .unwrap();
            drop(client);
        };
        let reading = async {
            assert_eq!(
                lines.next().await,
                Line::TooLong(Some(RequestId::Number(3)))
            );
            assert_eq!(lines.next().await, Line::End);
        };
        tokio::join!(writing, reading);
        assert_eq!(lines_of(&[b'x'; 50], 10).await, [Line::TooLong(None)]);
    }
}
