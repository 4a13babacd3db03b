use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

/// The newest revision with sessions, and the first without.
const LEGACY: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

/// A client of the session era over HTTP.
pub struct Legacy {
    http: Client,
    url: String,
    session: String,
    last_id: AtomicU64,
}

impl Legacy {
    /// Opens an MCP session.
    pub async fn connect(url: &str) -> Self {
        Self::open(url, Client::new()).await
    }

    /// Opens an MCP session with a token.
    pub async fn connect_as(url: &str, token: &str) -> Self {
        Self::open(url, bearer(token)).await
    }

    async fn open(url: &str, http: Client) -> Self {
        let params = json!({
            "protocolVersion": LEGACY,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let request = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let response = accepting(http.post(url))
            .json(&request)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let session = response.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        answer_to(response, 0).await;
        let client = Self {
            http,
            url: url.to_owned(),
            session,
            last_id: AtomicU64::new(0),
        };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.post(&initialized).await;
        client
    }

    async fn post(&self, message: &Value) -> Response {
        self.posting(message).send().await.unwrap()
    }

    fn posting(&self, message: &Value) -> RequestBuilder {
        accepting(self.http.post(&self.url))
            .header("mcp-session-id", &self.session)
            .header("mcp-protocol-version", LEGACY)
            .json(message)
    }

    /// Calls a tool and gives its result.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.request("tools/call", params).await
    }

    /// Calls a tool of a server that may die meanwhile. Its result counts if it came whole, whatever
    /// became of the connection afterwards.
    pub async fn call_if_alive(&self, tool: &str, arguments: Value) -> Option<Value> {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let params = json!({"name": tool, "arguments": arguments});
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let mut response = self.posting(&request).send().await.ok()?;
        let mut body = Vec::new();
        while let Ok(Some(bytes)) = response.chunk().await {
            body.extend_from_slice(&bytes);
        }
        let answer = answer_in(&String::from_utf8_lossy(&body), id)?;
        Some(result_of(&answer))
    }

    /// Tells the server that nobody waits for the last call any more.
    pub async fn cancel_last(&self) {
        let id = self.last_id.load(Ordering::Relaxed);
        let params = json!({"requestId": id, "reason": "the user pressed stop"});
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        assert!(self.post(&cancel).await.status().is_success());
    }

    /// Sends a request and gives its result.
    pub async fn request(&self, method: &str, params: Value) -> Value {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        result_of(&answer_to(self.post(&request).await, id).await)
    }

    /// Ends the MCP session.
    pub async fn disconnect(self) {
        let end = self
            .http
            .delete(&self.url)
            .header("mcp-session-id", &self.session);
        assert!(end.send().await.unwrap().status().is_success());
    }
}

/// A client of MCP 2026-07-28 over HTTP: every request stands alone.
pub struct Stateless {
    http: Client,
    url: String,
}

impl Stateless {
    pub fn new(url: &str) -> Self {
        Self {
            http: Client::new(),
            url: url.to_owned(),
        }
    }

    /// The request of a tool call, not yet sent.
    pub fn request(&self, tool: &str, arguments: Value) -> RequestBuilder {
        let params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            },
        });
        accepting(self.http.post(&self.url))
            .header("mcp-protocol-version", STATELESS)
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
    }

    /// Calls a tool and gives its result.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let response = self.request(tool, arguments).send().await.unwrap();
        result_of(&answer_to(response, 1).await)
    }
}

/// A client that shows this token with every request.
pub fn bearer(token: &str) -> Client {
    let value = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
    let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
    Client::builder().default_headers(headers).build().unwrap()
}

fn accepting(request: RequestBuilder) -> RequestBuilder {
    request.header("accept", "application/json, text/event-stream")
}

fn result_of(message: &Value) -> Value {
    let result = message.get("result");
    result
        .unwrap_or_else(|| panic!("no result in {message:#}"))
        .clone()
}

/// The answer with this id.
async fn answer_to(response: Response, id: u64) -> Value {
    let status = response.status();
    let body = response.text().await.unwrap();
    let answer = answer_in(&body, id);
    answer.unwrap_or_else(|| panic!("no answer {id} in ({status}):\n{body}"))
}

/// The answer with this id, whether it came as JSON or as an event among others.
fn answer_in(body: &str, id: u64) -> Option<Value> {
    if let Ok(message) = serde_json::from_str::<Value>(body) {
        return Some(message);
    }
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut messages = events.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok());
    messages.find(|message| message["id"] == id)
}
