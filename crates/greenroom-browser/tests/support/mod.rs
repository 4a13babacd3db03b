//! A stage for supervision tests: a data directory, a supervisor, and a check that all is gone.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::time::Duration;

use greenroom_browser::process::{Child, Run, Spawn, Supervisor};
use greenroom_testkit::fake_upstream;
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::upstream::{Entry, Script, read_journal};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

/// Longer than anything here takes, so that only a hang reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
pub(crate) const GRACE: Duration = Duration::from_millis(200);

pub(crate) struct Stage {
    pub(crate) data: TempDir,
    pub(crate) supervisor: Supervisor,
    pub(crate) baseline: Baseline,
}

impl Stage {
    pub(crate) async fn open() -> Self {
        let baseline = Baseline::take();
        let data = tempfile::tempdir().unwrap();
        let (run, _) = Run::open(data.path()).await.unwrap();
        let baseline = baseline.data_dir(data.path()).run(run.id().as_str());
        Self {
            data,
            supervisor: Supervisor::new(run).unwrap(),
            baseline,
        }
    }

    /// Starts a fake upstream that keeps a journal.
    pub(crate) fn start(&self, script: Script) -> Child {
        self.spawn(fake(script, self.journal_path()))
    }

    pub(crate) fn spawn(&self, spawn: Spawn) -> Child {
        let scratch = self.supervisor.scratch("TEST-0").unwrap();
        self.supervisor.spawn(spawn, scratch).unwrap()
    }

    pub(crate) fn journal_path(&self) -> PathBuf {
        self.data.path().join("journal")
    }

    pub(crate) fn journal(&self) -> Vec<Entry> {
        read_journal(&self.journal_path())
    }

    /// The pids of grandchildren, in the order in which they were started.
    pub(crate) fn grandchildren(&self) -> Vec<i32> {
        let pid = |entry: &Entry| match entry {
            Entry::Grandchild { pid } => i32::try_from(*pid).ok(),
            _ => None,
        };
        self.journal().iter().filter_map(pid).collect()
    }

    /// Closes the supervisor and makes sure that nothing is left.
    pub(crate) async fn strike(self) {
        self.supervisor.close(GRACE).await.unwrap();
        drop(self.supervisor);
        self.baseline.assert_clean().await;
    }
}

pub(crate) fn fake(mut script: Script, journal: PathBuf) -> Spawn {
    script.journal = Some(journal);
    Spawn::new(fake_upstream())
        .arg("--script")
        .arg(script.to_json())
}

/// A client of one child.
pub(crate) struct Client {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: BufReader<ChildStdout>,
}

impl Client {
    pub(crate) fn of(child: &Child) -> Self {
        Self {
            stdin: child.take_stdin().unwrap(),
            stdout: BufReader::new(child.take_stdout().unwrap()),
        }
    }

    /// Sends a request and returns its reply, skipping everything else.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> std::io::Result<Value> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.stdin
            .write_all(format!("{request}\n").as_bytes())
            .await?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == 1 {
                return Ok(message);
            }
        }
    }

    pub(crate) async fn ping(&mut self) {
        self.request("ping", json!({})).await.unwrap();
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> std::io::Result<Value> {
        let params = json!({"name": tool, "arguments": arguments});
        self.request("tools/call", params).await
    }
}

/// Whether a process runs, zombies not counted.
pub(crate) fn is_running(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

/// How often a test repeats itself: a small number, or the one that a soak asks for.
pub(crate) fn repetitions(usual: usize) -> usize {
    #[allow(clippy::disallowed_methods)]
    let asked = std::env::var("GREENROOM_SOAK");
    asked.ok().map_or(usual, |count| {
        count
            .parse()
            .expect("GREENROOM_SOAK must be a number of repetitions")
    })
}
