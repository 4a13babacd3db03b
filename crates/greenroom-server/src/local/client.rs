use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// A call may wait for a lease and then run; the server bounds both, this bounds the server.
const PATIENCE: Duration = Duration::from_secs(600);

/// A small MCP client of the running server, for the commands of this program.
pub struct LocalClient {
    lines: Lines<BufReader<OwnedReadHalf>>,
    write: OwnedWriteHalf,
    last_id: u64,
}

impl LocalClient {
    /// Connects to the server that listens on this socket.
    ///
    /// # Errors
    /// When nobody listens, or whoever does is not a Greenroom.
    pub async fn connect(socket: &Path) -> io::Result<Self> {
        let (read, write) = UnixStream::connect(socket).await?.into_split();
        let mut client = Self {
            lines: BufReader::new(read).lines(),
            write,
            last_id: 0,
        };
        client
            .request(
                "initialize",
                json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": {},
                    "clientInfo": {"name": "greenroom", "version": env!("CARGO_PKG_VERSION")},
                }),
            )
            .await?;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await?;
        Ok(client)
    }

    /// Calls a tool: the result as MCP gives it, or the text of a protocol error.
    ///
    /// # Errors
    /// When the connection breaks or the server does not answer.
    pub async fn call(
        &mut self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> io::Result<Result<Value, String>> {
        let answer = self
            .request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await?;
        Ok(match answer {
            Answer::Result(result) => Ok(result),
            Answer::Error(text) => Err(text),
        })
    }

    async fn request(&mut self, method: &str, params: Value) -> io::Result<Answer> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        let answer = tokio::time::timeout(PATIENCE, self.answer(id)).await;
        answer.unwrap_or_else(|_| {
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the server does not answer",
            ))
        })
    }

    async fn send(&mut self, message: &Value) -> io::Result<()> {
        self.write
            .write_all(format!("{message}\n").as_bytes())
            .await
    }

    async fn answer(&mut self, id: u64) -> io::Result<Answer> {
        loop {
            let Some(line) = self.lines.next_line().await? else {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the server hung up",
                ));
            };
            let mut message: Value = serde_json::from_str(&line)?;
            // Notifications come in between.
            if message.get("id").and_then(Value::as_u64) != Some(id) {
                continue;
            }
            if let Some(error) = message.get("error") {
                let text = error
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or("unknown error");
                return Ok(Answer::Error(text.to_owned()));
            }
            return Ok(Answer::Result(message["result"].take()));
        }
    }
}

enum Answer {
    Result(Value),
    Error(String),
}
