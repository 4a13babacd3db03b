//! The two that serve browsers over MCP: Greenroom, and the pinned upstream.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::mcp::McpCaller;
use super::peer::{Caller, Peer};
use super::programs::Programs;
use crate::measure::clock;

/// How long a server may take to end its browsers before it is ended by force.
const GRACE: Duration = Duration::from_secs(10);

/// A server that ends with this value.
pub(super) struct Served {
    child: Child,
    host: String,
    in_full: &'static str,
    _home: tempfile::TempDir,
}

impl Served {
    /// Greenroom with room for so many sessions at once.
    pub(super) fn greenroom(programs: &Programs, sessions: usize) -> io::Result<Self> {
        let home = tempfile::tempdir()?;
        let mut command = Command::new(&programs.greenroom);
        command
            .args(["serve", "--port", "0", "--data-dir"])
            .arg(home.path().join("data"))
            .env("PW_MCP_PROXY__P_INSTANCES", sessions.to_string())
            .env("PW_MCP_PROXY__P_IS_DEFAULT", "true")
            .env("PW_MCP_PROXY__P_ISOLATED", "true")
            .env("PW_MCP_PROXY__P_ENGINE", "native")
            .env("PW_MCP_PROXY__P_EXECUTABLE_PATH", &programs.browser);
        Self::start(
            command,
            home,
            "serving MCP at ",
            r#""response_mode":"inline""#,
        )
    }

    /// The upstream by itself, with a context for each session.
    pub(super) fn upstream(programs: &Programs) -> io::Result<Self> {
        let home = tempfile::tempdir()?;
        let mut command = Command::new("node");
        command
            .arg(&programs.upstream)
            .args(["--port", "0", "--host", "127.0.0.1"])
            .args(["--headless", "--isolated", "--no-sandbox"])
            .arg("--executable-path")
            .arg(&programs.browser)
            .arg("--output-dir")
            .arg(home.path());
        Self::start(command, home, "Listening on ", "")
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "a benchmark owns its children: see Drop"
    )]
    fn start(
        mut command: Command,
        home: tempfile::TempDir,
        sign: &str,
        in_full: &'static str,
    ) -> io::Result<Self> {
        let mut child = command
            .current_dir(home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = child.stderr.take();
        let mut server = Self {
            child,
            host: String::new(),
            in_full,
            _home: home,
        };
        let stderr = stderr.ok_or_else(|| io::Error::other("no stderr"))?;
        let mut lines = BufReader::new(stderr).lines();
        for line in lines.by_ref() {
            if let Some((_, url)) = line?.split_once(sign) {
                let host = url.trim_start_matches("http://").split('/').next();
                server.host = host.unwrap_or_default().to_owned();
                // Somebody must go on listening, or its next words have nowhere to go.
                thread::spawn(move || lines.for_each(drop));
                return Ok(server);
            }
        }
        Err(io::Error::other("a server did not become ready"))
    }
}

impl Peer for Served {
    fn connect(&self) -> io::Result<Box<dyn Caller>> {
        Ok(Box::new(McpCaller::connect(&self.host, self.in_full)?))
    }

    fn root(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(pid) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let asked = clock();
        while asked.elapsed() < GRACE && !matches!(self.child.try_wait(), Ok(Some(_))) {
            thread::park_timeout(Duration::from_millis(20));
        }
        // Browsers whose server is gone see the end of their pipe.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
