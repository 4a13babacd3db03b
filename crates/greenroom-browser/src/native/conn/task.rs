//! The task that owns a connection.
//!
//! Both halves run in this one task and neither waits for the other: a peer that does not read
//! blocks what goes out, while its replies still come in. Nothing that the reader does can wait.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::{Notify, mpsc};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::SessionId;
use super::event::Event;
use super::frame::{FRAME_LIMIT, Frame};
use super::message::{self, Incoming, Refusal};
use super::pending::{Outcome, Pending, Sent};
use super::sessions::Sessions;
use super::transport::{Sink, Source};
use crate::call::Death;
use crate::native::error::CdpError;

/// A pipe closes a moment before its process has ended, or the other way round. This long the
/// other one is waited for: the exit says more than the pipe, and the pipe may hold last replies.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// How many commands are written at once at most.
const BATCH: usize = 64;

/// A command on its way out.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) id: u64,
    pub(super) text: Vec<u8>,
}

/// What the task shares with the handles of the connection.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) pending: Arc<Pending>,
    pub(super) sessions: Arc<Sessions>,
    pub(super) closing: Notify,
}

/// Runs the connection to its end and tells how it ended. `obituary` resolves when the browser's
/// process has ended; for a browser elsewhere it never does.
pub(super) async fn run(
    mut source: impl Source,
    mut sink: impl Sink,
    outbox: mpsc::Receiver<Outgoing>,
    shared: &Shared,
    obituary: impl Future<Output = Death>,
) -> Death {
    let mut obituary = pin!(obituary);
    let end = {
        let mut reading = pin!(read(&mut source, shared));
        let mut writing = pin!(write(&mut sink, outbox, &shared.pending));
        tokio::select! {
            biased;
            end = &mut reading => End::Stream(end),
            death = &mut obituary => {
                let _ = timeout(LAST_WORDS, &mut reading).await;
                End::Process(death)
            }
            end = &mut writing => End::Stream(end),
            () = shared.closing.notified() => End::Closed,
        }
    };
    // What was left unsaid may be of any page, and the news of a death goes to all.
    match end {
        End::Process(death) => death,
        End::Closed => Death::new("Greenroom closed the connection"),
        End::Stream(how) => timeout(LAST_WORDS, obituary)
            .await
            .unwrap_or_else(|_| Death::new(how)),
    }
}

enum End {
    /// A half of the stream ended, and how.
    Stream(String),
    /// The process ended.
    Process(Death),
    /// We wanted no more of it.
    Closed,
}

/// Reads until the stream ends, and says how it did.
async fn read(source: &mut impl Source, shared: &Shared) -> String {
    loop {
        match source.next().await {
            Ok(Some(Frame::Message(text))) => match message::parse(&text) {
                Some(incoming) => shared.take_in(incoming),
                None => shared.unreadable(&text),
            },
            Ok(Some(Frame::TooLong { length, head })) => shared.too_long(length, &head),
            Ok(None) => return "its end of the connection was closed".to_owned(),
            Err(error) => return format!("the connection to it broke ({error})"),
        }
    }
}

/// Writes until nobody can ask for more, or the peer takes no more; says which.
async fn write<S: Sink>(
    sink: &mut S,
    mut outbox: mpsc::Receiver<Outgoing>,
    pending: &Pending,
) -> String {
    let mut pulse = interval(S::PULSE.unwrap_or(Duration::from_secs(3600)));
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut batch = Vec::new();
    loop {
        let done: io::Result<()> = tokio::select! {
            biased;
            count = outbox.recv_many(&mut batch, BATCH) => {
                if count == 0 {
                    return "nobody holds the connection any more".to_owned();
                }
                let wanted = batch.drain(..).filter(|command| pending.begin_sending(command.id));
                sink.send(wanted.map(|command| command.text).collect()).await
            }
            _ = pulse.tick(), if S::PULSE.is_some() => sink.pulse().await,
        };
        if let Err(error) = done {
            return format!("it takes no more commands ({error})");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NamesSession {
    session_id: SessionId,
}

impl Shared {
    fn take_in(&self, incoming: Incoming) {
        match incoming {
            Incoming::Reply { id, outcome } => {
                let settled = self.pending.settle(id, |sent| replied(sent, outcome));
                if !settled {
                    tracing::trace!(id, "a reply that nobody waits for");
                }
            }
            Incoming::Event { session, event } => {
                self.follow(session.as_ref(), &event);
                self.sessions.publish(session.as_ref(), &event);
            }
        }
    }

    /// Keeps the list of sessions true, and ends what can have no answer any more.
    fn follow(&self, session: Option<&SessionId>, event: &Event) {
        match event.method() {
            "Target.attachedToTarget" => {
                if let Ok(named) = serde_json::from_slice::<NamesSession>(event.params()) {
                    self.sessions.attach(named.session_id, session.cloned());
                }
            }
            "Target.detachedFromTarget" => {
                if let Ok(named) = serde_json::from_slice::<NamesSession>(event.params()) {
                    self.detach(&named.session_id);
                }
            }
            "Inspector.targetCrashed" => {
                if let Some(session) = session {
                    self.sessions.crash(session);
                    let crashed = |Sent { sent, .. }| CdpError::Crashed { sent };
                    self.pending.fail_session(session, crashed);
                }
            }
            "Inspector.targetReloadedAfterCrash" => {
                if let Some(session) = session {
                    self.sessions.revive(session);
                }
            }
            _ => {}
        }
    }

    fn detach(&self, session: &SessionId) {
        for gone in self.sessions.detach(session) {
            let detached = |Sent { method, sent }| CdpError::Detached { method, sent };
            self.pending.fail_session(&gone, detached);
        }
    }

    fn too_long(&self, length: u64, head: &[u8]) {
        let too_large = |Sent { method, .. }| {
            let limit = FRAME_LIMIT as u64;
            Err(CdpError::TooLarge {
                method,
                length,
                limit,
            })
        };
        match message::id_at_head(head) {
            Some(id) => drop(self.pending.settle(id, too_large)),
            None => tracing::warn!(length, "dropped an event that is too long"),
        }
    }

    fn unreadable(&self, text: &[u8]) {
        let malformed = |Sent { method, .. }| {
            let detail = "it is no JSON".to_owned();
            Err(CdpError::Malformed { method, detail })
        };
        match message::id_at_head(text) {
            Some(id) => drop(self.pending.settle(id, malformed)),
            None => tracing::warn!(length = text.len(), "dropped a message that is no JSON"),
        }
    }
}

fn replied(Sent { method, .. }: Sent, outcome: Result<bytes::Bytes, Refusal>) -> Outcome {
    outcome.map_err(|refusal| CdpError::Refused {
        method,
        code: refusal.code,
        message: refusal.message,
        data: refusal.data,
    })
}
