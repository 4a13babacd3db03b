//! HTTP/1.1 to one server over one connection, as thin as it can be: what it adds, it adds to all.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Longer than any answer takes, so that only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(40);

/// The longest answer that is taken in.
const LONGEST: u64 = 64 << 20;

pub(super) struct Http {
    host: String,
    stream: BufReader<TcpStream>,
}

pub(super) struct Answer {
    pub(super) session: Option<String>,
    pub(super) body: String,
}

/// What the head of an answer says about the rest of it.
#[derive(Default)]
struct Head {
    status: u16,
    session: Option<String>,
    length: Option<u64>,
    is_chunked: bool,
}

impl Http {
    pub(super) fn connect(host: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self {
            host: host.to_owned(),
            stream: BufReader::new(stream),
        })
    }

    /// Sends one request to the MCP endpoint and reads the answer to its end.
    pub(super) fn send(
        &mut self,
        method: &str,
        session: Option<&str>,
        body: &str,
    ) -> io::Result<Answer> {
        let session = session.map_or_else(String::new, |session| {
            format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n")
        });
        let request = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{session}Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let head = self.head()?;
        let body = self.body(&head)?;
        if !(200..300).contains(&head.status) {
            let text = format!("{method} was answered with {}: {body}", head.status);
            return Err(io::Error::other(text));
        }
        let session = head.session;
        Ok(Answer { session, body })
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::Error::other("the server closed the connection"));
        }
        Ok(line.trim_end().to_owned())
    }

    fn head(&mut self) -> io::Result<Head> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
        let mut head = Head {
            status: status.ok_or_else(|| io::Error::other(format!("no HTTP: {first}")))?,
            ..Head::default()
        };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                return Ok(head);
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => head.session = Some(value.to_owned()),
                "content-length" => head.length = value.parse().ok(),
                "transfer-encoding" => head.is_chunked = value.eq_ignore_ascii_case("chunked"),
                _ => {}
            }
        }
    }

    fn body(&mut self, head: &Head) -> io::Result<String> {
        let mut body = Vec::new();
        if !head.is_chunked {
            self.read(head.length.unwrap_or(0), &mut body)?;
            return text(body);
        }
        loop {
            let size = self.line()?;
            let size = size.split(';').next().unwrap_or_default();
            let size = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
            self.read(size, &mut body)?;
            self.line()?;
            if size == 0 {
                return text(body);
            }
        }
    }

    fn read(&mut self, count: u64, body: &mut Vec<u8>) -> io::Result<()> {
        if body.len() as u64 + count > LONGEST {
            return Err(io::Error::other("an answer beyond all bounds"));
        }
        let read = self.stream.by_ref().take(count).read_to_end(body)?;
        if (read as u64) < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

fn text(body: Vec<u8>) -> io::Result<String> {
    String::from_utf8(body).map_err(io::Error::other)
}
