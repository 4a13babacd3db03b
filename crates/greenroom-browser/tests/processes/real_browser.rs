//! The real upstream with a real browser, which spreads over process groups and sessions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Client, PATIENCE, Stage};
use greenroom_browser::process::{Child, Ended, Spawn, child_environment};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::time::{Instant, timeout};

const CHROMIUM: &str = "/usr/bin/chromium";

fn required(path: PathBuf, command: &str) -> PathBuf {
    assert!(
        path.exists(),
        "{} is missing; run: {command}",
        path.display()
    );
    path
}

/// The pinned upstream with Debian's Chromium and a profile on disk.
async fn start_with_page(stage: &Stage) -> (Child, Client) {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../upstream/node_modules/@playwright/mcp/cli.js");
    let cli = required(cli, "npm ci --prefix upstream");
    let chromium = required(CHROMIUM.into(), "apt-get install chromium");
    let scratch = stage.supervisor.scratch("REAL-0").unwrap();
    #[allow(clippy::disallowed_methods)]
    let environment = child_environment(std::env::vars_os());
    let spawn = Spawn::new("node")
        .envs(environment)
        .arg(cli)
        .args(["--headless", "--no-sandbox", "--executable-path"])
        .arg(chromium)
        .arg("--user-data-dir")
        .arg(scratch.profile())
        .arg("--output-dir")
        .arg(scratch.output());
    let child = stage.supervisor.spawn(spawn, scratch).unwrap();
    let mut client = Client::of(&child);
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}});
    let ready = client.request("initialize", hello);
    child
        .ready_within("initialize", PATIENCE, ready)
        .await
        .unwrap();
    let page = json!({"url": "data:text/html,<title>Hi</title><h1>Hello</h1>"});
    let reply = client.call("browser_navigate", page).await.unwrap();
    let text = reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(text.contains("Page Title: Hi"), "{text}");
    (child, client)
}

#[tokio::test]
async fn a_browser_below_the_upstream_is_stopped_with_it() {
    let stage = Stage::open().await;
    let (child, client) = start_with_page(&stage).await;
    let memory = child.memory().await.unwrap();
    assert!(memory.processes > 3, "{memory:?}");
    assert!(
        memory.pss > 50 << 20 && memory.pss < memory.rss,
        "{memory:?}"
    );
    drop(client);
    let exit = timeout(PATIENCE, child.stop(Duration::from_secs(15)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(exit.ended, Ended::Code(0));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_browser_goes_at_once_when_its_upstream_is_killed() {
    let stage = Stage::open().await;
    let (child, client) = start_with_page(&stage).await;
    kill_process(Pid::from_raw(child.root().pid).unwrap(), Signal::KILL).unwrap();
    let begun = Instant::now();
    assert_eq!(child.gone().await.unwrap().ended, Ended::Signal(9));
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop((client, child));
    stage.strike().await;
}
