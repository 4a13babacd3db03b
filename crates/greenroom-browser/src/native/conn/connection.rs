//! A connection to a browser, as its users hold it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::frame::{FRAME_LIMIT, FrameReader};
use super::session::Session;
use super::sessions::{Events, Standing};
use super::task::{self, Outgoing, Shared};
use super::transport::{FrameWriter, Sink, Source};
use super::{SessionId, message};
use crate::call::Death;
use crate::native::error::CdpError;

/// How many commands may wait to be written. More than that means that the browser does not read,
/// and callers wait for their turn within their own deadlines.
const OUTBOX: usize = 256;

/// A connection. Clones share it; when the last one is dropped, it is closed.
#[derive(Debug, Clone)]
pub struct Connection(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    shared: Arc<Shared>,
    outbox: mpsc::Sender<Outgoing>,
    ended: watch::Receiver<Option<Arc<Death>>>,
}

impl Connection {
    /// A connection over a pair of byte streams with NUL-ended messages.
    ///
    /// `obituary` resolves when the browser's process has ended, and says how: it is what callers
    /// are told then.
    pub fn over_pipe(
        reader: impl AsyncRead + Unpin + Send + 'static,
        writer: impl AsyncWrite + Unpin + Send + 'static,
        obituary: impl Future<Output = Death> + Send + 'static,
    ) -> Self {
        let reader = FrameReader::new(reader, FRAME_LIMIT);
        Self::over(reader, FrameWriter::new(writer), obituary)
    }

    /// A connection over whatever carries messages.
    pub fn over(
        source: impl Source,
        sink: impl Sink,
        obituary: impl Future<Output = Death> + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let (outbox, commands) = mpsc::channel(OUTBOX);
        let (told, ended) = watch::channel(None);
        let of_task = shared.clone();
        tokio::spawn(async move {
            let death = task::run(source, sink, commands, &of_task, obituary).await;
            let death = Arc::new(death);
            of_task.pending.close(&death);
            of_task.sessions.close();
            told.send_replace(Some(death));
        });
        Self(Arc::new(Inner {
            shared,
            outbox,
            ended,
        }))
    }

    /// Sends a command and gives its result, as JSON text.
    ///
    /// Commands of one caller go out in the order in which their futures are first polled, so
    /// several can be on their way at once (`tokio::join!`). Dropping the future gives the command
    /// up: nothing of it is kept, and if it has not gone out yet it never will.
    pub async fn send(
        &self,
        session: Option<&SessionId>,
        method: &'static str,
        params: &impl Serialize,
        deadline: Duration,
    ) -> Result<Bytes, CdpError> {
        let Shared {
            pending, sessions, ..
        } = &*self.0.shared;
        let (ticket, reply) = pending.enter(session, method)?;
        // Looked at after the entry: a session that ends from here on ends this command too.
        match sessions.standing(session) {
            Standing::Live => {}
            Standing::Crashed => return Err(CdpError::Crashed { sent: false }),
            Standing::Gone => {
                let sent = false;
                return Err(CdpError::Detached { method, sent });
            }
        }
        let text = message::request(ticket.id, session, method, params).map_err(|error| {
            let detail = error.to_string();
            CdpError::Malformed { method, detail }
        })?;
        let id = ticket.id;
        let answered = async {
            // When the task is gone, the table has told this command already.
            let _ = self.0.outbox.send(Outgoing { id, text }).await;
            reply.await
        };
        match timeout(deadline, answered).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(self.lost()),
            Err(_) => Err(CdpError::Timeout {
                method,
                stage: ticket.stage(),
                after: deadline,
            }),
        }
    }

    /// The browser itself. Commands have `patience` unless they are given more.
    pub fn browser(&self, patience: Duration) -> Session {
        Session::new(self.clone(), None, patience)
    }

    /// A session that the browser has told of.
    pub fn session(&self, id: SessionId, patience: Duration) -> Session {
        Session::new(self.clone(), Some(id), patience)
    }

    /// Listens to a session, or to the browser itself, from here on.
    pub fn events(&self, session: Option<&SessionId>) -> Events {
        self.0.shared.sessions.listen(session)
    }

    /// Resolves when the connection has ended, and tells how.
    pub async fn ended(&self) -> Arc<Death> {
        let mut ended = self.0.ended.clone();
        let told = ended.wait_for(Option::is_some).await;
        let death = told.ok().and_then(|death| death.clone());
        death.unwrap_or_else(|| Arc::new(Death::new("its runtime was shut down")))
    }

    /// How the connection ended, if it has.
    pub fn try_ended(&self) -> Option<Arc<Death>> {
        self.0.ended.borrow().clone()
    }

    /// Closes the connection. Whoever waits is told at once. A browser on a pipe ends itself then.
    pub fn close(&self) {
        self.0.shared.closing.notify_one();
    }

    /// How many commands wait for their reply.
    pub fn pending(&self) -> usize {
        self.0.shared.pending.count()
    }

    /// The task ended without a word: its runtime is being shut down.
    fn lost(&self) -> CdpError {
        let unknown = || Arc::new(Death::new("its runtime was shut down"));
        CdpError::Ended {
            death: self.try_ended().unwrap_or_else(unknown),
            sent: true,
        }
    }
}
