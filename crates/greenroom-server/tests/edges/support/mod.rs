//! What the edge tests share: a service that does as told, and clients of both kinds.

#![allow(dead_code, unreachable_pub, clippy::needless_pass_by_value)]

pub mod canned;
pub mod double;
pub mod http;
pub mod shelf;
pub mod stream;

use std::time::Duration;

use serde_json::{Value, json};

/// The revision without sessions.
pub const MODERN: &str = "2026-07-28";
/// The revisions with them.
pub const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Fails a test that would otherwise wait for ever. Nothing that passes waits this long.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future)
        .await
        .expect("this takes no time")
}

pub fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub fn initialize(version: &str) -> Value {
    request(
        0,
        "initialize",
        json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }),
    )
}

pub fn call(id: u64, tool: &str, arguments: Value) -> Value {
    request(
        id,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
}

/// `request` as a client of the new era sends it.
pub fn modern(mut request: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let own = request["params"]["_meta"].take();
    request["params"]["_meta"] = meta;
    for (key, value) in own.as_object().into_iter().flatten() {
        request["params"]["_meta"][key] = value.clone();
    }
    request
}

/// The text of a tool's answer.
pub fn text(response: &Value) -> &str {
    response["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {response}"))
}
