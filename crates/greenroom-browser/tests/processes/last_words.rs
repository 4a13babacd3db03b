//! What a child says on stderr is read, bounded, and part of every error.

use std::time::Duration;

use crate::support::{Client, PATIENCE, Stage};
use greenroom_browser::process::{Ended, TAIL_BYTES};
use greenroom_browser::{Error, Unready};
use greenroom_testkit::upstream::{CallRule, Grandchild, Script, Start};
use serde_json::json;

#[tokio::test]
async fn ten_megabytes_on_stderr_do_not_block_a_reply() {
    let stage = Stage::open().await;
    let child = stage.start(Script::for_calls(CallRule {
        stderr_flood_mb: 10,
        ..CallRule::default()
    }));
    let mut client = Client::of(&child);
    let reply = client.call("browser_snapshot", json!({})).await.unwrap();
    assert!(reply["result"]["isError"].is_null());
    let tail = child.stderr_tail();
    assert!(
        tail.len() <= TAIL_BYTES && tail.len() > TAIL_BYTES / 2,
        "{}",
        tail.len()
    );
    let exit = child.stop(PATIENCE).await.unwrap();
    assert_eq!(exit.stderr.len(), TAIL_BYTES);
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_child_that_dies_at_once_is_reported_with_its_code_and_its_last_words() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        start: Start {
            stderr: "Error: browser is not installed\n".into(),
            exit: Some(21),
            ..Start::default()
        },
        ..Script::default()
    });
    let mut client = Client::of(&child);
    let ready = client.request("initialize", json!({}));
    let error = child
        .ready_within("initialize", PATIENCE, ready)
        .await
        .unwrap_err();
    let message = error.to_string();
    let Error::NotReady {
        exit, stage: at, ..
    } = error
    else {
        panic!("{message}");
    };
    assert_eq!((exit.ended, at), (Ended::Code(21), "initialize"));
    assert_eq!(exit.stderr, "Error: browser is not installed\n");
    assert!(message.contains("exited with code 21"), "{message}");
    assert!(message.contains("browser is not installed"), "{message}");
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_grandchild_that_keeps_stderr_open_holds_nothing_up() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        grandchild: Some(Grandchild::default()),
        start: Start {
            stderr: "goodbye\n".into(),
            exit: Some(1),
            ..Start::default()
        },
        ..Script::default()
    });
    let exit = tokio::time::timeout(PATIENCE, child.exited())
        .await
        .unwrap();
    assert_eq!(exit.stderr, "goodbye\n");
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_child_that_hangs_at_the_start_is_killed_at_its_deadline() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        never_initialize: true,
        ignore_sigterm: true,
        ignore_eof: true,
        start: Start {
            stderr: "still thinking\n".into(),
            ..Start::default()
        },
        ..Script::default()
    });
    let mut client = Client::of(&child);
    client.ping().await;
    let deadline = Duration::from_millis(300);
    let ready = client.request("initialize", json!({}));
    let error = child
        .ready_within("initialize", deadline, ready)
        .await
        .unwrap_err();
    let message = error.to_string();
    let Error::NotReady { why, exit, .. } = error else {
        panic!("{message}");
    };
    assert_eq!(why, Unready::Deadline(deadline));
    assert_eq!(exit.ended, Ended::Signal(9));
    assert!(
        message.contains("300 ms passed while waiting for initialize"),
        "{message}"
    );
    assert!(message.contains("still thinking"), "{message}");
    assert!(!child.root().is_running());
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_failed_handshake_kills_the_child_and_says_why() {
    let stage = Stage::open().await;
    let child = stage.start(Script::default());
    let mut client = Client::of(&child);
    client.ping().await;
    let refused = async { Err::<(), _>("unknown protocol version") };
    let error = child
        .ready_within("tools/list", PATIENCE, refused)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, Error::NotReady { why: Unready::Failed(reason), .. }
        if reason == "unknown protocol version")
    );
    assert!(error.is_retryable());
    assert!(!child.root().is_running());
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_child_that_gets_ready_in_time_is_left_running() {
    let stage = Stage::open().await;
    let child = stage.start(Script::default());
    let mut client = Client::of(&child);
    let ready = client.request("initialize", json!({"protocolVersion": "2025-11-25"}));
    let reply = child
        .ready_within("initialize", PATIENCE, ready)
        .await
        .unwrap();
    assert_eq!(reply["result"]["serverInfo"]["name"], "Playwright");
    assert!(child.root().is_running());
    drop((client, child));
    stage.strike().await;
}
