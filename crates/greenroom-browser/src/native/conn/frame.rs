//! Messages out of a byte stream: JSON texts, each ended by a NUL byte.
//!
//! The peer decides how long a message is, so the limit is enforced while it is read: once a
//! message passes it, what was kept is dropped and the rest is skipped to its end without being
//! held. Its first bytes survive, because a reply begins with the number of its request, and its
//! caller is told rather than left to wait.

use std::io;

use bytes::Bytes;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// The longest message that is accepted: room for the picture of a very long page, and no more.
pub const FRAME_LIMIT: usize = 256 * 1024 * 1024;

/// What a pipe that was widened holds at most, so that one read can empty it.
const CHUNK: usize = 256 * 1024;

/// How much of the beginning of an over-long message is kept.
const HEAD: usize = 256;

/// What a stream of messages consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A message without its end.
    Message(Bytes),
    /// A message beyond the limit.
    TooLong {
        /// How long it was.
        length: u64,
        /// Its first bytes.
        head: Bytes,
    },
}

/// Reads messages; empty ones are passed over.
///
/// Dropping the future of [`FrameReader::next`] loses nothing: what was read so far is kept here.
#[derive(Debug)]
pub struct FrameReader<R> {
    source: BufReader<R>,
    limit: usize,
    partial: Vec<u8>,
    skipped: Option<Skipped>,
}

#[derive(Debug)]
struct Skipped {
    length: u64,
    head: Vec<u8>,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// A reader of messages of at most `limit` bytes.
    pub fn new(source: R, limit: usize) -> Self {
        Self {
            source: BufReader::with_capacity(CHUNK, source),
            limit,
            partial: Vec::new(),
            skipped: None,
        }
    }

    /// The next message, or `None` when the stream has ended. What then stands in
    /// [`Self::unfinished`] is a message that has no end.
    pub async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let available = self.source.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = memchr::memchr(0, available);
            let part = &available[..end.unwrap_or(available.len())];
            let used = part.len() + usize::from(end.is_some());
            // Most messages lie whole in the buffer: these are copied once, to their exact size.
            let whole = end.is_some() && self.partial.is_empty() && self.skipped.is_none();
            let frame = if whole && part.len() <= self.limit {
                Some(Frame::Message(Bytes::copy_from_slice(part)))
            } else {
                keep(&mut self.partial, &mut self.skipped, self.limit, part);
                None
            };
            self.source.consume(used);
            let frame = frame.or_else(|| end.is_some().then(|| self.finish()));
            match frame {
                Some(Frame::Message(empty)) if empty.is_empty() => {}
                Some(frame) => return Ok(Some(frame)),
                None => {}
            }
        }
    }

    /// The beginning of a message that has no end yet.
    pub fn unfinished(&self) -> &[u8] {
        match &self.skipped {
            Some(skipped) => &skipped.head,
            None => &self.partial[..self.partial.len().min(HEAD)],
        }
    }

    fn finish(&mut self) -> Frame {
        match self.skipped.take() {
            Some(Skipped { length, head }) => Frame::TooLong {
                length,
                head: head.into(),
            },
            None => Frame::Message(std::mem::take(&mut self.partial).into()),
        }
    }
}

/// Adds `part` to the message, or only to its length once the message is too long.
fn keep(partial: &mut Vec<u8>, skipped: &mut Option<Skipped>, limit: usize, part: &[u8]) {
    if let Some(skipped) = skipped {
        skipped.length += part.len() as u64;
        let missing = HEAD.saturating_sub(skipped.head.len());
        skipped.head.extend(part.iter().take(missing));
    } else if partial.len() + part.len() > limit {
        let kept = std::mem::take(partial);
        *skipped = Some(Skipped {
            length: (kept.len() + part.len()) as u64,
            head: kept.iter().chain(part).take(HEAD).copied().collect(),
        });
    } else {
        partial.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests;
