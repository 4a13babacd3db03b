//! JSON-RPC messages: what a line says, and lines to say.
//!
//! A result is never decoded here: it is a window into the line that brought it, so that a large
//! answer is held once and stored exactly as it came.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::EngineError;
use crate::json::decode;

/// What one line of the peer says.
#[derive(Debug)]
pub(super) enum Incoming {
    /// An answer to a request of ours.
    Reply {
        id: u64,
        outcome: Result<Bytes, EngineError>,
    },
    /// An answer whose id was never ours.
    ForeignReply,
    /// A request of the peer's, which must be answered.
    Request { id: Box<RawValue>, method: String },
    /// How far a request of ours has come.
    Progress { token: u64, progress: Progress },
    /// The peer's tools are not what they were.
    ToolsChanged,
    /// Another notification, of no interest here.
    Notification,
    /// Not a message.
    Noise,
}

/// How far a call has come, as the peer tells it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Progress {
    /// Grows with every notification.
    pub progress: f64,
    /// Where it ends, if known.
    #[serde(default)]
    pub total: Option<f64>,
    /// What is being done.
    #[serde(default)]
    pub message: Option<String>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(default)]
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ErrorObject {
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

#[derive(Deserialize)]
struct ProgressParams {
    #[serde(rename = "progressToken")]
    token: u64,
    #[serde(flatten)]
    progress: Progress,
}

/// Reads one line. Bytes that are no UTF-8 become the replacement character: they can only stand
/// inside a string, and the rest of the answer is worth having.
pub(super) fn parse(line: Vec<u8>) -> Incoming {
    let line = match String::from_utf8(line) {
        Ok(text) => Bytes::from(text.into_bytes()),
        Err(error) => Bytes::from(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    };
    // Asked first, because a list of five would pass for an envelope, field by field.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Incoming::Noise;
    }
    match serde_json::from_slice::<Envelope<'_>>(&line) {
        Ok(envelope) => classify(&line, envelope),
        Err(_) => Incoming::Noise,
    }
}

fn classify(line: &Bytes, envelope: Envelope<'_>) -> Incoming {
    match (envelope.method, envelope.id) {
        (Some(method), Some(id)) => Incoming::Request {
            id: id.to_owned(),
            method,
        },
        (Some(method), None) => notification(&method, envelope.params),
        (None, Some(id)) => match id.get().parse() {
            Ok(id) => {
                let outcome = outcome(line, envelope.result, envelope.error);
                Incoming::Reply { id, outcome }
            }
            Err(_) => Incoming::ForeignReply,
        },
        // An error without an id answers a line that the peer could not read: nobody's reply.
        (None, None) if envelope.error.is_some() => Incoming::ForeignReply,
        (None, None) => Incoming::Noise,
    }
}

fn outcome(
    line: &Bytes,
    result: Option<&RawValue>,
    error: Option<&RawValue>,
) -> Result<Bytes, EngineError> {
    match (result, error) {
        (_, Some(error)) => Err(refusal(error)),
        (Some(result), None) => Ok(line.slice_ref(result.get().as_bytes())),
        (None, None) => Err(EngineError::Protocol {
            detail: "an answer with neither a result nor an error".to_owned(),
        }),
    }
}

fn refusal(error: &RawValue) -> EngineError {
    match decode::<ErrorObject>(error.get().as_bytes()) {
        Ok(error) => EngineError::Upstream {
            code: error.code,
            message: error.message,
            data: error.data.map(|data| data.to_string()),
        },
        Err(reason) => EngineError::Protocol {
            detail: format!("an error that is none ({reason})"),
        },
    }
}

fn notification(method: &str, params: Option<&RawValue>) -> Incoming {
    match method {
        "notifications/tools/list_changed" => Incoming::ToolsChanged,
        "notifications/progress" => params
            .and_then(|params| decode::<ProgressParams>(params.get().as_bytes()).ok())
            .map_or(Incoming::Notification, |params| Incoming::Progress {
                token: params.token,
                progress: params.progress,
            }),
        _ => Incoming::Notification,
    }
}

/// A request as a line, with its line feed.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    #[derive(Serialize)]
    struct Request<'a> {
        jsonrpc: &'static str,
        id: u64,
        method: &'a str,
        params: &'a Value,
    }
    let jsonrpc = "2.0";
    line(&Request {
        jsonrpc,
        id,
        method,
        params,
    })
}

/// A notification as a line.
pub(super) fn notify(method: &str, params: Option<&Value>) -> Vec<u8> {
    let mut message = json!({"jsonrpc": "2.0", "method": method});
    if let Some(params) = params {
        message["params"] = params.clone();
    }
    line(&message)
}

/// The answer to a request of the peer's. It may ping; there are no roots here and no model to
/// sample from, and it is told so at once rather than left to wait.
pub(super) fn answer(id: &RawValue, method: &str) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        #[serde(flatten)]
        outcome: Value,
    }
    let outcome = match method {
        "ping" => json!({"result": {}}),
        "roots/list" => json!({"result": {"roots": []}}),
        _ => json!({"error": {"code": -32601, "message": format!("{method} is not offered here")}}),
    };
    line(&Answer {
        jsonrpc: "2.0",
        id,
        outcome,
    })
}

/// One line of JSON. Two separators that JSON allows in strings, but that some readers take for
/// the end of a line, go out as escapes.
fn line(message: &impl Serialize) -> Vec<u8> {
    let json = serde_json::to_string(message).expect("BUG: a message of plain JSON cannot fail");
    let mut json = if json.contains(['\u{2028}', '\u{2029}']) {
        json.replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    } else {
        json
    };
    json.push('\n');
    json.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Incoming {
        parse(line.as_bytes().to_vec())
    }

    #[test]
    fn a_result_is_the_exact_bytes_of_the_peer() {
        let line = r#"{"result":{ "b":1.0, "a" : "\u00e9" },"jsonrpc":"2.0","id":3}"#;
        let Incoming::Reply {
            id: 3,
            outcome: Ok(result),
        } = parsed(line)
        else {
            panic!("expected a reply");
        };
        assert_eq!(result, r#"{ "b":1.0, "a" : "\u00e9" }"#);
    }

    #[test]
    fn lines_are_told_apart() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":"a-1","method":"ping"}"#, "request"),
            (
                r#"{"jsonrpc":"2.0","id":0,"method":"roots/list","params":{}}"#,
                "request",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
                "tools",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
                "notification",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":0.5,"total":2}}"#,
                "progress",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x","progress":1}}"#,
                "notification",
            ),
            (r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, "ok"),
            (
                r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
                "upstream",
            ),
            (r#"{"jsonrpc":"2.0","id":3,"error":"no"}"#, "protocol"),
            (r#"{"jsonrpc":"2.0","id":3}"#, "protocol"),
            (r#"{"jsonrpc":"2.0","id":"3","result":{}}"#, "foreign"),
            (r#"{"jsonrpc":"2.0","id":-1,"result":{}}"#, "foreign"),
            (
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}"#,
                "foreign",
            ),
            (r#"{"jsonrpc":"2.0"}"#, "noise"),
            (r#"[{"jsonrpc":"2.0","id":3,"result":{}}]"#, "noise"),
            (r#"{"jsonrpc":"2.0","id":3,"res"#, "noise"),
            ("Listening on http://localhost:1234", "noise"),
            ("42", "noise"),
        ] {
            let kind = match parsed(line) {
                Incoming::Reply { outcome: Ok(_), .. } => "ok",
                Incoming::Reply {
                    outcome: Err(error),
                    ..
                } => error.kind(),
                Incoming::ForeignReply => "foreign",
                Incoming::Request { .. } => "request",
                Incoming::Progress { .. } => "progress",
                Incoming::ToolsChanged => "tools",
                Incoming::Notification => "notification",
                Incoming::Noise => "noise",
            };
            assert_eq!(kind, expected, "{line}");
        }
    }

    #[test]
    fn lone_surrogates_and_broken_utf8_do_not_cost_the_answer() {
        let lone = r#"{"id":3,"result":{"t":"\ud800"}}"#;
        let Incoming::Reply {
            outcome: Ok(result),
            ..
        } = parsed(lone)
        else {
            panic!("expected a reply");
        };
        let text = std::str::from_utf8(&result).unwrap();
        assert_eq!(text, r#"{"t":"\ud800"}"#, "the stored bytes are the peer's");
        assert_eq!(
            decode::<Value>(text.as_bytes()).unwrap(),
            json!({"t": "\u{fffd}"})
        );

        let mut broken = br#"{"id":3,"result":{"t":""#.to_vec();
        broken.push(0xFF);
        broken.extend_from_slice(br#""}}"#);
        let Incoming::Reply {
            outcome: Ok(result),
            ..
        } = parse(broken)
        else {
            panic!("expected a reply");
        };
        assert_eq!(result, "{\"t\":\"\u{fffd}\"}");
    }

    #[test]
    fn an_error_with_a_lone_surrogate_is_still_an_error_of_the_upstream() {
        let line = r#"{"id":3,"error":{"code":-32000,"message":"\udc00"}}"#;
        let Incoming::Reply {
            outcome: Err(error),
            ..
        } = parsed(line)
        else {
            panic!("expected an error");
        };
        assert_eq!(error.kind(), "upstream");
    }

    #[test]
    fn everything_said_is_one_line() {
        let params = json!({"text": "a\nb\r\u{2028}\u{2029}\u{0}ж"});
        let line = String::from_utf8(request(1, "tools/call", &params)).unwrap();
        let body = line.strip_suffix('\n').unwrap();
        assert!(
            !body.contains(['\n', '\r', '\u{2028}', '\u{2029}']),
            "{body}"
        );
        let value: Value = serde_json::from_str(body).unwrap();
        assert_eq!(value["params"], params);
    }

    #[test]
    fn the_peer_s_requests_are_answered_with_their_own_id() {
        let id = RawValue::from_string("\"x-1\"".to_owned()).unwrap();
        for (method, expected) in [
            ("ping", json!({"jsonrpc": "2.0", "id": "x-1", "result": {}})),
            (
                "roots/list",
                json!({"jsonrpc": "2.0", "id": "x-1", "result": {"roots": []}}),
            ),
            (
                "sampling/createMessage",
                json!({"jsonrpc": "2.0", "id": "x-1", "error": {"code": -32601,
                       "message": "sampling/createMessage is not offered here"}}),
            ),
        ] {
            let value: Value = serde_json::from_slice(&answer(&id, method)).unwrap();
            assert_eq!(value, expected);
        }
    }
}
