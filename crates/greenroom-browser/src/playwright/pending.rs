//! The table of calls that wait for their reply.
//!
//! A call is entered before its request can go out and leaves the table exactly once: by its
//! reply, by the end of the connection, or because its caller has gone. The [`Ticket`] that the
//! caller holds sees to the last: dropping it takes the call out. Whether the peer is told then,
//! if it has ever heard of the request, is the matter of its [`Farewell`].
//!
//! The upstream is not told of a tool that nobody waits for. Its SDK never answers a request after
//! the notification, and the tool runs on all the same: with the answer, the only sign of its end
//! would be lost, and the next caller would find it at work in its own world. So the call stays on
//! the books as running until its late reply comes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot, watch};

use super::message::Progress;
use super::writer::Control;
use crate::call::{Death, EngineError};

pub(super) type Outcome = Result<Bytes, EngineError>;

/// How many cancelled calls are remembered, to tell a late reply from a stray one.
const REMEMBERED: usize = 1024;

#[derive(Debug)]
pub(super) struct Pending {
    table: Mutex<Table>,
    /// How many calls run on though nobody waits for them. Changed under the lock of the table.
    running: watch::Sender<usize>,
}

/// What is done about a request that has gone out when its caller goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Farewell {
    /// The peer is told to give it up, and may never answer.
    Cancel,
    /// The peer is not told, and what it does is nobody's concern.
    Silence,
    /// The peer is not told, and is taken to be at work until it answers.
    LetRun,
}

#[derive(Debug, Default)]
struct Table {
    calls: HashMap<u64, Waiting>,
    /// Calls that nobody waits for and that may or may not be answered.
    forgotten: HashSet<u64>,
    /// Calls that nobody waits for and that the peer is at work on until it answers them.
    running: HashSet<u64>,
    last_id: u64,
    closed: Option<Arc<Death>>,
}

#[derive(Debug)]
struct Waiting {
    reply: oneshot::Sender<Outcome>,
    progress: Option<mpsc::Sender<Progress>>,
    sent: bool,
}

impl Table {
    fn abandoned(&self) -> usize {
        self.forgotten.len() + self.running.len()
    }
}

/// What became of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Its caller has it.
    Delivered,
    /// Its caller has gone.
    Late,
    /// It was never asked for, or was answered before.
    Stray,
}

impl Pending {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            table: Mutex::default(),
            running: watch::Sender::new(0),
        })
    }

    /// Enters a call. Fails at once when the connection has ended.
    pub(super) fn enter(
        self: &Arc<Self>,
        progress: Option<mpsc::Sender<Progress>>,
        control: &mpsc::UnboundedSender<Control>,
        farewell: Farewell,
    ) -> Result<(Ticket, oneshot::Receiver<Outcome>), EngineError> {
        let mut table = self.lock();
        if let Some(death) = &table.closed {
            let death = death.clone();
            return Err(EngineError::Died { death, sent: false });
        }
        table.last_id += 1;
        let id = table.last_id;
        let (reply, receiver) = oneshot::channel();
        table.calls.insert(
            id,
            Waiting {
                reply,
                progress,
                sent: false,
            },
        );
        let ticket = Ticket {
            id,
            pending: self.clone(),
            control: control.clone(),
            farewell,
        };
        Ok((ticket, receiver))
    }

    /// Marks a request as going out. `false`: its caller has gone, so that nothing need go out.
    pub(super) fn begin_sending(&self, id: u64) -> bool {
        match self.lock().calls.get_mut(&id) {
            Some(waiting) => {
                waiting.sent = true;
                true
            }
            None => false,
        }
    }

    /// Whether the request has gone out, or begun to.
    pub(super) fn is_sent(&self, id: u64) -> bool {
        self.lock()
            .calls
            .get(&id)
            .is_some_and(|waiting| waiting.sent)
    }

    /// Hands a reply to its caller, if there still is one.
    pub(super) fn deliver(&self, id: u64, outcome: Outcome) -> Delivery {
        let waiting = {
            let mut table = self.lock();
            if table.forgotten.remove(&id) {
                return Delivery::Late;
            }
            if table.running.remove(&id) {
                self.running.send_replace(table.running.len());
                return Delivery::Late;
            }
            table.calls.remove(&id)
        };
        match waiting.map(|waiting| waiting.reply.send(outcome)) {
            Some(Ok(())) => Delivery::Delivered,
            Some(Err(_)) => Delivery::Late,
            None => Delivery::Stray,
        }
    }

    /// Tells a caller how far its call has come. Progress is dropped when the caller is slow.
    pub(super) fn report(&self, token: u64, progress: Progress) {
        if let Some(Waiting {
            progress: Some(sink),
            ..
        }) = self.lock().calls.get(&token)
        {
            let _ = sink.try_send(progress);
        }
    }

    /// The one call whose request is out, if it is the only one.
    pub(super) fn only_sent(&self) -> Option<u64> {
        let table = self.lock();
        let mut sent = table.calls.iter().filter(|(_, waiting)| waiting.sent);
        match (sent.next(), sent.next()) {
            (Some((id, _)), None) if table.abandoned() == 0 => Some(*id),
            _ => None,
        }
    }

    /// How many requests are out and waited for.
    pub(super) fn in_flight(&self) -> usize {
        self.lock()
            .calls
            .values()
            .filter(|waiting| waiting.sent)
            .count()
    }

    /// How many calls the peer may still be at work on, though nobody waits for them.
    pub(super) fn abandoned(&self) -> usize {
        self.lock().abandoned()
    }

    /// How many calls run on though nobody waits for them, now and whenever it changes.
    pub(super) fn running(&self) -> watch::Receiver<usize> {
        self.running.subscribe()
    }

    /// Ends the connection: whoever waits is told now, whoever comes later is told at once.
    pub(super) fn close(&self, death: &Arc<Death>) {
        let calls = {
            let mut table = self.lock();
            table.closed.get_or_insert_with(|| death.clone());
            table.forgotten.clear();
            table.running.clear();
            self.running.send_replace(0);
            std::mem::take(&mut table.calls)
        };
        for waiting in calls.into_values() {
            let (death, sent) = (death.clone(), waiting.sent);
            let _ = waiting.reply.send(Err(EngineError::Died { death, sent }));
        }
    }

    /// Refuses new calls and those that have not gone out; the others may still be answered.
    pub(super) fn close_input(&self, death: &Arc<Death>) {
        let unsent: Vec<Waiting> = {
            let mut table = self.lock();
            table.closed.get_or_insert_with(|| death.clone());
            table
                .calls
                .extract_if(|_, waiting| !waiting.sent)
                .map(|(_, waiting)| waiting)
                .collect()
        };
        for waiting in unsent {
            let death = death.clone();
            let _ = waiting
                .reply
                .send(Err(EngineError::Died { death, sent: false }));
        }
    }

    /// Takes a call out whose caller goes. Says whether the peer has heard of it.
    fn withdraw(&self, id: u64, farewell: Farewell) -> bool {
        let mut table = self.lock();
        let sent = table.calls.remove(&id).is_some_and(|waiting| waiting.sent);
        if sent && farewell == Farewell::LetRun {
            table.running.insert(id);
            self.running.send_replace(table.running.len());
        } else if sent && table.forgotten.len() < REMEMBERED {
            table.forgotten.insert(id);
        }
        sent
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table
            .lock()
            .expect("BUG: nothing panics while it holds the table")
    }
}

/// A caller's place in the table.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) id: u64,
    pending: Arc<Pending>,
    /// Where to say that the call is cancelled.
    control: mpsc::UnboundedSender<Control>,
    farewell: Farewell,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let sent = self.pending.withdraw(self.id, self.farewell);
        if sent && self.farewell == Farewell::Cancel {
            // A writer that has ended needs no word of it.
            let _ = self.control.send(Control::Cancel(self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> (
        Arc<Pending>,
        mpsc::UnboundedSender<Control>,
        mpsc::UnboundedReceiver<Control>,
    ) {
        let (control, heard) = mpsc::unbounded_channel();
        (Pending::new(), control, heard)
    }

    #[test]
    fn a_reply_is_delivered_once_and_its_double_is_stray() {
        let (pending, control, _heard) = table();
        let (ticket, mut reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        assert!(pending.begin_sending(ticket.id));
        assert_eq!(
            pending.deliver(ticket.id, Ok(Bytes::new())),
            Delivery::Delivered
        );
        assert_eq!(
            pending.deliver(ticket.id, Ok(Bytes::new())),
            Delivery::Stray
        );
        assert!(reply.try_recv().unwrap().is_ok());
        assert_eq!(pending.deliver(99, Ok(Bytes::new())), Delivery::Stray);
    }

    #[test]
    fn the_peer_hears_of_a_cancel_only_if_it_heard_of_the_request() {
        let (pending, control, mut heard) = table();
        let (unsent, _reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        let id = unsent.id;
        drop(unsent);
        assert!(heard.try_recv().is_err());
        assert!(
            !pending.begin_sending(id),
            "nothing goes out for it any more"
        );

        let (sent, _reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        let id = sent.id;
        assert!(pending.begin_sending(id));
        drop(sent);
        assert!(matches!(heard.try_recv(), Ok(Control::Cancel(cancelled)) if cancelled == id));
        assert_eq!(pending.abandoned(), 1);
        assert_eq!(pending.deliver(id, Ok(Bytes::new())), Delivery::Late);
        assert_eq!(pending.abandoned(), 0);
    }

    #[test]
    fn a_call_that_is_let_run_is_at_work_until_its_reply_comes() {
        let (pending, control, mut heard) = table();
        let running = pending.running();
        let (unsent, _reply) = pending.enter(None, &control, Farewell::LetRun).unwrap();
        drop(unsent);
        assert_eq!(*running.borrow(), 0, "the peer has never heard of it");
        let (sent, _reply) = pending.enter(None, &control, Farewell::LetRun).unwrap();
        let id = sent.id;
        assert!(pending.begin_sending(id));
        drop(sent);
        assert!(heard.try_recv().is_err(), "the peer is not told");
        assert_eq!((*running.borrow(), pending.abandoned()), (1, 1));
        assert_eq!(pending.deliver(id, Ok(Bytes::new())), Delivery::Late);
        assert_eq!((*running.borrow(), pending.abandoned()), (0, 0));
    }

    #[test]
    fn nothing_runs_on_beyond_the_end_of_the_connection() {
        let (pending, control, _heard) = table();
        let (sent, _reply) = pending.enter(None, &control, Farewell::LetRun).unwrap();
        assert!(pending.begin_sending(sent.id));
        drop(sent);
        pending.close(&Arc::new(Death::new("gone")));
        assert_eq!(*pending.running().borrow(), 0);
    }

    #[test]
    fn an_answered_call_is_never_cancelled() {
        let (pending, control, mut heard) = table();
        let (ticket, _reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        assert!(pending.begin_sending(ticket.id));
        pending.deliver(ticket.id, Ok(Bytes::new()));
        drop(ticket);
        assert!(heard.try_recv().is_err());
    }

    #[test]
    fn the_end_tells_each_caller_whether_its_request_had_gone_out() {
        let (pending, control, _heard) = table();
        let (sent, mut first) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        let (_unsent, mut second) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        assert!(pending.begin_sending(sent.id));
        pending.close(&Arc::new(Death::new("gone")));
        assert!(matches!(
            first.try_recv(),
            Ok(Err(EngineError::Died { sent: true, .. }))
        ));
        assert!(matches!(
            second.try_recv(),
            Ok(Err(EngineError::Died { sent: false, .. }))
        ));
        let refused = pending.enter(None, &control, Farewell::Cancel).unwrap_err();
        assert!(matches!(refused, EngineError::Died { sent: false, .. }));
    }

    #[test]
    fn when_only_the_input_ends_calls_that_went_out_may_still_be_answered() {
        let (pending, control, _heard) = table();
        let (sent, mut first) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        let (_unsent, mut second) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        assert!(pending.begin_sending(sent.id));
        pending.close_input(&Arc::new(Death::new("its input is closed")));
        assert!(second.try_recv().unwrap().is_err());
        assert_eq!(
            pending.deliver(sent.id, Ok(Bytes::new())),
            Delivery::Delivered
        );
        assert!(first.try_recv().unwrap().is_ok());
    }

    #[test]
    fn the_only_call_in_flight_is_known_unless_an_abandoned_one_may_answer() {
        let (pending, control, _heard) = table();
        assert_eq!(pending.only_sent(), None);
        let (first, _reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        pending.begin_sending(first.id);
        assert_eq!(pending.only_sent(), Some(first.id));
        let (second, _reply) = pending.enter(None, &control, Farewell::Cancel).unwrap();
        assert_eq!(
            pending.only_sent(),
            Some(first.id),
            "one that has not gone out has no answer"
        );
        pending.begin_sending(second.id);
        assert_eq!(pending.only_sent(), None);
        drop(second);
        assert_eq!(pending.only_sent(), None);
    }
}
