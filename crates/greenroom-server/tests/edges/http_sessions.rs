//! Legacy sessions over HTTP: whose they are, how many, and how they end.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::double::Event;
use crate::support::http::{Server, Setup, message, messages};
use crate::support::{LEGACY, call, initialize, modern, request, soon, text};
use greenroom_server::identity::ConnectionId;
use greenroom_server::mcp::EndpointOptions;
use reqwest::Method;
use serde_json::json;

fn with_endpoint(endpoint: EndpointOptions) -> Setup {
    Setup {
        endpoint,
        ..Setup::default()
    }
}

#[tokio::test]
async fn every_legacy_revision_is_negotiated_over_http() {
    let server = Server::start().await;
    for version in LEGACY {
        let response = soon(server.post(&initialize(version)).send())
            .await
            .unwrap();
        assert!(response.headers().contains_key("mcp-session-id"));
        let answer = message(response).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
    }
}

#[tokio::test]
async fn a_session_is_one_connection_until_it_is_deleted() {
    let mut server = Server::start().await;
    let seen = {
        let (one, two) = (server.open(None).await, server.open(None).await);
        let mut seen = Vec::new();
        for id in 1..3 {
            for session in [&one, &two] {
                let answer = session.ask(&call(id, "whoami", json!({}))).await;
                seen.push(text(&answer).to_owned());
            }
        }
        assert_eq!(one.delete().await, 204);
        assert_eq!(
            one.post(&request(9, "ping", json!({})))
                .send()
                .await
                .unwrap()
                .status(),
            404
        );
        assert_eq!(one.delete().await, 404, "a session is deleted once");
        seen
    };
    assert_eq!(seen[0], seen[2]);
    assert_eq!(seen[1], seen[3]);
    assert_ne!(seen[0], seen[1]);
    let (first, second) = (ConnectionId(1), ConnectionId(2));
    let expected = [
        Event::Opened(first),
        Event::Opened(second),
        Event::Closed(first),
    ];
    server.stage.expect(&expected).await;
    assert!(server.stage.is_quiet(), "the other session lives on");
}

#[tokio::test]
async fn deleting_a_session_drops_its_calls_at_once() {
    let mut server = Server::start().await;
    let hanging = {
        let session = server.open(None).await;
        let hanging = tokio::spawn(session.post(&call(1, "hang", json!({}))).send());
        let client = server.client.clone();
        let url = format!("http://{}/mcp", server.address);
        let id = session.id.clone();
        (hanging, client.delete(url).header("mcp-session-id", id))
    };
    let first = ConnectionId(1);
    server
        .stage
        .expect(&[Event::Opened(first), Event::Started])
        .await;
    let deleted = soon(hanging.1.send()).await.unwrap();
    assert_eq!(deleted.status(), 204);
    server
        .stage
        .expect_at_once(&[Event::Dropped, Event::Closed(first)])
        .await;
    let response = soon(hanging.0).await.unwrap().unwrap();
    assert_eq!(
        messages(response).await.len(),
        0,
        "a dropped call has no answer"
    );
}

#[tokio::test]
async fn a_session_that_is_not_used_expires() {
    let mut server = Server::with(with_endpoint(EndpointOptions {
        keep_alive: Duration::from_millis(50),
        ..EndpointOptions::default()
    }))
    .await;
    let id = server.open(None).await.id;
    let first = ConnectionId(1);
    server
        .stage
        .expect(&[Event::Opened(first), Event::Closed(first)])
        .await;
    let late = server
        .post(&request(1, "ping", json!({})))
        .header("mcp-session-id", id);
    assert_eq!(soon(late.send()).await.unwrap().status(), 404);
}

#[tokio::test]
async fn an_unknown_session_is_not_found_by_any_method() {
    let server = Server::start().await;
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let mut asking = server
            .request(method.clone(), "/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-session-id", "made-up");
        if method == Method::POST {
            asking = asking.json(&call(1, "echo", json!({})));
        }
        let response = soon(asking.send()).await.unwrap();
        assert_eq!(response.status(), 404, "{method}");
    }
}

#[tokio::test]
async fn a_session_of_another_principal_looks_like_an_unknown_one() {
    let tokens = [("ci", "alpha"), ("laptop", "beta")];
    let server = Server::with(Setup {
        tokens: tokens
            .map(|(name, token)| (name.to_owned(), token.to_owned()))
            .to_vec(),
        ..Setup::default()
    })
    .await;
    let session = server.open(Some("alpha")).await;
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let mut bodies = Vec::new();
        for id in [session.id.as_str(), "00000000-0000-4000-8000-000000000000"] {
            let mut asking = server
                .request(method.clone(), "/mcp")
                .bearer_auth("beta")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-session-id", id);
            if method == Method::POST {
                asking = asking.json(&call(1, "whoami", json!({})));
            }
            let response = soon(asking.send()).await.unwrap();
            assert_eq!(response.status(), 404, "{method}");
            bodies.push(response.text().await.unwrap());
        }
        assert_eq!(bodies[0], bodies[1], "{method}");
    }
    let answer = session.ask(&call(2, "whoami", json!({}))).await;
    assert!(
        text(&answer).contains(r#""principal":"ci""#),
        "the owner is not disturbed"
    );
}

#[tokio::test]
async fn beyond_the_cap_new_sessions_are_refused_and_old_ones_live() {
    let server = Server::with(with_endpoint(EndpointOptions {
        max_sessions: 2,
        ..EndpointOptions::default()
    }))
    .await;
    let (oldest, _second) = (server.open(None).await, server.open(None).await);
    let refused = soon(server.post(&initialize("2025-11-25")).send())
        .await
        .unwrap();
    assert_eq!(refused.status(), 503);
    assert!(
        refused.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 0
    );
    let error: serde_json::Value = refused.json().await.unwrap();
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("too many sessions")
    );

    assert_eq!(
        text(&oldest.ask(&call(1, "echo", json!({"text": "alive"}))).await),
        "alive"
    );
    let stateless = modern(call(1, "echo", json!({"text": "free"})));
    let unaffected = soon(server.post_modern(&stateless).send()).await.unwrap();
    assert_eq!(unaffected.status(), 200);

    oldest.delete().await;
    server.open(None).await;
}

#[tokio::test]
async fn many_clients_at_once_never_exceed_the_cap() {
    let server = Server::with(with_endpoint(EndpointOptions {
        max_sessions: 5,
        ..EndpointOptions::default()
    }))
    .await;
    let opening = (0..40).map(|_| server.post(&initialize("2025-11-25")).send());
    let statuses: Vec<u16> = soon(futures::future::join_all(opening))
        .await
        .into_iter()
        .map(|response| response.unwrap().status().as_u16())
        .collect();
    let opened = statuses.iter().filter(|&&status| status == 200).count();
    let refused = statuses.iter().filter(|&&status| status == 503).count();
    assert_eq!((opened, refused), (5, 35), "{statuses:?}");
}

#[tokio::test]
async fn a_legacy_call_is_cancelled_by_notification() {
    let mut server = Server::start().await;
    let id = server.open(None).await.id;
    let post = |message| server.post(&message).header("mcp-session-id", &id);
    let hanging = soon(post(call(1, "hang", json!({}))).send()).await.unwrap();
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let cancel = post(cancel);
    server
        .stage
        .expect(&[Event::Opened(ConnectionId(1)), Event::Started])
        .await;
    assert_eq!(soon(cancel.send()).await.unwrap().status(), 202);
    server.stage.expect(&[Event::Dropped]).await;
    drop(hanging);
}

#[tokio::test]
async fn a_legacy_call_survives_a_lost_connection_and_its_answer_can_be_fetched() {
    let mut server = Server::start().await;
    let id = server.open(None).await.id;
    let calling = server
        .post(&call(1, "gate", json!({})))
        .header("mcp-session-id", &id);
    let mut calling = soon(calling.send()).await.unwrap();
    server
        .stage
        .expect(&[Event::Opened(ConnectionId(1)), Event::Started])
        .await;
    let first = String::from_utf8(soon(calling.chunk()).await.unwrap().unwrap().to_vec()).unwrap();
    let event = first
        .lines()
        .find_map(|line| line.strip_prefix("id:"))
        .unwrap()
        .trim();
    drop(calling);

    let resuming = server
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &id)
        .header("last-event-id", event);
    let resumed = soon(resuming.send()).await.unwrap();
    server.stage.double.gate.add_permits(1);
    assert_eq!(text(&message(resumed).await), "through");
}

#[tokio::test]
async fn progress_comes_on_the_stream_of_its_call() {
    let mut server = Server::start().await;
    let id = server.open(None).await.id;
    let mut asking = call(1, "progress", json!({}));
    asking["params"]["_meta"] = json!({"progressToken": 5});
    let sent = tokio::spawn(server.post(&asking).header("mcp-session-id", &id).send());
    server
        .stage
        .expect(&[Event::Opened(ConnectionId(1)), Event::Started])
        .await;
    server.stage.double.gate.add_permits(1);
    let all = messages(soon(sent).await.unwrap().unwrap()).await;
    let progress: Vec<_> = all
        .iter()
        .filter_map(|one| one["params"]["progress"].as_f64())
        .collect();
    assert!(
        progress.is_sorted() && progress.last() == Some(&3.0),
        "{all:?}"
    );
    assert_eq!(text(all.last().unwrap()), "done");
}
