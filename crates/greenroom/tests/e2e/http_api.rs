//! The HTTP API as its own document describes it, tried by a program that others wrote.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Setup, TestServer};
use greenroom_testkit::upstream::Script;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::process::Command;

/// Longer than the checks take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(150);

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

/// schemathesis against the document of this server: every check, no colours, always the same.
fn schemathesis(server: &TestServer) -> Command {
    let mut command = server.setup.other_program(ours(".venv/bin/schemathesis"));
    command
        .arg("--config-file")
        .arg(ours("clients/schemathesis.toml"))
        .args(["run", &server.route("/openapi.json")])
        .args(["--seed", "1", "--no-color"]);
    command
}

async fn run(mut command: Command) -> (bool, String) {
    let output = tokio::time::timeout(PATIENCE, command.output()).await;
    let output = output.expect("it does not end").unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (output.status.success(), said)
}

async fn json(request: RequestBuilder, status: u16) -> Value {
    let response = request.send().await.unwrap();
    let answered = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    assert_eq!(answered, status, "{body:#}");
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_opens_a_session_calls_reads_stores_and_closes() {
    let setup = Setup::per_call(1).upstream("_P", Script::default());
    let server = TestServer::start(setup).await;
    let http = Client::new();
    let (get, post) = (
        |path: &str| http.get(server.route(path)),
        |path: &str| http.post(server.route(path)),
    );
    let opened = json(post("/sessions").json(&json!({"label": "walk"})), 201).await;
    let session = opened["session_id"].as_str().unwrap();
    let call = json!({"session_id": session, "tool": "browser_snapshot"});
    let called = json(post("/proxy").json(&call), 200).await;
    assert_eq!(called["status"], "success", "{called:#}");
    assert_eq!(called["session_id"], session);
    assert_eq!(called["persisted"], true);
    let ref_id = called["ref_id"].as_str().unwrap();

    // Numbers and truth values are text in a query.
    let content = format!("/content/{ref_id}?mode=full&reset_cursor=true");
    assert_eq!(json(get(&content), 200).await["ref_id"], ref_id);
    let page = json(get(&format!("/content/{ref_id}?offset=0&limit=1")), 200).await;
    assert_eq!(page["kind"], "page", "{page:#}");
    json(get(&format!("/content/{ref_id}?limit=x")), 400).await;
    let console = json(get(&format!("/console/{ref_id}?level=error")), 200).await;
    assert_eq!(console["messages"], json!([]));

    let storing = post("/blobs")
        .header("content-type", "text/csv")
        .body("a,b");
    let blob = json(storing, 201).await;
    let path = format!("/blobs/{}", blob["id"].as_str().unwrap());
    let read = get(&path).header("range", "bytes=2-").send().await.unwrap();
    assert_eq!(read.status(), 206);
    assert_eq!(read.headers()["content-type"], "text/csv");
    assert_eq!(read.text().await.unwrap(), "b");
    assert_eq!(json(get("/blobs"), 200).await["blobs"][0]["id"], blob["id"]);

    let closing = || http.delete(server.route(&format!("/sessions/{session}")));
    assert_eq!(json(closing(), 200).await["session_id"], session);
    json(closing(), 404).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_gets_a_server_error_or_an_answer_that_is_not_documented() {
    let setup = Setup::per_call(2).upstream("_P", Script::default());
    let server = TestServer::start(setup).await;
    let (passed, said) = run(schemathesis(&server)).await;
    assert!(passed, "{said}\n{}", server.log());
    // A run that tried nothing would pass too.
    let routes = reqwest::get(server.route("/openapi.json")).await.unwrap();
    let routes: Value = routes.json().await.unwrap();
    assert!(routes["paths"].as_object().unwrap().len() >= 11);
    assert!(said.contains("No issues found"), "{said}");
    server.stop().await;
}
