//! Connections: how many, how slow, and how they end.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::double::Event;
use crate::support::http::{Raw, Server, Setup, drain, message};
use crate::support::{call, modern, soon, text};
use greenroom_server::http::Limits;
use greenroom_server::identity::ConnectionId;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn limited(limits: Limits) -> Setup {
    Setup {
        limits,
        ..Setup::default()
    }
}

#[tokio::test]
async fn draining_closes_listening_streams_and_idle_connections_but_not_calls() {
    let mut server = Server::start().await;
    let id = server.open(None).await.id;
    let listening = server
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &id);
    let listening = soon(listening.send()).await.unwrap();
    assert_eq!(listening.status(), 200);
    let mut idle = server.connect().await;
    let calling = tokio::spawn(
        server
            .post(&call(1, "gate", json!({})))
            .header("mcp-session-id", &id)
            .send(),
    );
    server
        .stage
        .expect(&[Event::Opened(ConnectionId(1)), Event::Started])
        .await;

    server.shutdown.drain();
    drain(listening).await;
    assert_eq!(
        soon(idle.read(&mut [0; 1])).await.unwrap(),
        0,
        "an idle connection is closed"
    );
    assert!(!server.running.is_finished(), "a call is still running");
    let refused = tokio::net::TcpStream::connect(server.address).await;
    assert!(refused.is_err(), "nothing more is accepted");

    server.stage.double.gate.add_permits(1);
    let answer = message(soon(calling).await.unwrap().unwrap()).await;
    assert_eq!(text(&answer), "through");
    soon(server.running).await.unwrap();
}

#[tokio::test]
async fn cancelling_drops_calls_of_both_eras_and_closes_sessions() {
    let mut server = Server::start().await;
    let id = server.open(None).await.id;
    let first = ConnectionId(1);
    server.stage.expect(&[Event::Opened(first)]).await;
    let legacy = server
        .post(&call(1, "hang", json!({})))
        .header("mcp-session-id", &id);
    let stateless = server.post_modern(&modern(call(1, "hang", json!({}))));
    let pending = [tokio::spawn(legacy.send()), tokio::spawn(stateless.send())];
    server.stage.expect(&[Event::Started, Event::Started]).await;

    server.shutdown.cancel();
    soon(server.running).await.unwrap();
    let mut ends = vec![server.stage.event().await, server.stage.event().await];
    ends.push(server.stage.event().await);
    assert_eq!(
        ends.iter().filter(|&end| *end == Event::Dropped).count(),
        2,
        "{ends:?}"
    );
    assert!(ends.contains(&Event::Closed(first)), "{ends:?}");
    for one in pending {
        let _ = soon(one).await.unwrap();
    }
}

#[tokio::test]
async fn a_connection_that_does_not_finish_its_head_is_dropped() {
    let server = Server::with(limited(Limits {
        header_time: Duration::from_millis(50),
        ..Limits::default()
    }))
    .await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET /health HTTP/1.1\r\nHost: loc")
        .await
        .unwrap();
    let raw = Raw::read(&mut slow).await;
    assert!([0, 408].contains(&raw.status), "{raw:?}");
}

#[tokio::test]
async fn beyond_the_cap_a_connection_waits_for_another_to_end() {
    let server = Server::with(limited(Limits {
        connections: 1,
        ..Limits::default()
    }))
    .await;
    const ASK: &[u8] = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut first = server.connect().await;
    first.write_all(ASK).await.unwrap();
    let mut byte = [0; 1];
    soon(first.read_exact(&mut byte)).await.unwrap();

    let mut second = server.connect().await;
    second
        .write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    // The first is served again while the second still waits, so the second is not being served.
    first.write_all(ASK).await.unwrap();
    let mut answers = Vec::new();
    while answers
        .windows(8)
        .filter(|window| window == b"HTTP/1.1")
        .count()
        < 1
    {
        let mut buffer = [0; 1024];
        let read = soon(first.read(&mut buffer)).await.unwrap();
        answers.extend_from_slice(&buffer[..read]);
    }
    assert!(
        second.try_read(&mut byte).is_err(),
        "the second has no answer yet"
    );
    drop(first);
    assert_eq!(Raw::read(&mut second).await.status, 200);
}

#[tokio::test]
async fn a_client_that_reads_nothing_loses_its_connection_and_the_server_nothing() {
    let server = Server::with(limited(Limits {
        write_stall: Duration::from_millis(100),
        connections: 1,
        ..Limits::default()
    }))
    .await;
    let asking = modern(call(1, "big", json!({"bytes": 16 * 1024 * 1024})));
    let body = asking.to_string();
    let mut deaf = server.connect().await;
    deaf.write_all(
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: big\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .as_bytes(),
    )
    .await
    .unwrap();
    // There is room for one connection, so the next is served only once this one is gone.
    let next = soon(server.request(Method::GET, "/health").send())
        .await
        .unwrap();
    assert_eq!(next.status(), 200);
    drop(deaf);
}
