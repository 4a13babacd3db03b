//! The suite's plain tools, served as Greenroom serves its own.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use greenroom_server::identity::{Caller, ConnectionId, Principal};
use greenroom_server::service::{
    Answer, Backend, Progress, ProgressSink, Service, ToolView, UnknownTool,
};
use serde_json::{Map, Value, json};

/// One red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// An empty recording.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/// Longer than the least time between two progress notifications.
const STEP: Duration = Duration::from_millis(150);

/// A service with the suite's plain tools.
pub(crate) fn answering() -> Service {
    Service::new(Arc::new(Answering {
        tools: Arc::new(tools()),
    }))
}

struct Answering {
    tools: Arc<Vec<ToolView>>,
}

fn tools() -> Vec<ToolView> {
    let plain = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_error_handling",
        "test_tool_with_progress",
        "test_reconnection",
    ];
    let mut tools: Vec<_> = plain
        .map(|name| tool(name, json!({"type": "object"})))
        .into();
    tools.push(tool("test_headers", headers_schema()));
    tools.push(tool("json_schema_2020_12_tool", rich_schema()));
    tools
}

fn tool(name: &str, schema: Value) -> ToolView {
    let Value::Object(schema) = schema else {
        unreachable!("schemas are objects");
    };
    ToolView {
        name: name.to_owned(),
        description: format!("Fixture {name}."),
        input_schema: Arc::new(schema),
        output_schema: None,
        annotations: Value::Null,
    }
}

/// A parameter that clients repeat in a header.
fn headers_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    })
}

/// Keywords that a server must hand on untouched.
fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// The content that each tool answers with.
fn content(tool: &str) -> Option<Value> {
    Some(match tool {
        "test_simple_text" => {
            json!([{"type": "text", "text": "This is a simple text response for testing."}])
        }
        "test_image_content" => json!([{"type": "image", "data": PNG, "mimeType": "image/png"}]),
        "test_audio_content" => json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]),
        "test_embedded_resource" => json!([{"type": "resource", "resource": {
            "uri": "test://embedded-resource",
            "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        }}]),
        "test_multiple_content_types" => json!([
            {"type": "text", "text": "Multiple content types test:"},
            {"type": "image", "data": PNG, "mimeType": "image/png"},
            {"type": "resource", "resource": {
                "uri": "test://mixed-content-resource",
                "mimeType": "application/json",
                "text": r#"{"test":"data","value":123}"#,
            }},
        ]),
        "test_error_handling" => {
            json!([{"type": "text", "text": "This tool intentionally returns an error for testing"}])
        }
        "test_tool_with_progress"
        | "test_reconnection"
        | "test_headers"
        | "json_schema_2020_12_tool" => json!([{"type": "text", "text": "done"}]),
        _ => return None,
    })
}

async fn report(sink: Option<ProgressSink>) {
    for progress in [0.0, 50.0, 100.0] {
        if let Some(sink) = &sink {
            sink(Progress {
                progress,
                total: Some(100.0),
                message: String::new(),
            });
        }
        tokio::time::sleep(STEP).await;
    }
}

impl Backend for Answering {
    fn tools(&self) -> Arc<Vec<ToolView>> {
        self.tools.clone()
    }

    fn instructions(&self) -> String {
        "The fixtures of the conformance suites.".to_owned()
    }

    fn call(
        &self,
        _caller: Caller,
        tool: String,
        _arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> BoxFuture<'static, Result<Answer, UnknownTool>> {
        async move {
            let Some(Value::Array(content)) = content(&tool) else {
                return Err(UnknownTool {
                    name: tool,
                    nearest: None,
                });
            };
            if tool == "test_tool_with_progress" {
                report(progress).await;
            }
            Ok(Answer {
                content,
                is_error: tool == "test_error_handling",
                ..Answer::default()
            })
        }
        .boxed()
    }

    fn status(&self, _principal: &Principal, _pool: Option<&str>) -> Result<Value, String> {
        Ok(json!({"pools": []}))
    }

    fn readiness(&self) -> (bool, Value) {
        (true, json!({}))
    }

    fn open_connection(&self) -> ConnectionId {
        ConnectionId(0)
    }

    fn close_connection(&self, _id: ConnectionId) {}
}
