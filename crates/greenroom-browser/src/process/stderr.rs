//! The last words of a child.
//!
//! A pipe that nobody reads fills up and blocks its writer, so stderr is read for as long as the
//! child lives, and only its end is kept.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::io::{Errno, ioctl_fionbio, read};
use tokio::io::unix::AsyncFd;

use super::readiness;

/// How much is kept.
pub const TAIL_BYTES: usize = 64 * 1024;

/// How much is read at a time: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// The end of what a child wrote to stderr, shared between its reader and whoever asks.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail(Arc<Mutex<Ring>>);

#[derive(Debug, Default)]
struct Ring {
    bytes: VecDeque<u8>,
}

impl Tail {
    fn push(&self, new: &[u8]) {
        let mut ring = self.ring();
        let new = &new[new.len().saturating_sub(TAIL_BYTES)..];
        let excess = (ring.bytes.len() + new.len()).saturating_sub(TAIL_BYTES);
        ring.bytes.drain(..excess);
        ring.bytes.extend(new);
    }

    /// The end of the text so far. Bytes that are not UTF-8 are replaced; a character that was
    /// cut in two at the beginning is left out.
    pub(super) fn text(&self) -> String {
        let mut ring = self.ring();
        let bytes = ring.bytes.make_contiguous();
        let is_continuation = |b: &&u8| **b & 0b1100_0000 == 0b1000_0000;
        let cut = bytes.iter().take(3).take_while(is_continuation).count();
        String::from_utf8_lossy(&bytes[cut..]).into_owned()
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        // A tail that lost some bytes to a panic is still the best there is.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads stderr into a tail.
#[derive(Debug)]
pub(super) struct Drain {
    /// None after the end of the stream.
    pipe: Option<AsyncFd<OwnedFd>>,
    tail: Tail,
    chunk: Vec<u8>,
}

impl Drain {
    pub(super) fn new(stderr: ChildStderr) -> io::Result<Self> {
        let fd = OwnedFd::from(stderr);
        ioctl_fionbio(&fd, true)?;
        Ok(Self {
            pipe: Some(readiness::of(fd)?),
            tail: Tail::default(),
            chunk: vec![0; CHUNK],
        })
    }

    pub(super) fn tail(&self) -> Tail {
        self.tail.clone()
    }

    /// Reads for as long as there may be something to read; never ends, so that it can stand
    /// beside other events. Nothing is lost when it is dropped at any point.
    pub(super) async fn drain(&mut self) -> Infallible {
        while let Some(pipe) = &self.pipe {
            let Ok(mut ready) = pipe.readable().await else {
                break;
            };
            let chunk = &mut self.chunk;
            match ready.try_io(|pipe| Ok(read(pipe.get_ref(), chunk.as_mut_slice())?)) {
                Ok(Ok(count)) if count > 0 => self.tail.push(&self.chunk[..count]),
                Ok(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) => self.pipe = None,
                Err(_would_block) => {}
            }
        }
        std::future::pending().await
    }

    /// Reads what is in the pipe at this moment. When the child has just ended this is all it
    /// will ever have said; a descendant that keeps the pipe open does not hold this up.
    pub(super) fn drain_now(&mut self) {
        let Some(pipe) = &self.pipe else {
            return;
        };
        loop {
            match read(pipe.get_ref(), self.chunk.as_mut_slice()) {
                Ok(count) if count > 0 => self.tail.push(&self.chunk[..count]),
                Err(Errno::INTR) => {}
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_the_end_and_never_more_than_its_bound() {
        let tail = Tail::default();
        for n in 0..20_000 {
            tail.push(format!("line {n}\n").as_bytes());
        }
        let text = tail.text();
        assert_eq!(text.len(), TAIL_BYTES);
        assert!(text.ends_with("line 19998\nline 19999\n"));
    }

    #[test]
    fn one_push_larger_than_the_bound_keeps_its_own_end() {
        let tail = Tail::default();
        tail.push(b"old");
        let mut flood = vec![b'x'; TAIL_BYTES * 3];
        flood.extend(b"end");
        tail.push(&flood);
        let text = tail.text();
        assert_eq!(text.len(), TAIL_BYTES);
        assert!(text.ends_with("xend"));
    }

    #[test]
    fn a_character_cut_in_two_is_left_out_and_other_bytes_are_replaced() {
        let tail = Tail::default();
        tail.push(&"€".as_bytes()[1..]);
        tail.push(b"ok \xff end");
        assert_eq!(tail.text(), "ok \u{fffd} end");
    }
}
