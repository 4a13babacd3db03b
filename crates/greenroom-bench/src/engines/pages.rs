//! The pages that every engine is shown, served from this process to all of them alike.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// A page with its address, and a text that only a look at all of it contains.
pub(super) struct Target {
    pub(super) url: String,
    pub(super) holds: &'static str,
}

pub(super) struct Pages(SocketAddr);

impl Pages {
    /// Serves for as long as the process lives.
    pub(super) fn serve() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for visitor in listener.incoming().flatten() {
                // A browser that went away is not the site's business.
                thread::spawn(move || drop(answer(visitor)));
            }
        });
        Ok(Self(address))
    }

    /// A list of 50 items.
    pub(super) fn items(&self) -> Target {
        self.target("/items", "Item 50")
    }

    /// 900 controls.
    pub(super) fn controls(&self) -> Target {
        self.target("/controls", "Control 900")
    }

    fn target(&self, path: &str, holds: &'static str) -> Target {
        let url = format!("http://{}{path}", self.0);
        Target { url, holds }
    }
}

/// The longest that a visitor may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(30);

fn answer(visitor: TcpStream) -> io::Result<()> {
    visitor.set_read_timeout(Some(PATIENCE))?;
    visitor.set_nodelay(true)?;
    let mut visitor = BufReader::new(visitor);
    let mut first = String::new();
    visitor.read_line(&mut first)?;
    let mut line = String::new();
    while visitor.read_line(&mut line)? > 2 {
        line.clear();
    }
    let body = match first.split(' ').nth(1) {
        Some("/items") => items(),
        Some("/controls") => controls(),
        _ => String::new(),
    };
    let length = body.len();
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store";
    let whole = format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    visitor.get_mut().write_all(whole.as_bytes())
}

fn items() -> String {
    let item = |n| format!("<li><a href='#{n}'>Item {n}</a> costs {n} and is in stock</li>");
    let items: String = (1..=50).map(item).collect();
    html(&format!("<h1>Items</h1><ul>{items}</ul>"))
}

fn controls() -> String {
    let row = |n: u32| {
        let (button, field, choice) = (n * 3 - 2, n * 3 - 1, n * 3);
        format!(
            "<div><button>Control {button}</button><label>Control {field} <input value={n}></label>\
             <label><input type=checkbox>Control {choice}</label></div>"
        )
    };
    let rows: String = (1..=300).map(row).collect();
    html(&format!("<h1>Controls</h1><form>{rows}</form>"))
}

/// The icon is said to be empty, or browsers would come a second time for it.
fn html(body: &str) -> String {
    let head = "<title>bench</title><link rel=icon href=data:,>";
    format!("<!doctype html><html lang=en>{head}<body>{body}</body></html>")
}
