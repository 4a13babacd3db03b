//! A web site for real browsers: a few pages on a port of its own.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const HOME: &str = r#"<title>Home</title><h1>Hello</h1><a id=next href=/next>next</a>
<form action=/next><button id=form>send</button></form>
<button id=assign onclick="location.href='/next'">assign</button>
<button id=promise onclick="Promise.resolve().then(() => location.assign('/next'))">later</button>
<button id=log onclick="console.error('boom'); console.log('fine')">log</button>
<a id=file href=/file>file</a>
<script>console.warn('early')</script>"#;
const HOLD: &str = r#"<title>Hold</title><button>b</button><script>
onbeforeunload = event => { event.preventDefault(); return 'stay' }</script>"#;
const WORKER: &str = "self.addEventListener('fetch', () => {});";

/// How long the page `/slow` lets its visitors wait.
pub(crate) const SLOW: Duration = Duration::from_secs(2);

pub(crate) struct Site {
    origin: String,
    /// Paths that were asked for, the latest last.
    asked: watch::Receiver<Vec<String>>,
    task: JoinHandle<()>,
}

impl Site {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (heard, asked) = watch::channel(Vec::new());
        let heard = Arc::new(heard);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&heard)));
            }
        });
        Self {
            origin,
            asked,
            task,
        }
    }

    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

impl Site {
    /// Waits until a browser has asked for this path.
    pub(crate) async fn was_asked_for(&self, path: &str) {
        let mut asked = self.asked.clone();
        let seen = asked
            .wait_for(|paths| paths.iter().any(|asked| asked == path))
            .await;
        seen.expect("the site is open");
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, heard: Arc<watch::Sender<Vec<String>>>) {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&chunk[..read]),
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or("/");
    heard.send_modify(|paths| paths.push(path.to_owned()));
    if path == "/slow" {
        tokio::time::sleep(SLOW).await;
    }
    let (status, kind, extra, body) = match path.split('?').next().unwrap_or("/") {
        "/" => ("200 OK", "text/html", "", HOME),
        "/next" => (
            "200 OK",
            "text/html",
            "",
            "<title>Next</title><h1>There</h1>",
        ),
        "/slow" => ("200 OK", "text/html", "", "<title>Slow</title>"),
        "/hold" => ("200 OK", "text/html", "", HOLD),
        "/worker.js" => ("200 OK", "text/javascript", "", WORKER),
        "/file" => (
            "200 OK",
            "text/plain",
            "Content-Disposition: attachment; filename=\"my file.txt\"\r\n",
            "hello",
        ),
        "/cookie" => (
            "200 OK",
            "text/html",
            "Set-Cookie: hidden=1; HttpOnly; Max-Age=9999\r\n",
            "<title>Cookie</title>",
        ),
        // Echoes what the browser sends, hidden cookies included.
        "/echo" => ("200 OK", "text/plain", "", &*request),
        _ => ("404 Not Found", "text/plain", "", "nothing here"),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}
