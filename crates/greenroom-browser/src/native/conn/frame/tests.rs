use std::pin::Pin;
use std::task::{Context, Poll};

use proptest::prelude::*;
use tokio::io::ReadBuf;

use super::*;

/// A stream that comes in pieces of given sizes, with nothing ready between them.
struct Pieces {
    bytes: Vec<u8>,
    sizes: Vec<usize>,
    at: usize,
    rest: bool,
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.rest = !self.rest;
        if self.rest {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let size = self.sizes.pop().unwrap_or(usize::MAX);
        let end = self.bytes.len().min(self.at.saturating_add(size));
        let end = end.min(self.at + buffer.remaining());
        buffer.put_slice(&self.bytes[self.at..end]);
        self.at = end;
        Poll::Ready(Ok(()))
    }
}

fn read_all(bytes: Vec<u8>, sizes: Vec<usize>, limit: usize) -> (Vec<Frame>, Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.build().unwrap();
    runtime.block_on(async {
        let source = Pieces {
            bytes,
            sizes,
            at: 0,
            rest: false,
        };
        let mut reader = FrameReader::new(source, limit);
        let mut frames = Vec::new();
        while let Some(frame) = reader.next().await.unwrap() {
            frames.push(frame);
        }
        let unfinished = reader.unfinished().to_vec();
        (frames, unfinished)
    })
}

/// What the reader must give for these messages, told without any reading.
fn expected(messages: &[Vec<u8>], limit: usize) -> Vec<Frame> {
    let told = messages.iter().filter(|message| !message.is_empty());
    let frame = |message: &Vec<u8>| {
        if message.len() <= limit {
            return Frame::Message(message.clone().into());
        }
        Frame::TooLong {
            length: message.len() as u64,
            head: message.iter().take(HEAD).copied().collect(),
        }
    };
    told.map(frame).collect()
}

fn message() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(1_u8..=255, 0..700)
}

proptest! {
    #[test]
    fn messages_come_out_whole_however_the_stream_is_cut(
        messages in prop::collection::vec(message(), 0..12),
        tail in message(),
        sizes in prop::collection::vec(1_usize..400, 0..40),
        limit in 1_usize..700,
    ) {
        let mut bytes = Vec::new();
        for message in &messages {
            bytes.extend(message);
            bytes.push(0);
        }
        bytes.extend(&tail);
        let (frames, unfinished) = read_all(bytes, sizes, limit);
        prop_assert_eq!(frames, expected(&messages, limit));
        prop_assert_eq!(unfinished, tail[..tail.len().min(HEAD)].to_vec());
    }
}

#[test]
fn a_message_larger_than_every_buffer_is_one_message() {
    let mut bytes = vec![b'x'; 3 * CHUNK + 7];
    bytes.push(0);
    bytes.extend(b"next\0");
    let (frames, _) = read_all(bytes, vec![], FRAME_LIMIT);
    let lengths: Vec<usize> = frames
        .iter()
        .map(|frame| match frame {
            Frame::Message(message) => message.len(),
            Frame::TooLong { .. } => 0,
        })
        .collect();
    assert_eq!(lengths, [3 * CHUNK + 7, 4]);
}

#[tokio::test]
async fn a_read_that_is_given_up_loses_no_byte() {
    use tokio::io::AsyncWriteExt as _;
    let (mut peer, ours) = tokio::io::duplex(64);
    let mut reader = FrameReader::new(ours, 100);
    peer.write_all(b"{\"half").await.unwrap();
    // The first poll takes what is there and finds no end; then the future is dropped.
    tokio::select! {
        biased;
        frame = reader.next() => panic!("there is no whole message: {frame:?}"),
        () = std::future::ready(()) => {}
    }
    assert_eq!(reader.unfinished(), b"{\"half");
    peer.write_all(b"\":1}\0").await.unwrap();
    let frame = reader.next().await.unwrap();
    assert_eq!(
        frame,
        Some(Frame::Message(Bytes::from_static(b"{\"half\":1}")))
    );
}

#[tokio::test]
async fn an_over_long_message_is_not_held_while_it_runs_through() {
    let input = vec![b'x'; 5_000_000];
    let mut reader = FrameReader::new(&input[..], 300_000);
    assert_eq!(reader.next().await.unwrap(), None);
    assert_eq!(reader.partial.capacity(), 0);
    assert_eq!(reader.unfinished().len(), HEAD);
}
