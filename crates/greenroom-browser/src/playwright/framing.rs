//! Lines out of a byte stream, of bounded length.
//!
//! The peer decides how long a line is, so the limit is enforced while the line is read: once a
//! line passes it, what was kept is dropped and the rest is skipped to its end without being
//! held. Its first and last bytes survive, because they tell whose answer it was.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line that is accepted unless configured otherwise: room for a full-page screenshot
/// of a very long page, and no more.
pub const DEFAULT_LINE_LIMIT: usize = 64 * 1024 * 1024;

/// How much of the beginning and of the end of an over-long line is kept.
const EDGE: usize = 256;
const CHUNK: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a stream of lines consists of.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line beyond the limit.
    TooLong(LongLine),
}

/// What is left of a line that was too long to keep.
#[derive(Debug, PartialEq, Eq)]
pub struct LongLine {
    /// How long it was.
    pub length: u64,
    /// Its first bytes.
    pub head: Vec<u8>,
    /// Its last bytes.
    pub tail: Vec<u8>,
}

/// Reads lines; blank ones are passed over, a byte order mark and a carriage return are cut off.
#[derive(Debug)]
pub struct LineReader<R> {
    source: BufReader<R>,
    limit: usize,
    line: Vec<u8>,
    skipped: Option<LongLine>,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// A reader of lines of at most `limit` bytes.
    pub fn new(source: R, limit: usize) -> Self {
        Self {
            source: BufReader::with_capacity(CHUNK, source),
            limit,
            line: Vec::new(),
            skipped: None,
        }
    }

    /// The next line, or `None` when the stream has ended. What then stands in [`Self::half_line`]
    /// is a line that was never finished.
    pub async fn next(&mut self) -> std::io::Result<Option<Frame>> {
        loop {
            let available = self.source.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            keep(&mut self.line, &mut self.skipped, self.limit, part);
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some()
                && let Some(frame) = self.finish()
            {
                return Ok(Some(frame));
            }
        }
    }

    /// What has been read of a line that has no end yet.
    pub fn half_line(&self) -> &[u8] {
        match &self.skipped {
            Some(long) => &long.head,
            None => &self.line,
        }
    }

    /// Takes the unfinished line, for a peer that ends without a last line feed.
    pub fn take_half_line(&mut self) -> Option<Frame> {
        self.finish()
    }

    fn finish(&mut self) -> Option<Frame> {
        if let Some(long) = self.skipped.take() {
            return Some(Frame::TooLong(long));
        }
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let blank = line.iter().all(u8::is_ascii_whitespace);
        (!blank).then_some(Frame::Line(line))
    }
}

/// Adds `part` to the line, or only to its edges once the line is too long.
fn keep(line: &mut Vec<u8>, skipped: &mut Option<LongLine>, limit: usize, part: &[u8]) {
    if let Some(long) = skipped {
        long.length += part.len() as u64;
        extend_tail(&mut long.tail, part);
    } else if line.len() + part.len() > limit {
        let length = (line.len() + part.len()) as u64;
        let kept = std::mem::take(line);
        let mut head: Vec<u8> = kept.iter().chain(part).take(EDGE).copied().collect();
        head.shrink_to_fit();
        let mut tail = kept[kept.len().saturating_sub(EDGE)..].to_vec();
        extend_tail(&mut tail, part);
        *skipped = Some(LongLine { length, head, tail });
    } else {
        reserve(line, part.len(), limit);
        line.extend_from_slice(part);
    }
}

/// Grows by doubling like any vector, but never past the limit.
fn reserve(line: &mut Vec<u8>, more: usize, limit: usize) {
    let needed = line.len() + more;
    if needed > line.capacity() {
        let target = (line.capacity() * 2).clamp(needed, limit.max(needed));
        line.reserve_exact(target - line.len());
    }
}

fn extend_tail(tail: &mut Vec<u8>, part: &[u8]) {
    tail.extend_from_slice(&part[part.len().saturating_sub(EDGE)..]);
    let surplus = tail.len().saturating_sub(EDGE);
    tail.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    async fn frames(input: &[u8], limit: usize) -> (Vec<Frame>, Vec<u8>) {
        let mut reader = LineReader::new(input, limit);
        let mut frames = Vec::new();
        while let Some(frame) = reader.next().await.unwrap() {
            frames.push(frame);
        }
        (frames, reader.half_line().to_vec())
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_with_a_line_feed_and_nothing_else() {
        for (input, expected) in [
            ("a\nb\n", vec![line("a"), line("b")]),
            ("a\r\nb\r\n", vec![line("a"), line("b")]),
            ("\n\r\n  \n\ta\n", vec![line("\ta")]),
            ("\u{feff}a\n\u{feff}b\n", vec![line("a"), line("b")]),
            (
                "a\u{2028}b\u{2029}c\u{85}d\re\n",
                vec![line("a\u{2028}b\u{2029}c\u{85}d\re")],
            ),
            ("", vec![]),
        ] {
            let (frames, half) = frames(input.as_bytes(), 100).await;
            assert_eq!(frames, expected, "{input:?}");
            assert!(half.is_empty());
        }
    }

    #[tokio::test]
    async fn a_line_without_its_end_is_kept_apart() {
        let (frames, half) = frames(b"whole\nhal", 100).await;
        assert_eq!(frames, [line("whole")]);
        assert_eq!(half, b"hal");
    }

    #[tokio::test]
    async fn a_line_split_over_single_bytes_is_one_line() {
        let (mut peer, ours) = tokio::io::duplex(1);
        let feeder = tokio::spawn(async move {
            for byte in "{\"text\":\"ж\u{2028}\"}\nnext\n".as_bytes() {
                peer.write_all(&[*byte]).await.unwrap();
            }
        });
        let mut reader = LineReader::new(ours, 100);
        assert_eq!(
            reader.next().await.unwrap(),
            Some(line("{\"text\":\"ж\u{2028}\"}"))
        );
        assert_eq!(reader.next().await.unwrap(), Some(line("next")));
        feeder.await.unwrap();
    }

    #[tokio::test]
    async fn the_limit_is_exact_and_the_next_line_is_unharmed() {
        let (frames, _) = frames(b"12345\n123456\n12\n", 5).await;
        let long = LongLine {
            length: 6,
            head: b"123456".to_vec(),
            tail: b"123456".to_vec(),
        };
        assert_eq!(frames, [line("12345"), Frame::TooLong(long), line("12")]);
    }

    #[tokio::test]
    async fn an_over_long_line_leaves_only_its_edges() {
        let mut input = b"HEAD".to_vec();
        input.resize(3 * CHUNK, b'x');
        input.extend_from_slice(b"TAIL\n");
        let (frames, _) = frames(&input, CHUNK).await;
        let [Frame::TooLong(long)] = &frames[..] else {
            panic!("expected one long line");
        };
        assert_eq!(long.length, input.len() as u64 - 1);
        assert!(long.head.starts_with(b"HEAD") && long.tail.ends_with(b"TAIL"));
        assert_eq!((long.head.len(), long.tail.len()), (EDGE, EDGE));
    }

    #[tokio::test]
    async fn memory_never_passes_the_limit_while_a_long_line_runs_through() {
        let limit = 300_000;
        let input = vec![b'x'; 5_000_000];
        let mut reader = LineReader::new(&input[..], limit);
        assert_eq!(reader.next().await.unwrap(), None);
        assert_eq!(
            reader.line.capacity(),
            0,
            "the kept part is dropped at once"
        );
        let mut line = Vec::new();
        for _ in 0..limit / 1000 {
            keep(&mut line, &mut None, limit, &[b'x'; 1000]);
            assert!(line.capacity() <= limit);
        }
    }
}
