//! The table of commands that wait for their reply.
//!
//! A command is entered before it can go out and leaves the table exactly once: by its reply, by
//! the end of its session or of the connection, or because its caller has gone. The [`Ticket`]
//! that the caller holds sees to the last: dropping it takes the command out, and a reply that
//! comes later meets nobody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::oneshot;

use super::SessionId;
use crate::call::{Death, Stage};
use crate::native::error::CdpError;

pub(super) type Outcome = Result<Bytes, CdpError>;

#[derive(Debug, Default)]
pub(super) struct Pending {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    calls: HashMap<u64, Waiting>,
    last_id: u64,
    closed: Option<Arc<Death>>,
}

#[derive(Debug)]
struct Waiting {
    reply: oneshot::Sender<Outcome>,
    session: Option<SessionId>,
    method: &'static str,
    sent: bool,
}

/// What is known of a command when its end is decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    pub(super) method: &'static str,
    pub(super) sent: bool,
}

impl Pending {
    /// Enters a command. Fails at once when the connection has ended.
    pub(super) fn enter(
        self: &Arc<Self>,
        session: Option<&SessionId>,
        method: &'static str,
    ) -> Result<(Ticket, oneshot::Receiver<Outcome>), CdpError> {
        let mut table = self.lock();
        if let Some(death) = &table.closed {
            let death = death.clone();
            return Err(CdpError::Ended { death, sent: false });
        }
        table.last_id += 1;
        let id = table.last_id;
        let (reply, receiver) = oneshot::channel();
        let waiting = Waiting {
            reply,
            session: session.cloned(),
            method,
            sent: false,
        };
        table.calls.insert(id, waiting);
        drop(table);
        let pending = self.clone();
        Ok((Ticket { id, pending }, receiver))
    }

    /// Marks a command as going out. `false`: nobody waits for it any more, so it need not.
    pub(super) fn begin_sending(&self, id: u64) -> bool {
        match self.lock().calls.get_mut(&id) {
            Some(waiting) => {
                waiting.sent = true;
                true
            }
            None => false,
        }
    }

    /// Ends one command. `false`: nobody waits for it.
    pub(super) fn settle(&self, id: u64, outcome: impl FnOnce(Sent) -> Outcome) -> bool {
        let waiting = self.lock().calls.remove(&id);
        waiting.is_some_and(|waiting| waiting.end(outcome))
    }

    /// Ends all commands of a session.
    pub(super) fn fail_session(&self, session: &SessionId, error: impl Fn(Sent) -> CdpError) {
        let ended: Vec<Waiting> = {
            let mut table = self.lock();
            let of_session = |waiting: &Waiting| waiting.session.as_ref() == Some(session);
            let ended = table.calls.extract_if(|_, waiting| of_session(waiting));
            ended.map(|(_, waiting)| waiting).collect()
        };
        for waiting in ended {
            waiting.end(|sent| Err(error(sent)));
        }
    }

    /// Ends the connection: whoever waits is told now, whoever comes later is told at once.
    pub(super) fn close(&self, death: &Arc<Death>) {
        let calls = {
            let mut table = self.lock();
            table.closed.get_or_insert_with(|| death.clone());
            std::mem::take(&mut table.calls)
        };
        for waiting in calls.into_values() {
            let death = death.clone();
            waiting.end(|Sent { sent, .. }| Err(CdpError::Ended { death, sent }));
        }
    }

    /// How many commands wait.
    pub(super) fn count(&self) -> usize {
        self.lock().calls.len()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn end(self, outcome: impl FnOnce(Sent) -> Outcome) -> bool {
        let (method, sent) = (self.method, self.sent);
        self.reply.send(outcome(Sent { method, sent })).is_ok()
    }
}

/// A caller's place in the table.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) id: u64,
    pending: Arc<Pending>,
}

impl Ticket {
    /// How far the command has come.
    pub(super) fn stage(&self) -> Stage {
        let table = self.pending.lock();
        match table.calls.get(&self.id) {
            Some(waiting) if !waiting.sent => Stage::Sending,
            _ => Stage::Answering,
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.lock().calls.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(pending: &Arc<Pending>, session: &str) -> (Ticket, oneshot::Receiver<Outcome>) {
        pending.enter(Some(&session.into()), "Page.enable").unwrap()
    }

    #[test]
    fn a_reply_is_delivered_once_and_its_double_meets_nobody() {
        let pending = Arc::new(Pending::default());
        let (ticket, mut reply) = enter(&pending, "a");
        assert!(pending.begin_sending(ticket.id));
        assert!(pending.settle(ticket.id, |_| Ok(Bytes::new())));
        assert!(!pending.settle(ticket.id, |_| Ok(Bytes::new())));
        assert!(!pending.settle(99, |_| Ok(Bytes::new())));
        assert!(reply.try_recv().unwrap().is_ok());
    }

    #[test]
    fn a_caller_that_goes_leaves_nothing_behind() {
        let pending = Arc::new(Pending::default());
        let (ticket, _reply) = enter(&pending, "a");
        let id = ticket.id;
        drop(ticket);
        assert_eq!(pending.count(), 0);
        assert!(!pending.begin_sending(id), "it need not go out any more");
        assert!(!pending.settle(id, |_| Ok(Bytes::new())));
    }

    #[test]
    fn the_end_of_a_session_ends_its_commands_and_no_others() {
        let pending = Arc::new(Pending::default());
        let (_first, mut gone) = enter(&pending, "a");
        let (_second, mut stays) = enter(&pending, "b");
        pending.fail_session(&"a".into(), |Sent { method, sent }| CdpError::Detached {
            method,
            sent,
        });
        assert!(matches!(
            gone.try_recv(),
            Ok(Err(CdpError::Detached { sent: false, .. }))
        ));
        assert!(stays.try_recv().is_err());
    }

    #[test]
    fn the_end_tells_each_caller_whether_its_command_had_gone_out() {
        let pending = Arc::new(Pending::default());
        let (sent, mut first) = enter(&pending, "a");
        let (_unsent, mut second) = enter(&pending, "b");
        pending.begin_sending(sent.id);
        assert_eq!(sent.stage(), Stage::Answering);
        pending.close(&Arc::new(Death::new("gone")));
        assert!(matches!(
            first.try_recv(),
            Ok(Err(CdpError::Ended { sent: true, .. }))
        ));
        assert!(matches!(
            second.try_recv(),
            Ok(Err(CdpError::Ended { sent: false, .. }))
        ));
        let refused = pending.enter(None, "Page.enable").unwrap_err();
        assert!(matches!(refused, CdpError::Ended { sent: false, .. }));
    }
}
