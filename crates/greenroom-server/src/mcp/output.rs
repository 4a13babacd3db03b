//! The writing end of a byte stream: whole lines, in order, by one task.
//!
//! rmcp drops the future of a send when a stream ends; a line that was begun is finished all the
//! same, because the task that writes is not the one that sends.

use std::io;
use std::time::Duration;

use rmcp::model::ServerJsonRpcMessage;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many finished lines wait for a slow reader before their senders wait too.
const QUEUE: usize = 64;
/// How long the last lines may take when the stream ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The writing end: a queue of whole lines and the task that writes them.
pub(crate) struct Output {
    queue: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
}

impl Output {
    pub(crate) fn new<W: AsyncWrite + Send + Unpin + 'static>(write: W) -> Self {
        let (queue, lines) = mpsc::channel(QUEUE);
        Self {
            queue: Some(queue),
            writer: Some(tokio::spawn(write_lines(write, lines))),
        }
    }

    pub(crate) fn send(
        &self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let queue = self.queue.clone();
        async move {
            let queue = queue.ok_or(io::ErrorKind::NotConnected)?;
            let sent = queue.send(encode(&message)).await;
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    /// Room for one line, or `None` when nothing can be written any more.
    pub(crate) async fn reserve(&self) -> Option<mpsc::Permit<'_, Vec<u8>>> {
        self.queue.as_ref()?.reserve().await.ok()
    }

    /// Resolves when nothing can be written any more.
    pub(crate) async fn closed(&self) {
        if let Some(queue) = &self.queue {
            queue.closed().await;
        }
    }

    /// Waits for what is queued. A client that does not read does not hold us up for long.
    pub(crate) async fn finish(&mut self) -> io::Result<()> {
        self.queue = None;
        let Some(mut writer) = self.writer.take() else {
            return Ok(());
        };
        if tokio::time::timeout(FLUSH_TIMEOUT, &mut writer)
            .await
            .is_err()
        {
            writer.abort();
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

async fn write_lines<W: AsyncWrite + Unpin>(mut write: W, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        let written = async {
            write.write_all(&line).await?;
            write.flush().await
        };
        if let Err(error) = written.await {
            tracing::debug!(%error, "writing failed");
            return;
        }
    }
    // The other side reads to the end of the stream; it should see one.
    let _ = write.shutdown().await;
}

/// A message as one line.
pub(crate) fn encode(message: &ServerJsonRpcMessage) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("BUG: a JSON-RPC message is always JSON");
    line.push(b'\n');
    line
}
