//! The requests of a page.

use std::collections::{HashMap, VecDeque};

use super::exchange::{Exchange, flatten};
use crate::native::conn::Session;
use crate::native::protocol::network::{
    LoadingFailed, LoadingFinished, RequestWillBeSent, RequestWillBeSentExtraInfo,
    ResponseReceived, ResponseReceivedExtraInfo,
};
use crate::native::protocol::{LoaderId, RequestId};

/// How many requests are kept.
const KEPT: usize = 1000;

/// The requests of a page since it was last sent somewhere, the newest ones at least. Each has a
/// number, from 1, that it keeps.
#[derive(Debug, Default)]
pub struct NetworkLog {
    exchanges: VecDeque<Exchange>,
    /// How many were dropped from the beginning.
    dropped: usize,
    /// How many there ever were; the log may be cleared, this goes on.
    seen: u64,
    /// The number of the newest of each name.
    newest: HashMap<RequestId, usize>,
}

impl NetworkLog {
    /// Forgets all requests; numbers begin anew.
    pub(crate) fn clear(&mut self) {
        self.exchanges.clear();
        self.newest.clear();
        self.dropped = 0;
    }

    pub(crate) fn sent(&mut self, session: &Session, sent: RequestWillBeSent) {
        if sent.request.url.starts_with("data:") || sent.kind.as_deref() == Some("Preflight") {
            return;
        }
        if let Some(response) = sent.redirect_response.clone()
            && let Some(before) = self.of(&sent.request_id)
        {
            before.answered(response);
            before.ended(sent.timestamp);
        }
        let id = sent.request_id.clone();
        self.exchanges
            .push_back(Exchange::new(sent, session.clone()));
        self.seen += 1;
        self.newest.insert(id, self.dropped + self.exchanges.len());
        if self.exchanges.len() > KEPT {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        self.dropped += 1;
        if let Some(old) = self.exchanges.pop_front()
            && self.newest.get(&old.id) == Some(&self.dropped)
        {
            self.newest.remove(&old.id);
        }
    }

    pub(crate) fn sent_really(&mut self, extra: &RequestWillBeSentExtraInfo) {
        if let Some(exchange) = self.of(&extra.request_id) {
            exchange.headers = flatten(&extra.headers);
        }
    }

    pub(crate) fn answered(&mut self, received: ResponseReceived) {
        if let Some(exchange) = self.of(&received.request_id) {
            exchange.kind = received.kind.to_lowercase();
            exchange.answered(received.response);
        }
    }

    pub(crate) fn answered_really(&mut self, extra: ResponseReceivedExtraInfo) {
        if let Some(exchange) = self.of(&extra.request_id)
            && let super::Outcome::Answered(response) = &mut exchange.outcome
        {
            response.headers = extra.headers;
        }
    }

    pub(crate) fn finished(&mut self, finished: &LoadingFinished) {
        if let Some(exchange) = self.of(&finished.request_id) {
            exchange.ended(finished.timestamp);
        }
    }

    pub(crate) fn failed(&mut self, failed: LoadingFailed) {
        if let Some(exchange) = self.of(&failed.request_id) {
            exchange.failed(failed.error_text, failed.timestamp);
        }
    }

    /// The page has another document. What the one before was waiting for will not come, and the
    /// browser does not always say so.
    pub(crate) fn loaded(&mut self, loader: &LoaderId) {
        let of_others = |exchange: &&mut Exchange| exchange.loader != *loader;
        let others = self.exchanges.iter_mut().filter(of_others);
        others.for_each(Exchange::abandon);
    }

    fn of(&mut self, id: &RequestId) -> Option<&mut Exchange> {
        let number = self.newest.get(id)?;
        let index = number.checked_sub(self.dropped + 1)?;
        self.exchanges.get_mut(index)
    }

    /// All that are kept, with their numbers.
    pub fn list(&self) -> impl Iterator<Item = (usize, &Exchange)> {
        let first = self.dropped + 1;
        let numbered = self.exchanges.iter().enumerate();
        numbered.map(move |(index, exchange)| (first + index, exchange))
    }

    /// The one of this number.
    pub fn get(&self, number: usize) -> Option<&Exchange> {
        self.exchanges.get(number.checked_sub(self.dropped + 1)?)
    }

    /// A mark before which requests are none of an action's.
    pub(crate) fn mark(&self) -> u64 {
        self.seen
    }

    /// The requests that came after a mark.
    pub(crate) fn since(&self, mark: u64) -> impl Iterator<Item = &Exchange> {
        let new = usize::try_from(self.seen - mark).unwrap_or(usize::MAX);
        let skipped = self.exchanges.len().saturating_sub(new);
        self.exchanges.iter().skip(skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::call::Death;
    use serde_json::{Value, json};

    use super::super::super::conn::Connection;
    use super::*;

    fn session() -> Session {
        let (ours, theirs) = tokio::io::duplex(64);
        let (reader, writer) = tokio::io::split(ours);
        let obituary = async move {
            // Held for as long as the test lasts.
            let _theirs = theirs;
            std::future::pending::<Death>().await
        };
        Connection::over_pipe(reader, writer, obituary).browser(Duration::from_secs(1))
    }

    fn sent(id: &str, url: &str, redirect: Option<&Value>) -> RequestWillBeSent {
        let sent = json!({"requestId": id, "loaderId": "l", "documentURL": "", "timestamp": 1.0,
            "wallTime": 1.0, "type": "Fetch", "redirectResponse": redirect,
            "request": {"url": url, "method": "GET", "headers": {"Accept": "*/*"}}});
        serde_json::from_value(sent).unwrap()
    }

    fn response(status: u16) -> Value {
        json!({"url": "", "status": status, "statusText": "", "headers": {}, "mimeType": "",
            "encodedDataLength": 0})
    }

    #[tokio::test]
    async fn each_step_of_a_redirect_is_a_request_of_its_own() {
        let (session, mut log) = (session(), NetworkLog::default());
        log.sent(&session, sent("1", "http://a/", None));
        log.sent(&session, sent("1", "http://b/", Some(&response(302))));
        let received = json!({"requestId": "1", "loaderId": "l", "timestamp": 2.0, "type": "Fetch",
            "response": response(200)});
        log.answered(serde_json::from_value(received).unwrap());
        let end = json!({"requestId": "1", "timestamp": 3.5, "encodedDataLength": 0});
        log.finished(&serde_json::from_value(end).unwrap());
        let status = |number| log.get(number).unwrap().response().unwrap().status;
        assert_eq!((status(1), status(2)), (302, 200));
        assert!(log.list().all(|(_, exchange)| exchange.has_ended()));
        assert_eq!(log.get(2).unwrap().duration(), Some(2500));
        assert!(log.get(0).is_none() && log.get(3).is_none());
    }

    #[tokio::test]
    async fn what_a_document_waited_for_ends_with_it_and_the_next_ones_own_goes_on() {
        let (session, mut log) = (session(), NetworkLog::default());
        log.sent(&session, sent("1", "http://a/poll", None));
        log.sent(
            &session,
            RequestWillBeSent {
                loader_id: "next".into(),
                ..sent("next", "http://b/", None)
            },
        );
        log.loaded(&"next".into());
        let (old, new) = (log.get(1).unwrap(), log.get(2).unwrap());
        assert!(old.has_ended() && !old.is_awaited() && old.duration().is_none());
        assert!(!new.has_ended() && new.is_awaited());
    }

    #[tokio::test]
    async fn numbers_stay_when_the_oldest_are_dropped_and_marks_hold_over_a_clearing() {
        let (session, mut log) = (session(), NetworkLog::default());
        for n in 0..KEPT + 3 {
            log.sent(
                &session,
                sent(&n.to_string(), &format!("http://a/{n}"), None),
            );
        }
        assert!(log.get(3).is_none());
        assert_eq!(log.get(4).unwrap().url, "http://a/3");
        assert_eq!((log.list().count(), log.newest.len()), (KEPT, KEPT));
        let mark = log.mark();
        log.sent(&session, sent("new", "http://new/", None));
        assert_eq!(log.since(mark).count(), 1);
        log.clear();
        log.sent(&session, sent("newer", "http://newer/", None));
        assert_eq!(log.since(mark).count(), 1);
        assert_eq!(log.get(1).unwrap().url, "http://newer/");
        log.sent(&session, sent("data", "data:text/plain,x", None));
        assert_eq!(log.list().count(), 1);
    }
}
