//! A service with canned answers, which writes down what it was asked, and with blobs in a
//! directory of its own.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use greenroom_server::identity::{Caller, ConnectionId, Principal};
use greenroom_server::service::{
    Answer, Backend, BlobView, Incoming, Metadata, Outcome, ProgressSink, Refusal, Refused,
    Service, ToolView, UnknownTool,
};
use serde_json::{Map, Value, json};

use super::shelf::Shelf;

/// The name of every response.
pub const REF_ID: &str = "01980000-0000-7000-8000-000000000001";

/// A call as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub principal: String,
    pub tool: String,
    pub arguments: Value,
}

/// The inside of the service.
pub struct Canned {
    tools: Arc<Vec<ToolView>>,
    asked: Mutex<Vec<Asked>>,
    pub shelf: Shelf,
}

impl Canned {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            tools: Arc::new(tools()),
            asked: Mutex::default(),
            shelf: Shelf::new(),
        })
    }

    pub fn service(self: &Arc<Self>) -> Service {
        Service::new(self.clone())
    }

    /// The calls since the last look.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

/// The tools that are listed; `refuse` and `boom` answer without being so.
fn tools() -> Vec<ToolView> {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer", "minimum": 0});
    let content = json!({
        "ref_id": text, "search_for": text, "before_lines": number, "after_lines": number,
        "reset_cursor": {"type": "boolean"}, "mode": {"enum": ["changed", "diff", "full"]},
        "offset": number, "limit": number, "query": text, "since": text,
        "history": {"type": "boolean"},
    });
    let session = json!({"type": "object", "required": ["session_id"]});
    vec![
        tool("create_new_session", json!({"label": text}), Some(session)),
        tool("list_sessions", json!({}), Some(json!({"type": "object"}))),
        tool("close_session", json!({"session_id": text}), None),
        tool("get_content", content, None),
        tool(
            "get_console_content",
            json!({"ref_id": text, "level": text}),
            None,
        ),
        tool(
            "browser_navigate",
            json!({"url": text, "browser_instance": text}),
            None,
        ),
    ]
}

fn tool(name: &str, properties: Value, answer: Option<Value>) -> ToolView {
    let schema = json!({"type": "object", "properties": properties});
    let object = |schema: Value| Arc::new(schema.as_object().unwrap().clone());
    ToolView {
        name: name.to_owned(),
        description: format!("Does {name}."),
        input_schema: object(schema),
        output_schema: answer.map(object),
        annotations: Value::Null,
    }
}

/// What each tool answers.
fn answer(tool: &str, arguments: &Map<String, Value>) -> Option<Answer> {
    let said = |name: &str| arguments.get(name).cloned().unwrap_or_default();
    Some(match tool {
        "create_new_session" => structured(json!({"session_id": "s1", "label": said("label")})),
        "list_sessions" => structured(json!({"active_sessions": 0, "sessions": []})),
        "close_session" if said("session_id") == "gone" => refused(Refused::NotFound),
        "close_session" => structured(json!({"session_id": said("session_id")})),
        "get_content" | "get_console_content" if said("ref_id") != REF_ID => {
            refused(Refused::NotFound)
        }
        "get_content" => data(json!({
            "ref_id": said("ref_id"), "kind": "full", "content": "- button", "changed": true,
        })),
        "get_console_content" => data(json!({
            "ref_id": said("ref_id"), "level": said("level"), "total": 0, "error_count": 0,
            "messages": [],
        })),
        "browser_navigate" => navigated(&said("session_id")),
        "refuse" => refused(kind(said("kind").as_str().unwrap())),
        "boom" => panic!("as asked"),
        _ => return None,
    })
}

fn structured(value: Value) -> Answer {
    Answer {
        structured: Some(value),
        ..Answer::default()
    }
}

fn data(value: Value) -> Answer {
    Answer {
        data: Some(value),
        ..Answer::default()
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn meta(session: &Value) -> Map<String, Value> {
    let meta = json!({"greenroom/ref_id": REF_ID, "greenroom/session_id": session});
    meta.as_object().unwrap().clone()
}

fn navigated(session: &Value) -> Answer {
    Answer {
        content: vec![text("- heading"), text("[greenroom] ref_id: x")],
        metadata: Some(Metadata {
            tool: "browser_navigate".to_owned(),
            status: "success",
            has_snapshot: true,
            bytes: 9,
            url: Some("http://site.example/".to_owned()),
            ..Metadata::default()
        }),
        meta: meta(session),
        ..Answer::default()
    }
}

fn refused(kind: Refused) -> Answer {
    Answer {
        content: vec![
            text("### Error\nno: do something else"),
            text("[greenroom] ref_id: x"),
        ],
        is_error: true,
        refused: Some(kind),
        outcome: Outcome::Unknown,
        meta: meta(&json!("s1")),
        ..Answer::default()
    }
}

fn kind(name: &str) -> Refused {
    match name {
        "invalid" => Refused::Invalid,
        "not_found" => Refused::NotFound,
        "conflict" => Refused::Conflict,
        "forbidden" => Refused::Forbidden,
        "too_large" => Refused::TooLarge,
        "busy" => Refused::Busy,
        "unavailable" => Refused::Unavailable,
        "timed_out" => Refused::TimedOut,
        "failed" => Refused::Failed,
        other => panic!("{other}"),
    }
}

impl Backend for Canned {
    fn tools(&self) -> Arc<Vec<ToolView>> {
        self.tools.clone()
    }

    fn instructions(&self) -> String {
        String::new()
    }

    fn call(
        &self,
        caller: Caller,
        tool: String,
        arguments: Map<String, Value>,
        _progress: Option<ProgressSink>,
    ) -> BoxFuture<'static, Result<Answer, UnknownTool>> {
        assert_eq!(caller.connection, None, "plain HTTP has no connection");
        self.asked.lock().unwrap().push(Asked {
            principal: caller.principal.as_str().to_owned(),
            tool: tool.clone(),
            arguments: arguments.clone().into(),
        });
        async move {
            let nearest = tool
                .starts_with("browser")
                .then(|| "browser_navigate".to_owned());
            answer(&tool, &arguments).ok_or(UnknownTool {
                name: tool,
                nearest,
            })
        }
        .boxed()
    }

    fn status(&self, _principal: &Principal, _pool: Option<&str>) -> Result<Value, String> {
        Ok(json!({"pools": []}))
    }

    fn readiness(&self) -> (bool, Value) {
        (true, json!({"ready": true}))
    }

    fn blobs(
        &self,
        principal: Principal,
        limit: usize,
    ) -> BoxFuture<'static, Result<Vec<BlobView>, Refusal>> {
        let found = self.shelf.list(principal.as_str(), limit);
        async move { Ok(found) }.boxed()
    }

    fn open_blob(
        &self,
        principal: Principal,
        id: String,
    ) -> BoxFuture<'static, Result<(BlobView, tokio::fs::File), Refusal>> {
        let opened = self.shelf.open(principal.as_str(), &id);
        async move { opened }.boxed()
    }

    fn put_blob(
        &self,
        principal: Principal,
        mime_type: String,
        bytes: Incoming,
    ) -> BoxFuture<'static, Result<BlobView, Refusal>> {
        let shelf = self.shelf.clone();
        async move { shelf.put(principal.as_str(), &mime_type, bytes).await }.boxed()
    }

    fn open_connection(&self) -> ConnectionId {
        ConnectionId(0)
    }

    fn close_connection(&self, _connection: ConnectionId) {}
}
