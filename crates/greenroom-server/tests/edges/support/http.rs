//! A running server and ways to talk to it.

use std::net::SocketAddr;
use std::sync::Arc;

use futures::StreamExt;
use greenroom_server::http::{Guard, Limits, router, run};
use greenroom_server::mcp::{Endpoint, EndpointOptions};
use greenroom_server::service::Service;
use greenroom_server::shutdown::Shutdown;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::canned::Canned;
use super::double::Stage;
use super::{MODERN, initialize, soon};

/// How a server is set up.
#[derive(Default)]
pub struct Setup {
    pub limits: Limits,
    pub endpoint: EndpointOptions,
    pub tokens: Vec<(String, String)>,
    pub hosts: Option<Vec<String>>,
    pub origins: Option<Vec<String>>,
}

pub struct Server {
    pub stage: Stage,
    pub address: SocketAddr,
    pub shutdown: Shutdown,
    pub running: JoinHandle<()>,
    pub client: reqwest::Client,
}

impl Setup {
    /// With the tokens of two principals, `ci` and `laptop`.
    pub fn with_tokens() -> Self {
        let pairs = [("ci", "alpha-token"), ("laptop", "beta-token")];
        Self {
            tokens: pairs
                .map(|(name, token)| (name.to_owned(), token.to_owned()))
                .to_vec(),
            ..Self::default()
        }
    }
}

impl Server {
    pub async fn start() -> Self {
        Self::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Self {
        let stage = Stage::new();
        let service = stage.service.clone();
        Self::serving(service, stage, setup).await
    }

    /// A server of canned answers.
    pub async fn canned(setup: Setup) -> (Self, Arc<Canned>) {
        let canned = Canned::new();
        let server = Self::serving(canned.service(), Stage::new(), setup).await;
        (server, canned)
    }

    async fn serving(service: Service, stage: Stage, setup: Setup) -> Self {
        let shutdown = Shutdown::new();
        let gate = Guard::new(
            setup.hosts.as_deref(),
            setup.origins.as_deref(),
            &setup.tokens,
        );
        let mcp = Endpoint::new(&service, &setup.endpoint, &shutdown);
        let app = router(service, mcp, gate.unwrap(), &setup.limits, &shutdown);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = shutdown.clone();
        let running = tokio::spawn(async move { run(listener, app, &setup.limits, &stop).await });
        Self {
            stage,
            address,
            shutdown,
            running,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address))
    }

    /// A POST to `/mcp` of either era.
    pub fn post(&self, message: &Value) -> RequestBuilder {
        self.request(Method::POST, "/mcp")
            .header("accept", "application/json, text/event-stream")
            .json(message)
    }

    /// A POST of the new era, with the headers that repeat its body.
    pub fn post_modern(&self, message: &Value) -> RequestBuilder {
        let request = self
            .post(message)
            .header("mcp-protocol-version", MODERN)
            .header("mcp-method", message["method"].as_str().unwrap());
        match message["params"]["name"].as_str() {
            Some(name) => request.header("mcp-name", name),
            None => request,
        }
    }

    /// Opens a legacy session, as `token` if there is one.
    pub async fn open(&self, token: Option<&str>) -> Session<'_> {
        let mut request = self.post(&initialize("2025-11-25"));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = soon(request.send()).await.unwrap();
        assert_eq!(response.status(), 200);
        let id = response.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        message(response).await;
        Session {
            server: self,
            id,
            token: token.map(str::to_owned),
        }
    }

    /// Writes `request` as it is and reads until the server closes.
    pub async fn raw(&self, request: &str) -> Raw {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        Raw::read(&mut stream).await
    }

    pub async fn connect(&self) -> TcpStream {
        soon(TcpStream::connect(self.address)).await.unwrap()
    }
}

/// A legacy session.
pub struct Session<'a> {
    server: &'a Server,
    pub id: String,
    token: Option<String>,
}

impl Session<'_> {
    pub fn request(&self, method: Method) -> RequestBuilder {
        let request = self.server.request(method, "/mcp");
        self.sign(request).header("accept", "text/event-stream")
    }

    pub fn post(&self, message: &Value) -> RequestBuilder {
        self.sign(self.server.post(message))
    }

    fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        let request = request.header("mcp-session-id", &self.id);
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn ask(&self, request: &Value) -> Value {
        let response = soon(self.post(request).send()).await.unwrap();
        assert_eq!(response.status(), 200);
        message(response).await
    }

    pub async fn delete(&self) -> u16 {
        let response = soon(self.request(Method::DELETE).send()).await.unwrap();
        response.status().as_u16()
    }
}

/// The first message in a response, whether it is JSON or a stream of events.
pub async fn message(response: Response) -> Value {
    let mut messages = messages(response).await;
    assert!(!messages.is_empty(), "no message");
    messages.remove(0)
}

/// All messages in a response.
pub async fn messages(response: Response) -> Vec<Value> {
    let is_stream = response.headers()["content-type"] == "text/event-stream";
    let body = soon(response.text()).await.unwrap();
    if !is_stream {
        return vec![serde_json::from_str(&body).unwrap()];
    }
    body.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim)
        .filter(|data| !data.is_empty())
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

/// Reads a streamed body to its end, however it ends.
pub async fn drain(response: Response) {
    // The whole of it is awaited, because comments that keep a stream alive come for ever.
    let body = response.bytes_stream().for_each(|_| std::future::ready(()));
    soon(body).await;
}

/// A response as it came.
#[derive(Debug)]
pub struct Raw {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Raw {
    pub async fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A reset after the answer is as good as an end.
        let _ = soon(stream.read_to_end(&mut bytes)).await;
        let all = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Self {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub fn has(&self, header: &str) -> bool {
        self.head
            .lines()
            .any(|line| line.starts_with(&format!("{header}:")))
    }

    /// Whether this is a problem of ours that says its own status.
    pub fn is_problem(&self) -> bool {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        self.head.contains("content-type: application/problem+json")
            && body["status"] == self.status
            && ["type", "title", "detail"]
                .iter()
                .all(|key| body[key].is_string())
    }
}
