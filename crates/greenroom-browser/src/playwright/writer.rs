//! The task that owns the writing half.
//!
//! A line that was begun is always finished, whatever becomes of its caller: half a line would
//! garble all that follow. Waiting for a peer that does not read is the caller's business, whose
//! deadline runs; the queue in front of this task is short so that it notices.

use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::message;
use super::pending::Pending;
use crate::call::Death;

/// A request on its way out.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) line: Vec<u8>,
}

/// What goes out before any request.
#[derive(Debug)]
pub(super) enum Control {
    /// The call with this id is cancelled.
    Cancel(u64),
    /// A notification, ready to send.
    Notify(Vec<u8>),
    /// Nothing more follows: close the stream.
    CloseInput,
}

/// Where lines come from.
#[derive(Debug)]
pub(super) struct Sources {
    /// As many as there were requests at most, so it needs no bound of its own.
    pub(super) control: mpsc::UnboundedReceiver<Control>,
    /// Answers to the peer's requests: bounded, because the peer decides how many there are.
    pub(super) answers: mpsc::Receiver<Vec<u8>>,
    pub(super) requests: mpsc::Receiver<Request>,
}

/// Writes until there is nothing more to write, or the peer stops taking it.
pub(super) async fn write_all<W: AsyncWrite + Unpin>(
    mut peer: W,
    mut sources: Sources,
    pending: Arc<Pending>,
) {
    let death = match write_until_closed(&mut peer, &mut sources, &pending).await {
        Ok(()) => Death::new("its input was closed"),
        Err(error) => Death::new(format!("it stopped reading its input ({error})")),
    };
    pending.close_input(&Arc::new(death));
    // The stream may be gone already; closing it is all that is left to do.
    let _ = peer.shutdown().await;
}

async fn write_until_closed<W: AsyncWrite + Unpin>(
    peer: &mut W,
    sources: &mut Sources,
    pending: &Pending,
) -> std::io::Result<()> {
    loop {
        let line = tokio::select! {
            biased;
            Some(control) = sources.control.recv() => match control {
                Control::Cancel(id) => cancelled(id),
                Control::Notify(line) => line,
                Control::CloseInput => return Ok(()),
            },
            Some(line) = sources.answers.recv() => line,
            Some(request) = sources.requests.recv() => {
                if !pending.begin_sending(request.id) {
                    continue;
                }
                request.line
            }
            else => return Ok(()),
        };
        peer.write_all(&line).await?;
        peer.flush().await?;
    }
}

fn cancelled(id: u64) -> Vec<u8> {
    let params = serde_json::json!({"requestId": id, "reason": "the caller has gone"});
    message::notify("notifications/cancelled", Some(&params))
}
