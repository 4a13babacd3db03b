//! The sessions of a connection: which live, which crashed, and who listens to them.
//!
//! A session begins with `Target.attachedToTarget`, which the browser sends before anything else
//! of it, and ends with `Target.detachedFromTarget`; those that were attached through it end with
//! it. The browser itself is the session without a name, and always there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::SessionId;
use super::event::Event;
use super::queue::{Notice, Queue};

/// The state of a session that a command is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Live,
    Crashed,
    Gone,
}

#[derive(Debug, Default)]
pub(super) struct Sessions {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    browser: Vec<Arc<Queue>>,
    attached: HashMap<SessionId, Attached>,
    closed: bool,
}

#[derive(Debug, Default)]
struct Attached {
    parent: Option<SessionId>,
    crashed: bool,
    listeners: Vec<Arc<Queue>>,
}

impl Sessions {
    pub(super) fn standing(&self, session: Option<&SessionId>) -> Standing {
        let Some(session) = session else {
            return Standing::Live;
        };
        match self.lock().attached.get(session) {
            Some(attached) if attached.crashed => Standing::Crashed,
            Some(_) => Standing::Live,
            None => Standing::Gone,
        }
    }

    pub(super) fn attach(&self, session: SessionId, parent: Option<SessionId>) {
        let attached = Attached {
            parent,
            ..Attached::default()
        };
        self.lock().attached.insert(session, attached);
    }

    /// Ends a session with all that were attached through it, and names them.
    pub(super) fn detach(&self, session: &SessionId) -> Vec<SessionId> {
        let mut table = self.lock();
        let mut gone = vec![session.clone()];
        let mut at = 0;
        while let Some(parent) = gone.get(at).cloned() {
            let of_parent =
                |(_, child): &(&SessionId, &Attached)| child.parent.as_ref() == Some(&parent);
            let children = table.attached.iter().filter(of_parent);
            gone.extend(children.map(|(id, _)| id.clone()).collect::<Vec<_>>());
            at += 1;
        }
        for id in &gone {
            let attached = table.attached.remove(id).unwrap_or_default();
            attached.listeners.iter().for_each(|queue| queue.close());
        }
        gone
    }

    /// Marks a session whose renderer has ended: it will answer nothing any more.
    pub(super) fn crash(&self, session: &SessionId) {
        self.set_crashed(session, true);
    }

    /// Takes the mark back: the page was loaded again, as another page can make it.
    pub(super) fn revive(&self, session: &SessionId) {
        self.set_crashed(session, false);
    }

    fn set_crashed(&self, session: &SessionId, crashed: bool) {
        if let Some(attached) = self.lock().attached.get_mut(session) {
            attached.crashed = crashed;
        }
    }

    /// Tells all listeners of a session.
    pub(super) fn publish(&self, session: Option<&SessionId>, event: &Event) {
        if let Some(listeners) = self.lock().listeners(session) {
            for queue in listeners {
                queue.push(event.clone());
            }
        }
    }

    /// Ends all sessions, for good.
    pub(super) fn close(&self) {
        let mut table = self.lock();
        table.closed = true;
        let browser = std::mem::take(&mut table.browser);
        let attached = std::mem::take(&mut table.attached);
        drop(table);
        let listeners = attached.into_values().flat_map(|session| session.listeners);
        browser
            .into_iter()
            .chain(listeners)
            .for_each(|queue| queue.close());
    }

    /// Listens to a session from here on.
    pub(super) fn listen(self: &Arc<Self>, session: Option<&SessionId>) -> Events {
        let queue = Arc::new(Queue::new());
        let mut table = self.lock();
        match table.listeners(session) {
            Some(listeners) => listeners.push(queue.clone()),
            None => queue.close(),
        }
        drop(table);
        Events {
            queue,
            session: session.cloned(),
            sessions: self.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Who listens to a session; `None` when it is gone.
    fn listeners(&mut self, session: Option<&SessionId>) -> Option<&mut Vec<Arc<Queue>>> {
        match session {
            None => (!self.closed).then_some(&mut self.browser),
            Some(session) => self.attached.get_mut(session).map(|s| &mut s.listeners),
        }
    }
}

/// The events of one session, from the moment it was made. Dropping it ends the listening.
#[derive(Debug)]
pub struct Events {
    queue: Arc<Queue>,
    session: Option<SessionId>,
    sessions: Arc<Sessions>,
}

impl Events {
    /// What happens next, or `None` when the session has ended. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Notice> {
        self.queue.next().await
    }

    /// What has happened already, without waiting.
    pub fn try_next(&mut self) -> Option<Notice> {
        self.queue.try_next()
    }

    /// The next event of a type for which `wanted` gives something; all others are passed over.
    /// `None` when the session has ended. The caller sets the deadline.
    pub async fn find<E, T>(&mut self, mut wanted: impl FnMut(E) -> Option<T>) -> Option<T>
    where
        E: crate::native::protocol::Event,
    {
        loop {
            if let Notice::Event(event) = self.next().await?
                && let Some(found) = event.read::<E>().and_then(&mut wanted)
            {
                return Some(found);
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut table = self.sessions.lock();
        if let Some(listeners) = table.listeners(self.session.as_ref()) {
            listeners.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn event(method: &'static str) -> Event {
        let method = Bytes::from_static(method.as_bytes());
        Event::new(method, Bytes::from_static(b"{}"))
    }

    fn sessions(names: &[(&str, Option<&str>)]) -> Arc<Sessions> {
        let sessions = Arc::new(Sessions::default());
        for (name, parent) in names {
            sessions.attach((*name).into(), parent.map(SessionId::from));
        }
        sessions
    }

    #[tokio::test]
    async fn each_listener_hears_its_own_session_and_only_from_its_beginning() {
        let sessions = sessions(&[("a", None), ("b", None)]);
        let a = SessionId::from("a");
        sessions.publish(Some(&a), &event("Page.before"));
        let (mut first, mut second) = (sessions.listen(Some(&a)), sessions.listen(Some(&a)));
        sessions.publish(Some(&"b".into()), &event("Page.other"));
        sessions.publish(None, &event("Target.other"));
        sessions.publish(Some(&a), &event("Page.mine"));
        for events in [&mut first, &mut second] {
            assert_eq!(events.next().await, Some(Notice::Event(event("Page.mine"))));
            assert_eq!(events.try_next(), None);
        }
        drop(first);
        assert_eq!(sessions.lock().attached[&a].listeners.len(), 1);
    }

    #[tokio::test]
    async fn a_session_ends_with_all_that_were_attached_through_it() {
        let sessions = sessions(&[
            ("page", None),
            ("frame", Some("page")),
            ("worker", Some("frame")),
            ("other", None),
        ]);
        let mut worker = sessions.listen(Some(&"worker".into()));
        let mut gone = sessions.detach(&"page".into());
        gone.sort();
        let expected = ["frame", "page", "worker"].map(SessionId::from);
        assert_eq!(gone, expected);
        assert_eq!(worker.next().await, None);
        assert_eq!(sessions.standing(Some(&"worker".into())), Standing::Gone);
        assert_eq!(sessions.standing(Some(&"other".into())), Standing::Live);
        assert_eq!(sessions.standing(None), Standing::Live);
    }

    #[tokio::test]
    async fn listening_to_what_is_gone_ends_at_once() {
        let sessions = sessions(&[]);
        assert_eq!(sessions.listen(Some(&"gone".into())).next().await, None);
        let mut browser = sessions.listen(None);
        sessions.close();
        assert_eq!(browser.next().await, None);
        assert_eq!(sessions.listen(None).next().await, None);
    }

    #[test]
    fn a_crash_marks_its_session_until_that_ends_or_comes_back() {
        let sessions = sessions(&[("a", None), ("b", None)]);
        sessions.crash(&"a".into());
        assert_eq!(sessions.standing(Some(&"a".into())), Standing::Crashed);
        assert_eq!(sessions.standing(Some(&"b".into())), Standing::Live);
        sessions.revive(&"a".into());
        assert_eq!(sessions.standing(Some(&"a".into())), Standing::Live);
        sessions.detach(&"a".into());
        sessions.crash(&"a".into());
        assert_eq!(sessions.standing(Some(&"a".into())), Standing::Gone);
    }
}
