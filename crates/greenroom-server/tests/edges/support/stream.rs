//! A client at the other end of a byte stream.

use greenroom_server::identity::Principal;
use greenroom_server::mcp::{StreamEnd, serve_stream};
use greenroom_server::shutdown::Shutdown;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

use super::double::Stage;
use super::{call, initialize, soon};

pub struct StreamClient {
    write: Option<WriteHalf<DuplexStream>>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<StreamEnd>,
    pub shutdown: Shutdown,
}

impl StreamClient {
    /// A client that has said nothing yet.
    pub fn silent(stage: &Stage) -> Self {
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (far_read, far_write) = tokio::io::split(far);
        let (near_read, near_write) = tokio::io::split(near);
        let shutdown = Shutdown::new();
        let principal = Principal::local();
        let service = stage.service.clone();
        Self {
            write: Some(near_write),
            lines: BufReader::new(near_read).lines(),
            served: tokio::spawn(serve_stream(
                service,
                principal,
                far_read,
                far_write,
                shutdown.clone(),
            )),
            shutdown,
        }
    }

    /// A client of the legacy era that has introduced itself.
    pub async fn legacy(stage: &Stage) -> Self {
        let mut client = Self::silent(stage);
        client.ask(&initialize("2025-11-25")).await;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        let write = self.write.as_mut().expect("the input is open");
        soon(write.write_all(bytes)).await.unwrap();
    }

    pub async fn receive(&mut self) -> Value {
        let line = soon(self.lines.next_line()).await.unwrap();
        serde_json::from_str(&line.expect("the stream is open")).expect("every line is JSON")
    }

    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.receive().await
    }

    pub async fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        self.ask(&call(id, tool, arguments)).await
    }

    /// Closes the input, as a client does that is done.
    pub async fn hang_up(&mut self) {
        let mut write = self.write.take().expect("the input is open");
        write.shutdown().await.unwrap();
    }

    /// What is left to read, and why the stream ended.
    pub async fn end(mut self) -> (Vec<String>, StreamEnd) {
        let mut rest = Vec::new();
        while let Some(line) = soon(self.lines.next_line()).await.unwrap() {
            rest.push(line);
        }
        (rest, soon(self.served).await.unwrap())
    }
}
