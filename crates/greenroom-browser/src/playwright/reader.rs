//! The task that owns the reading half. It never waits for anything but the peer: a reader that
//! waits for a writer is how two processes wait for each other.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use tokio::io::AsyncRead;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::framing::{Frame, LineReader, LongLine};
use super::health::{Counters, NoiseMeter, count};
use super::message::{self, Incoming};
use super::oversize::{self, Oversize};
use super::pending::{Delivery, Outcome, Pending};
use crate::call::{Death, EngineError};

/// How much of a noisy or unfinished line is shown to a person.
const SHOWN: usize = 200;

#[derive(Debug)]
pub(super) struct Reader<R> {
    pub(super) lines: LineReader<R>,
    pub(super) limit: u64,
    pub(super) pending: Arc<Pending>,
    pub(super) counters: Arc<Counters>,
    pub(super) noise: NoiseMeter,
    pub(super) answers: mpsc::Sender<Vec<u8>>,
    pub(super) ended: watch::Sender<Option<Arc<Death>>>,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    /// Reads until the peer's output ends, then tells everybody.
    pub(super) async fn run(mut self) {
        let how = loop {
            match self.lines.next().await {
                Ok(Some(frame)) => self.take(frame),
                Ok(None) => break "its output ended".to_owned(),
                Err(error) => break format!("its output cannot be read ({error})"),
            }
        };
        let half_line = self.take_half_line();
        let death = Arc::new(Death {
            how,
            half_line,
            ..Death::default()
        });
        self.pending.close(&death);
        self.ended.send_replace(Some(death));
    }

    /// A peer may end right after its last message, without a line feed: that is still a message.
    fn take_half_line(&mut self) -> Option<String> {
        let shown = shown(self.lines.half_line());
        match self.lines.take_half_line()? {
            Frame::Line(line) => match message::parse(line) {
                Incoming::Noise => Some(shown),
                message => {
                    self.dispatch(message);
                    None
                }
            },
            Frame::TooLong(_) => Some(shown),
        }
    }

    fn take(&mut self, frame: Frame) {
        match frame {
            Frame::Line(line) => {
                let (length, shown) = (line.len() as u64, shown(&line));
                match message::parse(line) {
                    Incoming::Noise => self.noise(length, &shown),
                    message => self.dispatch(message),
                }
            }
            Frame::TooLong(line) => self.too_long(&line),
        }
    }

    fn dispatch(&mut self, message: Incoming) {
        match message {
            Incoming::Reply { id, outcome } => self.deliver(id, outcome),
            Incoming::ForeignReply => count(&self.counters.stray),
            Incoming::Request { id, method } => {
                count(&self.counters.peer_requests);
                if self
                    .answers
                    .try_send(message::answer(&id, &method))
                    .is_err()
                {
                    count(&self.counters.answers_dropped);
                }
            }
            Incoming::Progress { token, progress } => self.pending.report(token, progress),
            Incoming::ToolsChanged => count(&self.counters.tool_changes),
            Incoming::Notification | Incoming::Noise => {}
        }
    }

    fn deliver(&self, id: u64, outcome: Outcome) {
        match self.pending.deliver(id, outcome) {
            Delivery::Delivered => {}
            Delivery::Late => count(&self.counters.late),
            Delivery::Stray => {
                count(&self.counters.stray);
                tracing::debug!(id, "dropped a reply that nobody asked for");
            }
        }
    }

    fn too_long(&mut self, line: &LongLine) {
        let id = match oversize::judge(line) {
            Oversize::Noise => return self.noise(line.length, &shown(&line.head)),
            Oversize::Message(id) => id.or_else(|| self.pending.only_sent()),
        };
        count(&self.counters.too_long);
        match id {
            Some(id) => {
                let (length, limit) = (line.length, self.limit);
                self.deliver(id, Err(EngineError::ResponseTooLarge { length, limit }));
            }
            // Several calls wait and none can be named: the right one meets its deadline.
            None => tracing::warn!(
                length = line.length,
                "dropped an over-long reply of unknown id"
            ),
        }
    }

    fn noise(&mut self, length: u64, shown: &str) {
        count(&self.counters.noise_lines);
        self.counters.noise_bytes.fetch_add(length, Relaxed);
        let verdict = self.noise.heard(length, Instant::now());
        if verdict.log {
            tracing::debug!(line = shown, "the upstream wrote a line that is no message");
        }
        if verdict.flood && !self.counters.noisy.swap(true, Relaxed) {
            tracing::warn!("the upstream floods its output with what is no message");
        }
    }
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned()
}
