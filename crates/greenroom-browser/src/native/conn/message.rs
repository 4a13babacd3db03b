//! The shape of what goes over the connection.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::SessionId;
use super::event::Event;
use crate::json;

/// A request as it is written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a, P> {
    id: u64,
    method: &'a str,
    params: &'a P,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a SessionId>,
}

/// The text of a request.
pub(super) fn request<P: Serialize>(
    id: u64,
    session: Option<&SessionId>,
    method: &str,
    params: &P,
) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Request {
        id,
        method,
        params,
        session_id: session,
    })
}

/// What came in.
#[derive(Debug)]
pub(super) enum Incoming {
    /// The answer to a request.
    Reply {
        id: u64,
        outcome: Result<Bytes, Refusal>,
    },
    /// Something that happened.
    Event {
        session: Option<SessionId>,
        event: Event,
    },
}

/// A request that the browser would not or could not serve.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    id: Option<u64>,
    method: Option<&'a str>,
    session_id: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Takes a message apart without reading what it carries. `None`: it is no message of the protocol.
pub(super) fn parse(text: &Bytes) -> Option<Incoming> {
    let envelope: Envelope<'_> = serde_json::from_slice(text).ok()?;
    let part = |raw: Option<&RawValue>| match raw {
        Some(raw) => text.slice_ref(raw.get().as_bytes()),
        None => Bytes::from_static(b"{}"),
    };
    if let Some(id) = envelope.id {
        let outcome = match envelope.error {
            Some(error) => Err(refusal(error)),
            None => Ok(part(envelope.result)),
        };
        return Some(Incoming::Reply { id, outcome });
    }
    let method = envelope.method?;
    Some(Incoming::Event {
        session: envelope.session_id.map(SessionId::from),
        event: Event::new(text.slice_ref(method.as_bytes()), part(envelope.params)),
    })
}

/// An error that is not of the usual shape is told as it is.
fn refusal(error: &RawValue) -> Refusal {
    json::decode(error.get().as_bytes()).unwrap_or_else(|_| Refusal {
        code: 0,
        message: error.get().to_owned(),
        data: None,
    })
}

/// The number of the request that a reply answers, from the reply's first bytes: Chromium writes
/// it first. For replies that are too long to be read, or are no JSON.
pub(super) fn id_at_head(head: &[u8]) -> Option<u64> {
    let text = head.strip_prefix(b"{\"id\":")?;
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(text: &str) -> Option<Incoming> {
        parse(&Bytes::copy_from_slice(text.as_bytes()))
    }

    #[test]
    fn a_request_carries_its_session_only_if_it_has_one() {
        let to = |session: Option<&SessionId>| {
            let text = request(7, session, "Page.enable", &json!({})).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(to(None), r#"{"id":7,"method":"Page.enable","params":{}}"#);
        let session = SessionId::from("S1");
        assert!(to(Some(&session)).ends_with(r#""params":{},"sessionId":"S1"}"#));
    }

    #[test]
    fn replies_refusals_and_events_are_told_apart() {
        let reply = parsed(r#"{"id":1,"result":{"a":"\ud800"},"sessionId":"S"}"#);
        let Some(Incoming::Reply {
            id: 1,
            outcome: Ok(result),
        }) = reply
        else {
            panic!("{reply:?}");
        };
        assert_eq!(&result[..], br#"{"a":"\ud800"}"#);
        let refused = parsed(r#"{"id":2,"error":{"code":-32000,"message":"no"}}"#);
        let Some(Incoming::Reply {
            id: 2,
            outcome: Err(refusal),
        }) = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!((refusal.code, refusal.message.as_str()), (-32000, "no"));
        let event =
            parsed(r#"{"method":"Page.loadEventFired","params":{"timestamp":1},"sessionId":"S"}"#);
        let Some(Incoming::Event {
            session: Some(session),
            event,
        }) = event
        else {
            panic!("{event:?}");
        };
        assert_eq!(
            (session.as_str(), event.method()),
            ("S", "Page.loadEventFired")
        );
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in ["", "[]", "{}", "null", r#"{"id":"#, r#"{"result":{}}"#] {
            assert!(parsed(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_number_of_a_reply_is_found_in_its_first_bytes() {
        assert_eq!(id_at_head(br#"{"id":42,"result":{"data":"AAAA"#), Some(42));
        for other in [
            &br#"{"method":"Page.x""#[..],
            b"{\"id\":",
            b"",
            b"{\"id\":x",
        ] {
            assert_eq!(id_at_head(other), None);
        }
    }
}
