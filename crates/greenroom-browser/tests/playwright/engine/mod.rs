//! A stage for engine tests: instances of the fake and of the real upstream.
#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod site;

use std::path::{Path, PathBuf};
use std::time::Duration;

use greenroom_browser::call::{Call, EngineError, Reply};
use greenroom_browser::find::{BrowserKind, Places};
use greenroom_browser::playwright::PlaywrightInstance;
use greenroom_browser::process::child_environment;
use greenroom_browser::sandbox::Sandbox;
use greenroom_browser::{Host, LaunchSpec, Machine};
use greenroom_testkit::fake_upstream;
use greenroom_testkit::upstream::Script;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::Stage;

/// Longer than any call here takes.
pub(crate) const LONG: Duration = Duration::from_secs(25);

/// The machine that the tests run on.
pub(crate) fn host(stage: &Stage) -> Host {
    #[allow(
        clippy::disallowed_methods,
        reason = "the environment of the test is its own"
    )]
    let (lookup, all) = (|name: &str| std::env::var_os(name), std::env::vars_os());
    Host {
        supervisor: stage.supervisor.clone(),
        environment: child_environment(all),
        machine: Machine {
            places: Places::from_env(lookup),
            program: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
            data_dir: stage.data.path().to_owned(),
            sandbox: Sandbox::detect(),
        },
    }
}

/// An instance of the fake upstream: cold, so that a script's first call is the test's first.
pub(crate) fn fake(stage: &Stage, mut script: Script) -> LaunchSpec {
    script.journal = Some(stage.journal_path());
    let program = fake_upstream().display().to_string();
    LaunchSpec {
        upstream_command: Some(vec![program, "--script".into(), script.to_json()]),
        warm: false,
        ..LaunchSpec::new(BrowserKind::Chromium)
    }
}

pub(crate) async fn start(stage: &Stage, spec: &LaunchSpec) -> PlaywrightInstance {
    let started = PlaywrightInstance::start("TEST-0", spec, &host(stage)).await;
    started.unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) async fn start_fake(stage: &Stage, script: Script) -> PlaywrightInstance {
    start(stage, &fake(stage, script)).await
}

/// A warm, headless, isolated Chromium below the real upstream.
pub(crate) async fn start_chromium(stage: &Stage) -> PlaywrightInstance {
    start(stage, &LaunchSpec::new(BrowserKind::Chromium)).await
}

pub(crate) fn navigate(url: &str) -> Call {
    Call::new("browser_navigate").with("url", url)
}

pub(crate) fn evaluate(function: &str) -> Call {
    Call::new("browser_evaluate").with("function", function)
}

pub(crate) async fn run(instance: &PlaywrightInstance, call: Call) -> Reply {
    let reply = instance.call(&call, LONG).await;
    reply.unwrap_or_else(|error| panic!("{}: {error}", call.tool))
}

pub(crate) fn text(reply: &Reply) -> &str {
    reply.content[0].as_text().unwrap()
}

/// The value that a script gave, as JSON text.
pub(crate) async fn value(instance: &PlaywrightInstance, function: &str) -> String {
    let reply = run(instance, evaluate(function)).await;
    let said = text(&reply);
    let result = said
        .strip_prefix("### Result\n")
        .unwrap_or_else(|| panic!("{said}"));
    let end = result.find("\n### ").unwrap_or(result.len());
    result[..end].to_owned()
}

pub(crate) fn kill(pid: i32) {
    signal(pid, Signal::KILL);
}

pub(crate) fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

pub(crate) fn error_of(outcome: Result<Reply, EngineError>) -> EngineError {
    outcome.expect_err("the call must fail")
}

/// The directory in which a process runs.
pub(crate) fn cwd_of(pid: i32) -> PathBuf {
    std::fs::read_link(Path::new("/proc").join(pid.to_string()).join("cwd")).unwrap()
}
