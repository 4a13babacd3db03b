//! A small web site for tests: pages that are slow, that leave traces, that look for them.
//!
//! It listens on a loopback port of its own and keeps a log of requests, so that a test can tell
//! which overlapped. It ends with the value that started it.

mod files;
mod request;

pub use files::File;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// One request, from its first line to its last byte out.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Path and query.
    pub path: String,
    /// When it came.
    pub began: Instant,
    /// When it was answered.
    pub ended: Option<Instant>,
}

/// The site.
pub struct Site {
    address: SocketAddr,
    visits: Arc<Mutex<Vec<Visit>>>,
    news: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts serving.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts serving, with further files: the path of each, and what is in it.
    ///
    /// # Panics
    /// When there is no loopback port to be had.
    pub async fn start_with(files: &'static [File]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a loopback port");
        let address = listener.local_addr().expect("an address");
        let visits = Arc::<Mutex<Vec<Visit>>>::default();
        let news = watch::Sender::new(());
        let (log, bell) = (visits.clone(), news.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, files, log.clone(), bell.clone()));
            }
        });
        Self {
            address,
            visits,
            news,
            task,
        }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Waits until so many visits whose path begins so have come.
    ///
    /// # Panics
    /// When they do not come within half a minute.
    pub async fn visited(&self, prefix: &str, count: usize) {
        let mut news = self.news.subscribe();
        let waiting = async {
            while self.visits(prefix).len() < count {
                news.changed().await.expect("BUG: the sender lives in self");
            }
        };
        let in_time = tokio::time::timeout(Duration::from_secs(30), waiting).await;
        assert!(in_time.is_ok(), "nobody came to {prefix}");
    }

    /// The visits whose path begins so, in the order they came.
    pub fn visits(&self, prefix: &str) -> Vec<Visit> {
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        visits
            .iter()
            .filter(|visit| visit.path.starts_with(prefix))
            .cloned()
            .collect()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    stream: TcpStream,
    files: &'static [File],
    log: Arc<Mutex<Vec<Visit>>>,
    bell: watch::Sender<()>,
) {
    let mut stream = BufReader::new(stream);
    let mut first = String::new();
    if stream.read_line(&mut first).await.is_err() {
        return;
    }
    if request::read_the_rest(&mut stream).await.is_err() {
        return;
    }
    let Some(path) = first.split(' ').nth(1).map(str::to_owned) else {
        return;
    };
    let index = {
        let mut visits = log.lock().unwrap_or_else(PoisonError::into_inner);
        visits.push(Visit {
            path: path.clone(),
            began: Instant::now(),
            ended: None,
        });
        visits.len() - 1
    };
    bell.send_replace(());
    if let Some(delay) = query(&path, "ms").and_then(|ms| ms.parse().ok()) {
        let answer_is_due = tokio::time::sleep(Duration::from_millis(delay));
        tokio::select! {
            () = answer_is_due => {}
            // Nobody says more before the answer: this is a browser that went away.
            _ = stream.fill_buf() => return,
        }
    }
    let (kind, body) = files::find(files, &path).unwrap_or_else(|| page(&path));
    // Only a page that may be stored is kept for the way back.
    let cache = if path.starts_with("/kept") {
        "max-age=60"
    } else {
        "no-store"
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: {cache}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A browser that went away is not the site's business.
    let _ = stream
        .get_mut()
        .write_all(format!("{head}{body}").as_bytes())
        .await;
    let _ = stream.get_mut().shutdown().await;
    if let Some(visit) = log
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_mut(index)
    {
        visit.ended = Some(Instant::now());
    }
}

fn query<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let (_, query) = path.split_once('?')?;
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

fn page(path: &str) -> (&'static str, String) {
    let name = query(path, "name").unwrap_or("nobody");
    match path.split('?').next().unwrap_or_default() {
        "/named" => (HTML, html(name, &format!("<h1>This is {name}</h1>"))),
        "/kept" => (
            HTML,
            html(
                "kept",
                "<h1>Kept</h1><a href=\"/named?name=linked\">a link</a>",
            ),
        ),
        "/slow" => (HTML, html("slow", "<h1>At last</h1>")),
        "/mark" => (HTML, html("mark", &MARK.replace("NAME", name))),
        "/look" => (HTML, html("look", LOOK)),
        "/button" => (HTML, html("button", BUTTON)),
        "/errors" => (HTML, html("errors", ERRORS)),
        "/list" => (HTML, html("list", &list(path))),
        "/files" => (HTML, html("files", FILES)),
        "/noise" => (HTML, html("noise", NOISE)),
        "/report.csv" => ("text/csv", REPORT.to_owned()),
        "/worker.js" => (
            "text/javascript",
            "self.addEventListener('fetch', () => {});".to_owned(),
        ),
        "/favicon.ico" => ("image/x-icon", String::new()),
        _ => (
            HTML,
            html(
                "home",
                "<h1>Home</h1><a href=\"/named?name=linked\">a link</a>",
            ),
        ),
    }
}

const HTML: &str = "text/html; charset=utf-8";

fn html(title: &str, body: &str) -> String {
    format!("<!doctype html><html lang=en><title>{title}</title><body>{body}</body></html>")
}

/// Many buttons, 900 unless the query says otherwise. Each counts how often it was pressed.
fn list(path: &str) -> String {
    let count = query(path, "count").and_then(|count| count.parse().ok());
    let items: Vec<String> = (1..=count.unwrap_or(900))
        .map(|n| format!("<li><button>Item {n}</button></li>"))
        .collect();
    format!("<h1>Items</h1><ul>{}</ul>{COUNT}", items.join(""))
}

const COUNT: &str = r#"<script>
for (const button of document.querySelectorAll("button")) {
  const name = button.textContent;
  let times = 0;
  button.onclick = () => { button.textContent = name + " pressed " + ++times; };
}
</script>"#;

/// What the link on `/files` leads to.
pub const REPORT: &str = "name,count\nfinch,3\nheron,1\n";

/// A file to take, and two places for files that say what they were given.
const FILES: &str = r#"<h1>Files</h1><a href="/report.csv" download>Take the report</a>
<input type=file multiple aria-label="Choose">
<section aria-label="Drop here" style="height:80px">nothing dropped</section>
<p role=status>nothing chosen</p><script>
const tell = (files) => [...files].map((file) => file.name + " has " + file.size + " bytes").join(", ");
const zone = document.querySelector("section");
document.querySelector("input").onchange = (event) => {
  document.querySelector("p").textContent = "chosen: " + tell(event.target.files);
};
zone.ondragover = (event) => event.preventDefault();
zone.ondrop = (event) => { event.preventDefault(); zone.textContent = "dropped: " + tell(event.dataTransfer.files); };
</script>"#;

/// A picture that no format makes small.
const NOISE: &str = r#"<h1>Noise</h1><canvas width=1200 height=640></canvas><script>
const paper = document.querySelector("canvas").getContext("2d");
const picture = paper.createImageData(1200, 640);
for (let at = 0; at < picture.data.length; at += 60000) {
  crypto.getRandomValues(picture.data.subarray(at, Math.min(at + 60000, picture.data.length)));
}
for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = 255;
paper.putImageData(picture, 0, 0);
</script>"#;

/// Leaves a trace in everything that a page can write to, then says so in its heading.
const MARK: &str = r#"<h1 id=done>marking</h1><script type=module>
const name = "NAME";
document.cookie = "canary=" + name + "; max-age=3600";
localStorage.setItem("canary", name);
sessionStorage.setItem("canary", name);
await (await caches.open("canary")).put("/canary", new Response(name));
await navigator.serviceWorker.register("/worker.js");
await new Promise((resolve, reject) => {
  const open = indexedDB.open("canary", 1);
  open.onupgradeneeded = () => open.result.createObjectStore("birds");
  open.onerror = reject;
  open.onsuccess = () => {
    const write = open.result.transaction("birds", "readwrite");
    write.objectStore("birds").put(name, "canary");
    write.oncomplete = resolve;
  };
});
document.getElementById("done").textContent = "marked by " + name;
</script>"#;

/// Looks for every trace that `/mark` leaves and says in its heading what it found.
const LOOK: &str = r#"<h1 id=found>looking</h1><script type=module>
const found = [];
if (document.cookie.includes("canary")) found.push("cookie");
if (localStorage.length) found.push("localStorage");
if (sessionStorage.length) found.push("sessionStorage");
if ((await caches.keys()).length) found.push("caches");
if ((await navigator.serviceWorker.getRegistrations()).length) found.push("serviceWorker");
if ((await indexedDB.databases()).length) found.push("indexedDB");
for (const name of ["geolocation", "notifications"]) {
  const permission = await navigator.permissions.query({ name });
  if (permission.state === "granted") found.push("permission " + name);
}
document.getElementById("found").textContent = "found: " + (found.join(", ") || "nothing");
</script>"#;

const BUTTON: &str = r#"<button onclick="this.textContent = 'clicked ' + (window.clicks = (window.clicks || 0) + 1)">Press</button>"#;

const ERRORS: &str = r#"<h1>Errors</h1><script>
console.error("first error"); console.warn("a warning"); console.log("a note"); console.error("second error");
</script>"#;
