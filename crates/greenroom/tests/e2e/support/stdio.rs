use std::process::{ExitStatus, Stdio as Pipe};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::Setup;

const PATIENCE: Duration = Duration::from_secs(60);

/// A running `greenroom stdio` and its client.
pub struct Stdio {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    last_id: u64,
}

impl Stdio {
    /// Starts the process and opens an MCP session.
    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns the child and ends it"
    )]
    pub async fn start(setup: &Setup) -> Self {
        let mut child = setup
            .command(&["stdio"])
            .stdin(Pipe::piped())
            .stdout(Pipe::piped())
            .stderr(Pipe::inherit())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut client = Self {
            stdin: child.stdin.take(),
            child,
            lines,
            last_id: 0,
        };
        let info = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        client.request("initialize", params).await;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    pub async fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is closed");
        stdin
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }

    /// Sends a request and gives its result.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        let answer = async {
            loop {
                let line = self.lines.next_line().await.unwrap().expect("stdout ended");
                let message: Value =
                    serde_json::from_str(&line).expect("every line of stdout is JSON");
                if message["id"] == id {
                    return message;
                }
            }
        };
        let message = tokio::time::timeout(PATIENCE, answer)
            .await
            .expect("no answer");
        message
            .get("result")
            .unwrap_or_else(|| panic!("no result in {message:#}"))
            .clone()
    }

    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }

    /// Closes stdin.
    pub fn hang_up(&mut self) {
        drop(self.stdin.take());
    }

    /// Closes stdin and waits for the process to end by itself.
    pub async fn close(mut self) -> ExitStatus {
        drop(self.stdin.take());
        tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .expect("it does not end")
            .unwrap()
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("it has ended")
    }

    /// Sends a tool call and does not wait for its answer.
    pub async fn begin_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.last_id += 1;
        let params = json!({"name": tool, "arguments": arguments});
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
            .await;
        id
    }

    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.id().cast_signed()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Everything that is still said, until stdout ends.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut said = Vec::new();
        let reading = async {
            while let Ok(Some(line)) = self.lines.next_line().await {
                said.push(serde_json::from_str(&line).expect("every line of stdout is JSON"));
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, reading).await;
        in_time.expect("stdout does not end");
        said
    }

    /// Waits for the process to end by itself.
    pub async fn wait(&mut self) -> ExitStatus {
        tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .expect("it does not end")
            .unwrap()
    }
}
