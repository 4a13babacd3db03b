//! What carries messages: a pipe to a child, or a websocket to a browser elsewhere.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};

use super::frame::{Frame, FrameReader};

/// Where messages come from.
pub trait Source: Send + 'static {
    /// The next message, or `None` when the peer has ended the stream.
    fn next(&mut self) -> impl Future<Output = io::Result<Option<Frame>>> + Send;
}

/// Where messages go.
pub trait Sink: Send + 'static {
    /// How often the peer is to be reminded that it has us, if ever.
    const PULSE: Option<Duration> = None;

    /// Sends messages, in order. A message that was begun is always finished.
    fn send(&mut self, messages: Vec<Vec<u8>>) -> impl Future<Output = io::Result<()>> + Send;

    /// Sends a sign of life.
    fn pulse(&mut self) -> impl Future<Output = io::Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Source for FrameReader<R> {
    fn next(&mut self) -> impl Future<Output = io::Result<Option<Frame>>> + Send {
        Self::next(self)
    }
}

/// Writes messages with a NUL byte after each.
#[derive(Debug)]
pub struct FrameWriter<W>(W);

impl<W: AsyncWrite + Unpin + Send + 'static> FrameWriter<W> {
    /// A writer to this stream.
    pub fn new(stream: W) -> Self {
        Self(stream)
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Sink for FrameWriter<W> {
    async fn send(&mut self, messages: Vec<Vec<u8>>) -> io::Result<()> {
        // Commands that were made together go out together: one system call, one wake-up.
        let mut text = Vec::with_capacity(messages.iter().map(|message| message.len() + 1).sum());
        for message in messages {
            text.extend(message);
            text.push(0);
        }
        self.0.write_all(&text).await?;
        self.0.flush().await
    }
}
