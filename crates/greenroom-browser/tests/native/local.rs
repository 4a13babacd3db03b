//! A web site whose pages a test writes itself, on a loopback port of its own.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// What is served at a path.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// Held back until the test lets it go.
    pub(crate) gate: Option<watch::Receiver<bool>>,
}

impl Served {
    pub(crate) fn html(body: impl Into<String>) -> Self {
        Self::of("text/html; charset=utf-8", body.into())
    }

    pub(crate) fn of(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: "200 OK",
            headers: vec![("Content-Type", kind.to_owned())],
            body: body.into(),
            gate: None,
        }
    }

    pub(crate) fn status(mut self, status: &'static str) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.0.subscribe());
        self
    }
}

/// Holds answers back until it is opened.
pub(crate) struct Gate(watch::Sender<bool>);

impl Gate {
    pub(crate) fn closed() -> Self {
        Self(watch::Sender::new(false))
    }

    pub(crate) fn open(&self) {
        self.0.send_replace(true);
    }
}

/// One request: its first line and its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) body: String,
}

type Pages = Arc<Mutex<HashMap<String, Served>>>;

pub(crate) struct Local {
    address: SocketAddr,
    pages: Pages,
    asked: watch::Receiver<Vec<Asked>>,
    task: JoinHandle<()>,
}

impl Local {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let pages = Pages::default();
        let (log, asked) = watch::channel(Vec::new());
        let (served, log) = (pages.clone(), Arc::new(log));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, served.clone(), log.clone()));
            }
        });
        Self {
            address,
            pages,
            asked,
            task,
        }
    }

    pub(crate) fn serve(&self, path: &str, served: Served) -> String {
        self.pages.lock().unwrap().insert(path.to_owned(), served);
        self.url(path)
    }

    /// Serves a page with this body and gives its address.
    pub(crate) fn page(&self, path: &str, body: &str) -> String {
        let title = path.trim_start_matches('/');
        self.serve(
            path,
            Served::html(format!("<!doctype html><title>{title}</title><body>{body}")),
        )
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same page under another name, which is another site to a browser.
    pub(crate) fn elsewhere(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.address.port())
    }

    pub(crate) fn asked(&self, prefix: &str) -> Vec<Asked> {
        let all = self.asked.borrow();
        let of = |asked: &&Asked| asked.line.starts_with(prefix);
        all.iter().filter(of).cloned().collect()
    }

    /// Waits until somebody has asked for this.
    pub(crate) async fn visited(&self, prefix: &str) {
        let mut asked = self.asked.clone();
        let there = |all: &Vec<Asked>| all.iter().any(|asked| asked.line.starts_with(prefix));
        let visited = timeout(Duration::from_secs(30), asked.wait_for(there)).await;
        assert!(visited.is_ok(), "nobody came to {prefix}");
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(stream: TcpStream, pages: Pages, log: Arc<watch::Sender<Vec<Asked>>>) {
    let mut stream = BufReader::new(stream);
    let mut first = String::new();
    let _ = stream.read_line(&mut first).await;
    let mut length = 0;
    let mut line = String::new();
    while stream.read_line(&mut line).await.is_ok_and(|read| read > 2) {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    let _ = stream.read_exact(&mut body).await;
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let asked = Asked {
        line: format!("{method} {path}"),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    log.send_modify(|all| all.push(asked));
    let plain = path.split('?').next().unwrap_or_default();
    let found = pages.lock().unwrap().get(plain).cloned();
    let served = found.unwrap_or_else(|| Served::html("nothing here").status("404 Not Found"));
    if let Some(mut gate) = served.gate {
        let _ = gate.wait_for(|is_open| *is_open).await;
    }
    let mut head = format!(
        "HTTP/1.1 {}\r\nContent-Length: {}\r\n",
        served.status,
        served.body.len()
    );
    for (name, value) in &served.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("Cache-Control: no-store\r\nConnection: close\r\n\r\n");
    let _ = stream.get_mut().write_all(head.as_bytes()).await;
    let _ = stream.get_mut().write_all(&served.body).await;
    let _ = stream.get_mut().shutdown().await;
}
