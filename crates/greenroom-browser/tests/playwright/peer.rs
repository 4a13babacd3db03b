//! The other end of a connection, scripted by a test.
#![allow(dead_code)]

use std::time::Duration;

use greenroom_browser::playwright::{Client, ClientOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};

/// Long enough that only a test of deadlines meets it.
pub(crate) const LONG: Duration = Duration::from_secs(30);

pub(crate) struct Peer {
    pub(crate) lines: Lines<BufReader<DuplexStream>>,
    pub(crate) output: DuplexStream,
}

/// A client and its peer, with pipes that hold `room` bytes each way.
pub(crate) fn pair(room: usize, options: &ClientOptions) -> (Client, Peer) {
    let (peer_input, our_output) = tokio::io::duplex(room);
    let (our_input, peer_output) = tokio::io::duplex(room);
    let client = Client::connect(our_input, our_output, options);
    let lines = BufReader::new(peer_input).lines();
    (
        client,
        Peer {
            lines,
            output: peer_output,
        },
    )
}

pub(crate) fn connected() -> (Client, Peer) {
    pair(64 * 1024, &ClientOptions::default())
}

impl Peer {
    /// The next message of the client's.
    pub(crate) async fn heard(&mut self) -> Value {
        let line = self
            .lines
            .next_line()
            .await
            .unwrap()
            .expect("the client closed its output");
        serde_json::from_str(&line).unwrap()
    }

    /// The next request with this method, and its id.
    pub(crate) async fn asked(&mut self, method: &str) -> (u64, Value) {
        let message = self.heard().await;
        assert_eq!(message["method"], method, "{message}");
        (message["id"].as_u64().unwrap(), message["params"].clone())
    }

    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        self.output.write_all(bytes.as_ref()).await.unwrap();
    }

    pub(crate) async fn say_line(&mut self, message: &Value) {
        self.say(format!("{message}\n")).await;
    }

    pub(crate) async fn answer(&mut self, id: u64, result: Value) {
        self.say_line(&json!({"result": result, "jsonrpc": "2.0", "id": id}))
            .await;
    }

    pub(crate) async fn refuse(&mut self, id: u64, code: i64) {
        let error = json!({"code": code, "message": "refused"});
        self.say_line(&json!({"jsonrpc": "2.0", "id": id, "error": error}))
            .await;
    }

    /// Ends the output, as a process does that exits.
    pub(crate) async fn exit(mut self) {
        self.output.shutdown().await.unwrap();
    }
}
