//! One MCP client over a byte stream: stdin and stdout, or a connection to a Unix socket.
//!
//! Messages are lines. One task owns the output and writes whole lines, so that a dropped request
//! can never leave half of one behind. A client that has closed its end gets the answers to what it
//! asked before, for a while; then its calls are dropped. While draining, nothing more is read and
//! the calls in flight may finish.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, ErrorData, GetMeta,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::Transport;
use serde_json::error::Category;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep_until};
use tokio_util::task::TaskTracker;

use super::connection::Connection;
use super::handler::Handler;
use super::lines::{BoundedLines, Line};
use super::output::{Output, encode};
use super::request_id::IdScanner;
use super::unanswered::Unanswered;
use crate::identity::Principal;
use crate::service::Service;
use crate::shutdown::Shutdown;

/// The longest message that is read.
const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// How long a client that has closed its end may wait for the answers to what it asked before.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Why a stream is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEnd {
    /// The client closed it.
    Peer,
    /// We are shutting down.
    Shutdown,
}

/// The two ends of this process's own standard streams, without a thread hop per message where the
/// system allows it. To be called within a runtime.
pub fn stdio() -> (
    impl AsyncRead + Send + Unpin + 'static,
    impl AsyncWrite + Send + Unpin + 'static,
) {
    rmcp::transport::io::stdio_pipes()
}

/// Serves the client at the other end of `read` and `write` until one side ends it. The stream is
/// one connection of `principal`, whichever era the client speaks.
pub async fn serve_stream<R, W>(
    service: Service,
    principal: Principal,
    read: R,
    write: W,
    shutdown: Shutdown,
) -> StreamEnd
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // A token of this stream's own: rmcp cancels what it is given when the stream ends.
    let cut_off = shutdown.cancel_token().child_token();
    let connection = Connection::open(&service, principal, &cut_off);
    let calls = TaskTracker::new();
    let transport = LineTransport {
        lines: BoundedLines::new(read, LINE_LIMIT),
        output: Output::new(write),
        refusal: None,
        opened: false,
        connection: connection.clone(),
        calls: calls.clone(),
        unanswered: Unanswered::new(),
        last_answers: None,
        shutdown: shutdown.clone(),
    };
    let handler = Handler::for_stream(service, connection, calls);
    match serve_server_with_ct(handler, transport, cut_off).await {
        Ok(running) => {
            if let Err(error) | Ok(QuitReason::JoinError(error)) = running.waiting().await {
                tracing::error!(%error, "the stream broke off");
            }
        }
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {}
        Err(error) => tracing::warn!(%error, "the client never finished its introduction"),
    }
    if shutdown.drain_token().is_cancelled() {
        StreamEnd::Shutdown
    } else {
        StreamEnd::Peer
    }
}

/// rmcp's transport over lines.
struct LineTransport<R> {
    lines: BoundedLines<R>,
    output: Output,
    /// An error about a line that was not a message, until it is handed to the output.
    refusal: Option<Vec<u8>>,
    /// Whether the client has begun a lifecycle of either era.
    opened: bool,
    connection: Arc<Connection>,
    calls: TaskTracker,
    unanswered: Unanswered,
    /// Until when the answers to a client that has said all are waited for.
    last_answers: Option<Instant>,
    shutdown: Shutdown,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    /// Reads a line, unless the stream is to end first.
    async fn next_line(&mut self) -> Line {
        tokio::select! {
            biased;
            () = self.shutdown.draining() => {
                self.calls.close();
                self.calls.wait().await;
                Line::End
            }
            () = self.output.closed() => self.hang_up(),
            line = self.lines.next() => match line {
                Line::End => self.see_out().await,
                line => line,
            },
        }
    }

    /// A client that closes its end may still read: `printf … | greenroom stdio` wants its answers.
    /// May be dropped and called again, so the deadline is kept.
    async fn see_out(&mut self) -> Line {
        let until = *self
            .last_answers
            .get_or_insert_with(|| Instant::now() + LAST_ANSWERS);
        tokio::select! {
            () = self.unanswered.none() => {}
            () = self.output.closed() => {}
            () = self.shutdown.draining() => {}
            () = sleep_until(until) => {}
        }
        self.hang_up()
    }

    fn hang_up(&self) -> Line {
        self.connection.end();
        Line::End
    }

    /// Hands the refusal on. It stays in place until there is room for it, because this future may
    /// be dropped while it waits.
    async fn flush_refusal(&mut self) {
        if self.refusal.is_none() {
            return;
        }
        if let Some(room) = self.output.reserve().await
            && let Some(refusal) = self.refusal.take()
        {
            room.send(refusal);
        }
        self.refusal = None;
    }

    fn refuse(&mut self, id: Option<RequestId>, error: ErrorData) {
        self.refusal = Some(encode(&ServerJsonRpcMessage::error(error, id)));
    }

    /// The message in `line`; what cannot be one is answered if somebody may be waiting for it.
    fn parse(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        match serde_json::from_slice(line) {
            Ok(message) => self.admit(message),
            Err(error) => {
                tracing::debug!(%error, "a line was not a message");
                self.refuse_line(line, &error);
                None
            }
        }
    }

    fn refuse_line(&mut self, line: &[u8], error: &serde_json::Error) {
        let id = IdScanner::find(line);
        let is_json = matches!(error.classify(), Category::Data | Category::Io);
        if is_json && !is_notification(line) {
            self.refuse(id, ErrorData::invalid_request("invalid request", None));
        } else if !is_json && id.is_some() {
            // Noise is ignored: answering it could start a storm of errors about errors.
            self.refuse(
                id,
                ErrorData::new(ErrorCode::PARSE_ERROR, "invalid JSON", None),
            );
        }
    }

    /// rmcp ends a stream on which a notification comes before the introduction; we skip those.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        if let ClientJsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.unanswered.forget(id);
        }
        let ClientJsonRpcMessage::Request(request) = &message else {
            return self.opened.then_some(message);
        };
        self.opened |= match &request.request {
            ClientRequest::InitializeRequest(_) => true,
            ClientRequest::DiscoverRequest(_) => false,
            other => other.get_meta().protocol_version().is_some(),
        };
        self.unanswered.asked(request.id.clone());
        Some(message)
    }
}

fn is_notification(line: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(line)
        .is_ok_and(|value| value.get("method").is_some() && value.get("id").is_none())
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let unanswered = self.unanswered.clone();
        let answered = answered(&message);
        let sending = self.output.send(message);
        async move {
            let sent = sending.await;
            if let Some(id) = answered {
                unanswered.forget(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.flush_refusal().await;
            match self.next_line().await {
                Line::End => return None,
                Line::TooLong(id) => {
                    tracing::warn!(?id, limit = LINE_LIMIT, "a message was too long");
                    if id.is_some() {
                        self.refuse(id, too_long());
                    }
                }
                Line::Whole(line) => {
                    if let Some(message) = self.parse(&line) {
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.finish().await
    }
}

/// The request that a message answers, if it answers one.
fn answered(message: &ServerJsonRpcMessage) -> Option<RequestId> {
    match message {
        ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
        ServerJsonRpcMessage::Error(error) => error.id.clone(),
        _ => None,
    }
}

fn too_long() -> ErrorData {
    let message = format!("the message is longer than {LINE_LIMIT} bytes: send less at once");
    ErrorData::invalid_request(message, None)
}
