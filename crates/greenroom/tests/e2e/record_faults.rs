//! A record that is locked, full, damaged, newer or shared: calls are answered all the same, nothing
//! is overwritten, and everybody is told.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{
    Legacy, Setup, Stdio, TestServer, all_calls, error_of, local, meta, ref_of, text_of,
};
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::upstream::Script;
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::time::Instant;

/// What one write may take, as the store promises, and some for a busy machine.
const ONE_WRITE: Duration = Duration::from_secs(5 + 2 + 3);

/// A pool `P` of so many fake browsers, whose callers keep theirs.
fn sticky(instances: usize) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", &instances.to_string())
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
        .upstream("_P", Script::default())
}

async fn visit(client: &Legacy, path: &str) -> Value {
    let url = format!("http://a.test/{path}");
    client.call("browser_navigate", json!({"url": url})).await
}

/// The answer is there, and says that it is nowhere else.
fn assert_not_persisted(result: &Value) {
    assert_eq!(meta(result, "outcome"), "success", "{result:#}");
    assert_eq!(meta(result, "persisted"), false, "{result:#}");
    let text = text_of(result);
    let closing = text.lines().last().unwrap_or_default();
    assert!(
        text.contains("http://a.test/") && closing.contains("persisted: false"),
        "{text}"
    );
    assert!(!text.contains("### Stored as"), "{text}");
}

/// The answer is there, and can be read again.
async fn assert_persisted(client: &Legacy, result: &Value) {
    assert_eq!(meta(result, "persisted"), Value::Null, "{result:#}");
    let ask = json!({"ref_id": ref_of(result).to_string(), "mode": "full"});
    let read = client.call("get_content", ask).await;
    assert_eq!(read["isError"], false, "{read:#}");
}

/// How many writes the server has given up.
async fn given_up(server: &TestServer) -> u64 {
    let ready = reqwest::get(server.route("/ready")).await.unwrap();
    let ready: Value = serde_json::from_str(&ready.text().await.unwrap()).unwrap();
    ready["store"]["not_persisted"].as_u64().unwrap()
}

async fn timed(call: impl Future<Output = Value>) -> (Value, Duration) {
    let begun = Instant::now();
    let result = call.await;
    (result, begun.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_record_costs_callers_a_bounded_wait_and_not_their_answer() {
    // Answers that can be read again are short here; one that cannot must say everything.
    let setup = sticky(2).set("RESPONSE_MODE", "ref");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let newcomer = Legacy::connect(&server.url).await;
    let reader = Legacy::connect(&server.url).await;
    let before = visit(&client, "before").await;
    assert_persisted(&reader, &before).await;
    assert_eq!(given_up(&server).await, 0);

    let lock = Connection::open(server.setup.database()).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let ten_seconds = tokio::time::sleep(Duration::from_secs(10));
    let part = json!({"ref_id": ref_of(&before).to_string(), "offset": 0, "limit": 9});
    let minted = json!({"session_id": format!("gr-{}", "a".repeat(26))});
    let ((during, waited), (opening, opened), (read, read_for), lookup, ()) = tokio::join!(
        timed(visit(&client, "during")),
        // Its session cannot be written down either.
        timed(visit(&newcomer, "opening")),
        timed(reader.call("get_content", part)),
        // It could be one of an earlier run: reading goes on, so that it is known not to be.
        newcomer.call("browser_snapshot", minted),
        ten_seconds,
    );
    assert_not_persisted(&during);
    assert_not_persisted(&opening);
    assert!(waited < ONE_WRITE, "{waited:?}");
    assert!(opened < ONE_WRITE, "{opened:?}");
    assert_eq!(read["isError"], false, "{read:#}");
    assert!(read_for < Duration::from_secs(2), "{read_for:?}");
    let text = error_of(&lookup);
    assert!(text.contains("unknown session_id"), "{text}");
    let lost = given_up(&server).await;
    assert!(lost >= 2, "{lost} of two answers are counted");
    server.logged("locked by another process").await;

    drop(lock);
    for client in [&client, &newcomer] {
        assert_persisted(client, &visit(client, "after").await).await;
    }
    assert_eq!(given_up(&server).await, lost);
    let gone = json!({"ref_id": ref_of(&during).to_string()});
    let text = error_of(&client.call("get_content", gone).await);
    assert!(text.contains("unknown ref_id"), "{text}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_costs_callers_their_record_and_not_their_answer_until_there_is_room() {
    let server = TestServer::start(sticky(1).record_on_small_disk("8m")).await;
    let client = Legacy::connect(&server.url).await;
    let before = visit(&client, "before").await;
    assert_persisted(&client, &before).await;

    let ballast = server.fill_small_disk();
    // What the log has room for already still fits.
    let mut refused = None;
    for _ in 0..50 {
        let (result, waited) = timed(visit(&client, &"x".repeat(4000))).await;
        assert!(waited < ONE_WRITE, "{waited:?}");
        if meta(&result, "persisted") == false {
            refused = Some(result);
            break;
        }
    }
    assert_not_persisted(&refused.expect("the disk takes everything"));
    assert!(given_up(&server).await >= 1);
    server.logged("the disk is full").await;
    assert_persisted(&client, &before).await;

    std::fs::remove_file(ballast).unwrap();
    assert_persisted(&client, &visit(&client, "after").await).await;
    let database = server.small_disk().join("greenroom.db");
    let verdict: String = Connection::open(database)
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
    server.stop().await;
}

/// A start that must fail: what it said. It leaves the file as it is, and nothing beside.
async fn refusal(setup: &Setup) -> String {
    let database = std::fs::read(setup.database()).unwrap();
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let (code, said) = setup.start(&["serve", "--port", "0"]).ended().await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains(setup.database().to_str().unwrap()),
        "which file? {said}"
    );
    assert!(std::fs::read(setup.database()).unwrap() == database);
    assert!(!setup.data_dir.join("greenroom.sock").exists());
    baseline.assert_clean().await;
    said
}

/// Everything in the file, with nothing left in its log.
fn folded(database: &Path) -> Vec<u8> {
    let connection = Connection::open(database).unwrap();
    let fold = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(fold, [], |_| Ok(())).unwrap();
    drop(connection);
    std::fs::read(database).unwrap()
}

/// What stands beside the database with its name and more, but for what it needs itself.
fn set_aside(database: &Path) -> Vec<PathBuf> {
    let name = format!("{}.corrupt-", database.display());
    let entries = std::fs::read_dir(database.parent().unwrap()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.to_str().unwrap().starts_with(&name))
        .filter(|path| path.is_file())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_record_is_refused_with_the_way_out_and_set_aside_when_asked() {
    const WAY_OUT: &str = "--quarantine-database";
    let server = TestServer::start(sticky(1)).await;
    let client = Legacy::connect(&server.url).await;
    let mut recorded = Value::Null;
    for _ in 0..20 {
        recorded = visit(&client, &"y".repeat(2000)).await;
    }
    // Only after a kill is the whole file read at the next start.
    let (setup, _) = server.kill().await;
    let database = setup.database();
    let sound = folded(&database);

    std::fs::write(&database, &sound[..sound.len() / 2]).unwrap();
    assert!(refusal(&setup).await.contains(WAY_OUT));
    let torn = [&[0xAA; 64][..], &sound[64..]].concat();
    std::fs::write(&database, torn).unwrap();
    assert!(refusal(&setup).await.contains(WAY_OUT));
    let mut flipped = sound.clone();
    let pages = flipped.len() / 4096;
    for page in pages / 2..pages {
        flipped[page * 4096..][..64].fill(0xA5);
    }
    std::fs::write(&database, &flipped).unwrap();
    assert!(refusal(&setup).await.contains(WAY_OUT));

    let server = TestServer::start_with(setup, &[WAY_OUT]).await;
    let aside = set_aside(&database);
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert!(std::fs::read(&aside[0]).unwrap() == flipped);
    assert!(server.log().contains(aside[0].to_str().unwrap()));
    let client = Legacy::connect(&server.url).await;
    let anew = visit(&client, "anew").await;
    assert_persisted(&client, &anew).await;
    let gone = json!({"ref_id": ref_of(&recorded).to_string()});
    error_of(&client.call("get_content", gone).await);

    // The flag may stay in a service file: a sound record stays where it is.
    let server = TestServer::start_with(server.stop_for_now().await, &[WAY_OUT]).await;
    assert_eq!(set_aside(&database), aside);
    let client = Legacy::connect(&server.url).await;
    assert_persisted(&client, &anew).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_newer_program_and_a_second_server_are_refused() {
    let server = TestServer::start(sticky(1)).await;
    let client = Legacy::connect(&server.url).await;
    let before = visit(&client, "before").await;
    let setup = &server.setup;
    let (code, said) = setup.start(&["serve", "--port", "0"]).ended().await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("already runs") && said.contains(&server.url),
        "{said}"
    );
    assert_persisted(&client, &before).await;

    let setup = server.stop_for_now().await;
    let version = |version: i64| {
        let connection = Connection::open(setup.database()).unwrap();
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
    };
    let own: i64 = Connection::open(setup.database())
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    version(own + 1);
    let said = refusal(&setup).await;
    assert!(said.contains("use the newer program"), "{said}");
    version(own);
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    assert_persisted(&client, &before).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_share_a_record_and_a_session_is_active_in_one_of_them() {
    let setup = sticky(3);
    let baseline = Baseline::take().data_dir(&setup.data_dir);
    let mut one = Stdio::start(&setup).await;
    let mut two = Stdio::start(&setup).await;
    let page = |session: &str| json!({"url": "http://a.test/", "session_id": session});
    for session in ["shared", "kept"] {
        let used = one.call("browser_navigate", page(session)).await;
        assert_eq!(meta(&used, "outcome"), "success", "{used:#}");
    }

    let text = error_of(&two.call("browser_navigate", page("shared")).await);
    let holder = format!(
        "active in another greenroom of this data directory (pid {})",
        one.id()
    );
    assert!(text.contains(&holder), "{text}");
    let close = json!({"session_id": "shared"});
    let text = error_of(&two.call("close_session", close.clone()).await);
    assert!(text.contains(&holder), "{text}");
    let own = two.call("browser_navigate", page("own")).await;
    assert_eq!(meta(&own, "outcome"), "success", "{own:#}");

    // Closed there it is free, and a new one here; left there by its process, it goes on here.
    one.call("close_session", close).await;
    let anew = two.call("browser_navigate", page("shared")).await;
    assert_eq!(meta(&anew, "outcome"), "success", "{anew:#}");
    assert_eq!(meta(&anew, "state_lost"), Value::Null);
    assert_eq!(one.close().await.code(), Some(0));
    let goes_on = two.call("browser_navigate", page("kept")).await;
    assert_eq!(meta(&goes_on, "state_lost"), true, "{goes_on:#}");
    assert_eq!(two.close().await.code(), Some(0));
    baseline.assert_clean().await;

    let store = setup.record().await;
    let calls = all_calls(&store, local(), "browser_navigate").await;
    assert_eq!(calls.len(), 6, "those of both: {calls:#?}");
    store.close().await;
}
