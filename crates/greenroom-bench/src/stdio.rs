//! An MCP client of a child process, as thin as one can be: what it adds, it adds to both sides.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
}

impl Client {
    #[allow(
        clippy::disallowed_methods,
        reason = "a benchmark owns its children: see Drop"
    )]
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        Ok(Self {
            stdin: Some(child.stdin.take().ok_or_else(missing)?),
            stdout: BufReader::new(child.stdout.take().ok_or_else(missing)?),
            child,
            last_id: 0,
        })
    }

    pub(crate) fn initialize(&mut self) -> io::Result<()> {
        self.request(
            "initialize",
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#,
        )?;
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &str) -> io::Result<String> {
        self.request(
            "tools/call",
            &format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#),
        )
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        let stdin = self
            .stdin
            .as_mut()
            .ok_or_else(|| io::Error::other("stdin is closed"))?;
        writeln!(stdin, "{line}")?;
        stdin.flush()
    }

    fn request(&mut self, method: &str, params: &str) -> io::Result<String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#
        ))?;
        let mine = format!("\"id\":{id}");
        let mut line = String::new();
        loop {
            line.clear();
            if self.stdout.read_line(&mut line)? == 0 {
                return Err(io::Error::other(format!(
                    "it ended before it answered {method}"
                )));
            }
            let answer = line.contains("\"result\"") || line.contains("\"error\"");
            if answer && (line.contains(&format!("{mine},")) || line.contains(&format!("{mine}}}")))
            {
                return Ok(line);
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Both programs take their browsers down when stdin ends.
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
