use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::framing::{DEFAULT_LINE_LIMIT, LineReader};
use super::health::{ClientStats, Counters, Health, NoiseMeter};
use super::message::{self, Progress};
use super::pending::{Farewell, Outcome, Pending, Ticket};
use super::reader::Reader;
use super::writer::{Control, Request, Sources, write_all};
use crate::call::{Death, EngineError, Stage};

/// Requests that wait for the writer. Short, so that a peer that does not read is noticed.
const REQUEST_QUEUE: usize = 8;
/// Answers to the peer's own requests that wait for the writer.
const ANSWER_QUEUE: usize = 64;

/// How a connection is kept.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// The longest line that is accepted from the peer.
    pub line_limit: usize,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            line_limit: DEFAULT_LINE_LIMIT,
        }
    }
}

/// A connection to a peer that speaks JSON-RPC in lines.
///
/// Calls may overlap. Dropping the future of a call abandons it, and its late reply is dropped. A
/// peer is told of it, unless it runs a tool: that one runs on, and [`Client::settled`] waits for
/// its end. Dropping the client closes both streams.
#[derive(Debug)]
pub struct Client {
    pending: Arc<Pending>,
    counters: Arc<Counters>,
    requests: mpsc::Sender<Request>,
    control: mpsc::UnboundedSender<Control>,
    ended: watch::Receiver<Option<Arc<Death>>>,
    tasks: [AbortHandle; 2],
}

impl Client {
    /// Starts to speak with the peer behind these streams.
    pub fn connect<R, W>(input: R, output: W, options: &ClientOptions) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (requests, request_queue) = mpsc::channel(REQUEST_QUEUE);
        let (answers, answer_queue) = mpsc::channel(ANSWER_QUEUE);
        let (control, control_queue) = mpsc::unbounded_channel();
        let (ended, ended_seen) = watch::channel(None);
        let pending = Pending::new();
        let counters = Arc::new(Counters::default());
        let reader = Reader {
            lines: LineReader::new(input, options.line_limit),
            limit: options.line_limit as u64,
            pending: pending.clone(),
            counters: counters.clone(),
            noise: NoiseMeter::new(Instant::now()),
            answers,
            ended,
        };
        let sources = Sources {
            control: control_queue,
            answers: answer_queue,
            requests: request_queue,
        };
        let reading = tokio::spawn(reader.run());
        let writing = tokio::spawn(write_all(output, sources, pending.clone()));
        Self {
            pending,
            counters,
            requests,
            control,
            ended: ended_seen,
            tasks: [reading.abort_handle(), writing.abort_handle()],
        }
    }

    /// Sends a request and waits for its result: the exact bytes of it.
    pub async fn call(
        &self,
        method: &str,
        params: &Value,
        deadline: Duration,
    ) -> Result<Bytes, EngineError> {
        self.call_with_progress(method, params, deadline, None)
            .await
    }

    /// Like [`Self::call`]; the peer is asked to tell how far it has come. Progress that the
    /// receiver does not take in time is dropped. It does not move the deadline.
    pub async fn call_with_progress(
        &self,
        method: &str,
        params: &Value,
        deadline: Duration,
        progress: Option<mpsc::Sender<Progress>>,
    ) -> Result<Bytes, EngineError> {
        let wants_progress = progress.is_some();
        let (ticket, reply) = self
            .pending
            .enter(progress, &self.control, farewell(method))?;
        let line = if wants_progress {
            message::request(ticket.id, method, &with_token(params, ticket.id))
        } else {
            message::request(ticket.id, method, params)
        };
        match tokio::time::timeout(deadline, self.exchange(&ticket, line, reply)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(EngineError::Timeout {
                what: what(method, params),
                stage: self.stage(&ticket),
                after: deadline,
            }),
        }
    }

    /// Sends a notification. It is queued, not waited for.
    pub fn notify(&self, method: &str, params: Option<&Value>) {
        let line = message::notify(method, params);
        let _ = self.control.send(Control::Notify(line));
    }

    /// Closes the peer's input, which asks a well-behaved peer to end.
    pub fn close_input(&self) {
        let _ = self.control.send(Control::CloseInput);
    }

    /// Waits until the peer's output has ended, and tells how.
    pub async fn ended(&self) -> Arc<Death> {
        let mut ended = self.ended.clone();
        match ended.wait_for(Option::is_some).await {
            Ok(death) => death.clone().expect("BUG: waited for a death"),
            Err(_) => Arc::new(Death::new("the connection was closed")),
        }
    }

    /// Whether the peer's output has ended.
    pub fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    /// What the connection has seen.
    pub fn stats(&self) -> ClientStats {
        self.counters.snapshot()
    }

    /// Whether the connection can be relied on.
    pub fn health(&self) -> Health {
        self.counters.health()
    }

    /// How many requests are out and waited for.
    pub fn in_flight(&self) -> usize {
        self.pending.in_flight()
    }

    /// How many cancelled or expired calls the peer has not answered: it may still be at work.
    pub fn abandoned(&self) -> usize {
        self.pending.abandoned()
    }

    /// Waits until no tool runs any more that nobody waits for, or the connection has ended.
    pub async fn settled(&self) {
        let mut running = self.pending.running();
        // The sender lives as long as the table does, so this cannot fail.
        let _ = running.wait_for(|count| *count == 0).await;
    }

    async fn exchange(
        &self,
        ticket: &Ticket,
        line: Vec<u8>,
        reply: oneshot::Receiver<Outcome>,
    ) -> Outcome {
        let id = ticket.id;
        // When the writer has ended, the table holds the reason and the reply brings it.
        let _ = self.requests.send(Request { id, line }).await;
        reply.await.unwrap_or(Err(EngineError::Cancelled))
    }

    fn stage(&self, ticket: &Ticket) -> Stage {
        if self.pending.is_sent(ticket.id) {
            Stage::Answering
        } else {
            Stage::Sending
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// What is done about a request whose caller has gone.
fn farewell(method: &str) -> Farewell {
    match method {
        // The protocol forbids to cancel the opening of a conversation.
        "initialize" => Farewell::Silence,
        "tools/call" => Farewell::LetRun,
        _ => Farewell::Cancel,
    }
}

/// Names a request for a person: a tool by its own name.
fn what(method: &str, params: &Value) -> String {
    match params.get("name").and_then(Value::as_str) {
        Some(tool) if method == "tools/call" => tool.to_owned(),
        _ => method.to_owned(),
    }
}

fn with_token(params: &Value, token: u64) -> Value {
    let mut params = params.clone();
    if !params.is_object() {
        params = Value::Object(serde_json::Map::new());
    }
    if !params["_meta"].is_object() {
        params["_meta"] = Value::Object(serde_json::Map::new());
    }
    params["_meta"]["progressToken"] = token.into();
    params
}
