use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use greenroom_testkit::invariants::Baseline;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::Legacy;

/// Longer than any browser takes to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a server or a stdio process is started with.
pub struct Setup {
    pub data_dir: PathBuf,
    variables: Vec<(String, String)>,
    /// What the command is started by, if not by itself.
    launcher: Vec<String>,
    _home: tempfile::TempDir,
}

impl Setup {
    /// Nothing configured, in a home of its own.
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self {
            data_dir: home.path().join("data"),
            variables: Vec::new(),
            launcher: Vec::new(),
            _home: home,
        }
    }

    /// One more setting, without its prefix: `_SCRAPE_INSTANCES`, `HEADLESS`.
    pub fn set(mut self, key: &str, value: &str) -> Self {
        self.variables
            .push((format!("PW_MCP_PROXY_{key}"), value.to_owned()));
        self
    }

    /// Has the command started by another program, which must become it.
    pub fn launcher(mut self, words: &[&str]) -> Self {
        self.launcher = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// A variable of the environment that is not a setting.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// One pool `P` of this many isolated instances, each call on its own lease.
    pub fn per_call(instances: usize) -> Self {
        Self::new()
            .set("_P_INSTANCES", &instances.to_string())
            .set("_P_IS_DEFAULT", "true")
            .set("_P_ISOLATED", "true")
            .set("_P_STICKY", "call")
    }

    /// The command, with this environment and no other.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let words = self.launcher.iter().map(String::as_str);
        let mut words = words.chain([env!("CARGO_BIN_EXE_greenroom")]);
        let mut command = self.other_program(words.next().unwrap());
        command
            .args(words)
            .args(arguments)
            .arg("--data-dir")
            .arg(&self.data_dir);
        command
    }

    /// Another program in this home and with this environment.
    pub fn other_program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self._home.path())
            .env_clear()
            .env("PATH", option_env!("PATH").unwrap_or("/usr/bin:/bin"))
            .env("HOME", self._home.path())
            .envs(
                self.variables
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.as_str())),
            )
            .kill_on_drop(true);
        command
    }
}

impl Setup {
    /// Starts the command and lets it run.
    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns the child and ends it"
    )]
    pub fn start(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Running(command.spawn().unwrap())
    }
}

/// A command that runs.
pub struct Running(Child);

impl Running {
    pub fn signal(&self, signal: Signal) {
        let pid = self.0.id().expect("it has ended").cast_signed();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Waits for its end: its exit code, and what it said on stderr.
    pub async fn ended(self) -> (Option<i32>, String) {
        let output = tokio::time::timeout(PATIENCE, self.0.wait_with_output());
        let output = output.await.expect("it does not end").unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    }
}

/// A running `greenroom serve`.
pub struct TestServer {
    pub setup: Setup,
    pub url: String,
    child: Child,
    log: Arc<Mutex<String>>,
    baseline: Option<Baseline>,
}

impl TestServer {
    /// Starts a server and waits until every pool has a browser.
    pub async fn start(setup: Setup) -> Self {
        Self::start_with(setup, &[]).await
    }

    /// The same, with more arguments.
    pub async fn start_with(setup: Setup, arguments: &[&str]) -> Self {
        Self::start_until(setup, arguments, "serving MCP at ").await
    }

    /// Starts a server and waits only until it listens.
    pub async fn start_listening(setup: Setup) -> Self {
        let server = Self::start_until(setup, &[], "browsers ready: ").await;
        let announced = std::fs::read(server.setup.data_dir.join("server.json")).unwrap();
        let announced: Value = serde_json::from_slice(&announced).unwrap();
        let url = announced["url"].as_str().unwrap().to_owned();
        Self { url, ..server }
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns the child and ends it"
    )]
    async fn start_until(setup: Setup, arguments: &[&str], sign: &'static str) -> Self {
        let baseline = Baseline::take().data_dir(&setup.data_dir);
        let mut child = setup
            .command(&["serve", "--port", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = child.stderr.take().unwrap();
        let log = Arc::<Mutex<String>>::default();
        let (found, mut url) = watch::channel(None);
        let writer = log.clone();
        tokio::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some((_, url)) = line.split_once(sign) {
                    let _ = found.send(Some(url.to_owned()));
                }
                writer.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        let ready = tokio::time::timeout(PATIENCE, url.wait_for(Option::is_some)).await;
        let url = match ready {
            Ok(Ok(url)) => url.clone().unwrap(),
            _ => panic!("the server did not become ready:\n{}", log.lock().unwrap()),
        };
        Self {
            setup,
            url,
            child,
            log,
            baseline: Some(baseline),
        }
    }

    /// The address of another route.
    pub fn route(&self, path: &str) -> String {
        self.url.replace("/mcp", path)
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until the server has said this.
    pub async fn logged(&self, text: &str) {
        let waiting = async {
            while !self.log().contains(text) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, waiting).await;
        assert!(in_time.is_ok(), "{text} is not in:\n{}", self.log());
    }

    pub fn pid(&self) -> Pid {
        let id = self.child.id().expect("the server has ended").cast_signed();
        Pid::from_raw(id).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    pub async fn wait(&mut self) -> ExitStatus {
        tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .expect("the server does not end")
            .unwrap()
    }

    /// Waits until so many instances of all pools are healthy.
    pub async fn all_healthy(&self, client: &Legacy, count: u64) {
        self.until(client, |status| {
            status["summary"]["healthy_instances"] == count
        })
        .await;
    }

    /// Waits until so many callers wait in some pool.
    pub async fn waiting(&self, client: &Legacy, count: u64) {
        let waits = |pool: &Value| pool["waiters"].as_u64() >= Some(count);
        self.until(client, |status| {
            status["pools"].as_array().unwrap().iter().any(waits)
        })
        .await;
    }

    /// Asks for the status until it is as wanted.
    pub async fn until(&self, client: &Legacy, wanted: impl Fn(&Value) -> bool) -> Value {
        let asking = async {
            loop {
                let status = client.call("browser_pool_status", json!({})).await;
                if wanted(&status["structuredContent"]) {
                    return status["structuredContent"].clone();
                }
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
        };
        let found = tokio::time::timeout(PATIENCE, asking).await;
        found.unwrap_or_else(|_| panic!("the status did not become as wanted:\n{}", self.log()))
    }

    /// One instance of a pool as the status tells it.
    pub async fn instance(&self, client: &Legacy, pool: &str, id: &str) -> Value {
        let status = self.until(client, |_| true).await;
        instance_of(&status, pool, id).clone()
    }

    /// Asks for one instance until it is as wanted.
    pub async fn instance_until(
        &self,
        client: &Legacy,
        (pool, id): (&str, &str),
        wanted: impl Fn(&Value) -> bool,
    ) -> Value {
        let status = self
            .until(client, |status| wanted(instance_of(status, pool, id)))
            .await;
        instance_of(&status, pool, id).clone()
    }

    /// Asks the server to end and checks that it left nothing.
    pub async fn stop(self) {
        self.stop_for_now().await;
    }

    /// The same, and gives back what it was started with, for another start.
    pub async fn stop_for_now(mut self) -> Setup {
        self.signal(Signal::TERM);
        let status = self.wait().await;
        assert_eq!(status.code(), Some(0), "{}", self.log());
        self.assert_clean().await;
        self.setup
    }

    /// Kills the server as the kernel would, and gives back what it was started with.
    pub async fn kill(mut self) -> (Setup, Baseline) {
        self.signal(Signal::KILL);
        self.wait().await;
        (self.setup, self.baseline.take().unwrap())
    }

    /// What an ended server was started with.
    pub fn into_parts(mut self) -> (Setup, Baseline) {
        (self.setup, self.baseline.take().unwrap())
    }

    /// No process, directory or zombie of the server is left.
    pub async fn assert_clean(&mut self) {
        let baseline = self.baseline.take().unwrap();
        baseline.assert_clean().await;
    }
}

fn instance_of<'a>(status: &'a Value, pool: &str, id: &str) -> &'a Value {
    let find = |list: &'a Value, field: &str, value: &str| {
        let mut items = list.as_array().into_iter().flatten();
        items.find(|item| item[field] == value)
    };
    let pool = find(&status["pools"], "name", pool);
    let instance = pool.and_then(|pool| find(&pool["instances"], "id", id));
    instance.unwrap_or_else(|| panic!("no such instance in {status:#}"))
}
