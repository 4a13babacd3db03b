//! Our own routes, their errors, and the bounds of a request.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::support::http::{Raw, Server, Setup};
use crate::support::{call, soon};
use greenroom_server::http::Limits;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

async fn get(server: &Server, path: &str) -> (u16, Value) {
    let response = soon(server.request(Method::GET, path).send())
        .await
        .unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn health_says_ok_and_the_version() {
    let server = Server::start().await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        get(&server, "/health").await,
        (200, json!({"status": "ok", "version": version}))
    );
}

#[tokio::test]
async fn ready_follows_the_service_and_health_does_not() {
    let server = Server::start().await;
    assert_eq!(get(&server, "/ready").await, (200, json!({"ready": true})));
    server.stage.double.ready.store(false, Ordering::SeqCst);
    assert_eq!(get(&server, "/ready").await, (503, json!({"ready": false})));
    assert_eq!(get(&server, "/health").await.0, 200);
}

#[tokio::test]
async fn pools_answers_for_all_or_one_and_lists_what_exists_otherwise() {
    let server = Server::start().await;
    assert_eq!(get(&server, "/pools").await.1["asked_by"], "local");
    assert_eq!(get(&server, "/pools?pool_name=MAIN").await.0, 200);
    let (status, problem) = get(&server, "/pools?pool_name=NOPE").await;
    assert_eq!(
        (status, &problem["detail"]),
        (404, &json!("unknown pool 'NOPE': there is MAIN"))
    );
    let (status, problem) = get(&server, "/pools?pool=MAIN").await;
    assert_eq!(status, 400);
    assert!(
        problem["detail"].as_str().unwrap().contains("pool_name"),
        "{problem}"
    );
}

#[tokio::test]
async fn what_is_not_served_is_a_problem_with_the_right_status() {
    let server = Server::start().await;
    for (request, status) in [
        ("GET /nope", 404),
        ("GET /mcp/deeper", 404),
        ("DELETE /health", 405),
        ("PUT /pools", 405),
        ("PATCH /ready", 405),
    ] {
        let raw = server
            .raw(&format!(
                "{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            ))
            .await;
        assert_eq!(raw.status, status, "{request}");
        assert!(raw.is_problem(), "{request}: {raw:?}");
        assert_eq!(raw.has("allow"), status == 405, "{request}: {raw:?}");
    }
}

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
    Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

#[tokio::test]
async fn a_body_that_announces_too_much_is_refused_before_it_is_sent() {
    let server = Server::start().await;
    let raw = server
        .raw(&format!("{HEAD}Content-Length: 4194305\r\n\r\n"))
        .await;
    assert_eq!(raw.status, 413);
    assert!(raw.is_problem());
}

#[tokio::test]
async fn a_body_that_grows_too_large_is_refused_when_it_does() {
    let server = Server::start().await;
    let mut stream = server.connect().await;
    stream
        .write_all(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n400001\r\n").as_bytes())
        .await
        .unwrap();
    stream.write_all(&vec![b' '; 0x40_0001]).await.unwrap();
    assert_eq!(Raw::read(&mut stream).await.status, 413);
}

#[tokio::test]
async fn a_body_of_almost_the_limit_is_served() {
    let server = Server::start().await;
    let session = server.open(None).await;
    let long = "x".repeat(4 * 1024 * 1024 - 200);
    let answer = session.ask(&call(1, "echo", json!({"text": long}))).await;
    assert_eq!(crate::support::text(&answer).len(), long.len());
}

#[tokio::test]
async fn a_body_that_never_comes_times_out() {
    let server = Server::with(Setup {
        limits: Limits {
            body_time: Duration::from_millis(50),
            ..Limits::default()
        },
        ..Setup::default()
    })
    .await;
    let raw = server
        .raw(&format!("{HEAD}Content-Length: 10\r\n\r\n{{"))
        .await;
    assert_eq!(raw.status, 408);
    assert!(raw.is_problem());
}

#[tokio::test]
async fn broken_bodies_are_client_errors() {
    let server = Server::start().await;
    let deep = "[".repeat(100_000);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"jsonrpc\":\"2.0\"}",
        deep.as_str(),
        "\u{0}",
    ] {
        let raw = server
            .raw(&format!(
                "{HEAD}Content-Length: {}\r\n\r\n{body}",
                body.len()
            ))
            .await;
        assert!(
            (400..500).contains(&raw.status),
            "{}: {raw:?}",
            &body[..body.len().min(20)]
        );
    }
}

#[tokio::test]
async fn heads_are_bounded_in_size_and_number() {
    let server = Server::start().await;
    let long = format!("X-Long: {}\r\n", "x".repeat(40 * 1024));
    let many: String = (0..200).map(|n| format!("X-{n}: y\r\n")).collect();
    for extra in [long, many] {
        let raw = server
            .raw(&format!(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{extra}\r\n"
            ))
            .await;
        assert_eq!(raw.status, 431);
    }
}
