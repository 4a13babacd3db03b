//! A stage for tests with real browsers: a data directory, a supervisor, and a check that all is
//! gone in the end.

use std::path::PathBuf;
use std::time::Duration;

use greenroom_browser::find::{BrowserKind, Places};
use greenroom_browser::native::browser::SharedBrowser;
use greenroom_browser::native::conn::Session;
use greenroom_browser::native::protocol::page::{LifecycleEvent, Navigate};
use greenroom_browser::native::protocol::runtime::Evaluate;
use greenroom_browser::process::{Run, Supervisor, child_environment};
use greenroom_browser::sandbox::Sandbox;
use greenroom_browser::{Host, LaunchSpec, Machine};
use greenroom_testkit::invariants::Baseline;
use rustix::process::{Pid, Signal, kill_process};
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use tokio::time::timeout;

/// Longer than anything here takes, so that only a hang reaches it.
pub(crate) const LONG: Duration = Duration::from_secs(30);
pub(crate) const GRACE: Duration = Duration::from_secs(5);

pub(crate) const SHELL: &str = "/usr/bin/chromium-headless-shell";
pub(crate) const CHROMIUM: &str = "/usr/bin/chromium";

pub(crate) struct Stage {
    pub(crate) data: TempDir,
    pub(crate) host: Host,
    baseline: Baseline,
}

impl Stage {
    pub(crate) async fn open() -> Self {
        let baseline = Baseline::take();
        let data = tempfile::tempdir().unwrap();
        let (run, _) = Run::open(data.path()).await.unwrap();
        let baseline = baseline.data_dir(data.path()).run(run.id().as_str());
        #[allow(
            clippy::disallowed_methods,
            reason = "the environment of the test is its own"
        )]
        let (lookup, all) = (|name: &str| std::env::var_os(name), std::env::vars_os());
        let host = Host {
            supervisor: Supervisor::new(run).unwrap(),
            environment: child_environment(all),
            machine: Machine {
                places: Places::from_env(lookup),
                program: None,
                data_dir: data.path().to_owned(),
                sandbox: Sandbox::detect(),
            },
        };
        Self {
            data,
            host,
            baseline,
        }
    }

    /// Closes the supervisor and makes sure that nothing is left: no process, no directory, no
    /// descriptor.
    pub(crate) async fn strike(self) {
        let Self {
            data,
            host,
            baseline,
        } = self;
        host.supervisor.close(GRACE).await.unwrap();
        drop(host);
        baseline.assert_clean().await;
        drop(data);
    }
}

/// A headless, isolated instance with this program.
pub(crate) fn spec(program: &str) -> LaunchSpec {
    let executable = PathBuf::from(program);
    assert!(
        executable.exists(),
        "{program} is missing; run: apt-get install chromium chromium-headless-shell"
    );
    LaunchSpec {
        executable: Some(executable),
        ..LaunchSpec::new(BrowserKind::Chromium)
    }
}

pub(crate) async fn shared(stage: &Stage, capacity: usize) -> std::sync::Arc<SharedBrowser> {
    let started = SharedBrowser::start("TEST", &spec(SHELL), &stage.host, capacity).await;
    started.unwrap_or_else(|error| panic!("{error}"))
}

/// The value of a script.
pub(crate) async fn value<T: DeserializeOwned>(page: &Session, script: &str) -> T {
    let given = page.call(Evaluate::value_of(script)).await;
    let given = given.unwrap_or_else(|error| panic!("{script}: {error}"));
    if let Some(thrown) = given.exception_details {
        panic!("{script}: {}", thrown.message());
    }
    given.result.read().unwrap()
}

/// Loads an address and waits until it has loaded.
pub(crate) async fn visit(page: &Session, url: &str) {
    let mut events = page.events();
    let url = url.to_owned();
    let navigated = page.call(Navigate {
        url,
        ..Navigate::default()
    });
    let navigated = navigated.await.unwrap();
    assert_eq!(navigated.error_text, None);
    let loader = navigated.loader_id.unwrap();
    let loaded = events.find(|stage: LifecycleEvent| {
        (stage.name == "load" && stage.loader_id == loader).then_some(())
    });
    timeout(LONG, loaded).await.unwrap().unwrap();
}

/// Waits until something holds that nobody tells of.
pub(crate) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let look = async {
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        while !holds() {
            looks.tick().await;
        }
    };
    assert!(timeout(LONG, look).await.is_ok(), "in vain: {what}");
}

pub(crate) fn kill(pid: i32) {
    signal(pid, Signal::KILL);
}

pub(crate) fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

/// The processes of the browser's pages, one that is kept in reserve included.
pub(crate) fn renderers_of(browser: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_renderer = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("--type=renderer")
    };
    let renderers: Vec<i32> = pids
        .filter(is_renderer)
        .filter(|pid| is_below(*pid, browser))
        .collect();
    assert!(!renderers.is_empty());
    renderers
}

fn is_below(mut pid: i32, above: i32) -> bool {
    while pid > 1 {
        if pid == above {
            return true;
        }
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat
            .rsplit(") ")
            .next()
            .and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
        pid = parent.unwrap_or(0);
    }
    false
}
