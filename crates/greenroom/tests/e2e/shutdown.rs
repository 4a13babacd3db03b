//! The end, asked for or not: what runs is finished or told, and nothing is left.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{
    Legacy, Proc, Setup, Stdio, TestServer, all_gone, below, error_of, heading_of, meta,
};
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::site::Site;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// SHUTDOWN_TIMEOUT of a test that waits for it to pass.
const SHORT: Duration = Duration::from_secs(2);

/// What the end may take beyond SHUTDOWN_TIMEOUT.
const MARGIN: Duration = Duration::from_secs(2);

/// A page that takes so long, on a connection of its own.
async fn slow_page(server: &TestServer, site: &Site, ms: u32) -> JoinHandle<Value> {
    let client = Legacy::connect(&server.url).await;
    let url = site.url(&format!("/slow?ms={ms}"));
    tokio::spawn(async move { client.call("browser_navigate", json!({"url": url})).await })
}

/// Ends the server and says how long that took until nothing was left.
async fn terminate(server: &mut TestServer) -> Duration {
    let begun = Instant::now();
    server.signal(Signal::TERM);
    let status = server.wait().await;
    assert_eq!(status.code(), Some(0), "{}", server.log());
    server.assert_clean().await;
    begun.elapsed()
}

fn everything_below(server: &TestServer) -> Vec<Proc> {
    let tree = below(server.pid().as_raw_nonzero().get());
    assert!(tree.len() > 4, "a server with browsers, not {tree:#?}");
    tree
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_in_flight_are_finished_and_new_ones_refused() {
    let site = Site::start().await;
    let mut server = TestServer::start(Setup::per_call(3)).await;
    let watcher = Legacy::connect(&server.url).await;
    server.all_healthy(&watcher, 3).await;
    let tree = everything_below(&server);
    let first = slow_page(&server, &site, 1000).await;
    let second = slow_page(&server, &site, 1000).await;
    let mut piped = Stdio::start(&server.setup).await;
    let url = site.url("/slow?ms=1000");
    let third = piped
        .begin_call("browser_navigate", json!({"url": url}))
        .await;
    site.visited("/slow", 3).await;

    let begun = Instant::now();
    server.signal(Signal::TERM);
    server.logged("shutting down").await;
    let url = site.url("/named?name=late");
    piped
        .begin_call("browser_navigate", json!({"url": url}))
        .await;
    let refused = async {
        let http = reqwest::Client::new();
        while http.get(&server.url).send().await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_millis(500), refused)
        .await
        .expect("new connections are still accepted");
    for call in [first, second] {
        assert_eq!(heading_of(&call.await.unwrap()), "At last");
    }
    let answers = piped.rest().await;
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert_eq!(answers[0]["id"], third);
    assert_eq!(heading_of(&answers[0]["result"]), "At last");
    piped.wait().await;
    drop(piped);
    assert_eq!(server.wait().await.code(), Some(0), "{}", server.log());
    server.assert_clean().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5) + MARGIN, "it took {took:?}");
    all_gone(&tree, Duration::ZERO).await;
    assert!(site.visits("/named").is_empty(), "a late call was run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_outlives_the_deadline_is_told_that_it_was_cut_off() {
    let site = Site::start().await;
    let setup = Setup::per_call(2).set("SHUTDOWN_TIMEOUT", "2s");
    let mut server = TestServer::start(setup).await;
    let watcher = Legacy::connect(&server.url).await;
    server.all_healthy(&watcher, 2).await;
    let quick = slow_page(&server, &site, 700).await;
    let stuck = slow_page(&server, &site, 20_000).await;
    site.visited("/slow", 2).await;
    let took = terminate(&mut server).await;
    assert!(
        (SHORT..SHORT + MARGIN).contains(&took),
        "it took {took:?}:\n{}",
        server.log()
    );
    assert_eq!(heading_of(&quick.await.unwrap()), "At last");
    let stuck = stuck.await.unwrap();
    let text = error_of(&stuck);
    assert!(
        text.contains("shutting down and cut off browser_navigate"),
        "{text}"
    );
    assert_eq!(meta(&stuck, "outcome"), "unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_the_server_at_once() {
    let site = Site::start().await;
    let mut server = TestServer::start(Setup::per_call(1).set("SHUTDOWN_TIMEOUT", "30s")).await;
    let tree = everything_below(&server);
    let stuck = slow_page(&server, &site, 20_000).await;
    site.visited("/slow", 1).await;
    let begun = Instant::now();
    server.signal(Signal::TERM);
    server.logged("shutting down").await;
    server.signal(Signal::INT);
    assert_eq!(server.wait().await.code(), Some(1), "{}", server.log());
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(3), "it took {took:?}");
    all_gone(&tree, Duration::from_secs(1)).await;
    stuck.abort();

    // Its directory is left to the next one.
    let (setup, _) = server.into_parts();
    TestServer::start(setup).await.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_leaves_is_gone_after_the_next_start() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::per_call(2)).await;
    let watcher = Legacy::connect(&server.url).await;
    server.all_healthy(&watcher, 2).await;
    let stuck = slow_page(&server, &site, 20_000).await;
    site.visited("/slow", 1).await;
    let tree = everything_below(&server);
    let dead_runs = runs(&server.setup);
    assert_eq!(dead_runs.len(), 1);
    let (setup, baseline) = server.kill().await;
    stuck.abort();

    let next = TestServer::start(setup).await;
    all_gone(&tree, Duration::ZERO).await;
    let runs = runs(&next.setup);
    assert!(
        runs.len() == 1 && runs != dead_runs,
        "{runs:?}, {dead_runs:?}"
    );
    let client = Legacy::connect(&next.url).await;
    let page = client
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=new")}),
        )
        .await;
    assert_eq!(heading_of(&page), "This is new");
    next.stop().await;
    dead_runs
        .into_iter()
        .fold(baseline, Baseline::run)
        .assert_clean()
        .await;
}

fn runs(setup: &Setup) -> Vec<String> {
    let entries = std::fs::read_dir(setup.data_dir.join("runs")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_is_refused_with_the_address_of_the_first() {
    let server = TestServer::start_listening(Setup::per_call(1)).await;
    let refused = server
        .setup
        .command(&["serve", "--port", "0"])
        .output()
        .await
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains(&server.url), "{said}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_stdio_processes_without_a_server_work_side_by_side_and_clean_up() {
    let site = Site::start().await;
    let setup = Setup::per_call(1);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let mut both = [Stdio::start(&setup).await, Stdio::start(&setup).await];
    for (n, client) in both.iter_mut().enumerate() {
        let url = site.url(&format!("/named?name=s{n}"));
        client.call("browser_navigate", json!({"url": url})).await;
    }
    let [mut first, mut second] = both;
    let seen = first.call("browser_snapshot", json!({})).await;
    assert_eq!(heading_of(&seen), "This is s0");
    assert_eq!(first.close().await.code(), Some(0));
    let seen = second.call("browser_snapshot", json!({})).await;
    assert_eq!(heading_of(&seen), "This is s1", "the other one lives on");
    assert_eq!(second.close().await.code(), Some(0));
    baseline.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_stdin_in_mid_call_ends_stdio_at_once_with_nothing_left() {
    let site = Site::start().await;
    let setup = Setup::per_call(1);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let mut client = Stdio::start(&setup).await;
    let url = site.url("/slow?ms=20000");
    client
        .begin_call("browser_navigate", json!({"url": url}))
        .await;
    site.visited("/slow", 1).await;
    let begun = Instant::now();
    assert_eq!(client.close().await.code(), Some(0));
    baseline.assert_clean().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5) + MARGIN, "it took {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_lets_the_call_of_a_stdio_client_finish_and_leaves_nothing() {
    let site = Site::start().await;
    let setup = Setup::per_call(1);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let mut client = Stdio::start(&setup).await;
    let url = site.url("/slow?ms=1000");
    let id = client
        .begin_call("browser_navigate", json!({"url": url}))
        .await;
    site.visited("/slow", 1).await;
    let begun = Instant::now();
    client.signal(Signal::TERM);
    let said = client.rest().await;
    let answer = said.iter().find(|message| message["id"] == id);
    let answer = answer.unwrap_or_else(|| panic!("no answer in {said:#?}"));
    assert_eq!(heading_of(&answer["result"]), "At last");
    assert_eq!(client.wait().await.code(), Some(0));
    drop(client);
    baseline.assert_clean().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5) + MARGIN, "it took {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_stdio_at_once_and_its_browsers_with_it() {
    let site = Site::start().await;
    let setup = Setup::per_call(1).set("SHUTDOWN_TIMEOUT", "30s");
    let mut client = Stdio::start(&setup).await;
    let url = site.url("/slow?ms=20000");
    client
        .begin_call("browser_navigate", json!({"url": url}))
        .await;
    site.visited("/slow", 1).await;
    let tree = below(client.id().cast_signed());
    assert!(tree.len() > 4, "pools of its own, not {tree:#?}");
    let begun = Instant::now();
    client.signal(Signal::TERM);
    client.signal(Signal::INT);
    assert_eq!(client.wait().await.code(), Some(1));
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(3), "it took {took:?}");
    all_gone(&tree, Duration::from_secs(1)).await;
    drop(client);

    // Its directory is left to the next one.
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let next = Stdio::start(&setup).await;
    assert_eq!(next.close().await.code(), Some(0));
    baseline.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_from_the_command_line_without_a_server_cleans_up_even_if_interrupted() {
    let site = Site::start().await;
    let setup = Setup::per_call(1);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let url = format!("url={}", site.url("/named?name=cli"));
    let done = setup
        .command(&["call", "browser_navigate", "--arg", &url])
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("This is cli"), "{said}");
    baseline.assert_clean().await;

    let url = format!("url={}", site.url("/slow?ms=20000"));
    let running = setup.start(&["call", "browser_navigate", "--arg", &url]);
    site.visited("/slow", 1).await;
    let begun = Instant::now();
    running.signal(Signal::INT);
    let (code, said) = running.ended().await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    baseline.assert_clean().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5) + MARGIN, "it took {took:?}");
}
