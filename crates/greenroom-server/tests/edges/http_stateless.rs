//! The new era over HTTP: each request stands alone.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::double::Event;
use crate::support::http::{Server, message, messages};
use crate::support::{call, modern, request, soon, text};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn discover_list_and_call_need_no_session_and_open_no_connection() {
    let mut server = Server::start().await;
    for asking in [
        request(1, "server/discover", json!({})),
        request(2, "tools/list", json!({})),
        call(3, "whoami", json!({})),
    ] {
        let response = soon(server.post_modern(&modern(asking.clone())).send())
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        assert!(!response.headers().contains_key("mcp-session-id"));
        let answer = message(response).await;
        assert_eq!(answer["id"], asking["id"]);
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        if asking["method"] == "tools/call" {
            assert!(text(&answer).contains(r#""connection":null"#), "{answer}");
        }
    }
    assert!(server.stage.is_quiet(), "no connection was opened");
}

#[tokio::test]
async fn a_session_id_means_nothing_in_the_new_era() {
    let server = Server::start().await;
    let legacy = server.open(None).await;
    for id in [legacy.id.as_str(), "made-up"] {
        let asking = modern(call(1, "whoami", json!({})));
        let response = soon(
            server
                .post_modern(&asking)
                .header("mcp-session-id", id)
                .send(),
        )
        .await;
        let answer = message(response.unwrap()).await;
        assert!(text(&answer).contains(r#""connection":null"#), "{answer}");
    }
}

#[tokio::test]
async fn closing_the_response_stream_cancels_the_call() {
    let mut server = Server::start().await;
    let hanging = tokio::spawn(
        server
            .post_modern(&modern(call(1, "hang", json!({}))))
            .send(),
    );
    server.stage.expect(&[Event::Started]).await;
    hanging.abort();
    server.stage.expect_at_once(&[Event::Dropped]).await;
}

#[tokio::test]
async fn closing_the_response_stream_after_progress_cancels_the_call_too() {
    let mut server = Server::start().await;
    let mut asking = call(1, "progress", json!({}));
    asking["params"]["_meta"] = json!({"progressToken": 1});
    let response = soon(server.post_modern(&modern(asking)).send())
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    server.stage.expect(&[Event::Started]).await;
    drop(response);
    server.stage.expect_at_once(&[Event::Dropped]).await;
}

#[tokio::test]
async fn progress_and_result_share_one_stream() {
    let mut server = Server::start().await;
    let mut asking = call(1, "progress", json!({}));
    asking["params"]["_meta"] = json!({"progressToken": 1});
    let sent = tokio::spawn(server.post_modern(&modern(asking)).send());
    server.stage.expect(&[Event::Started]).await;
    server.stage.double.gate.add_permits(1);
    let all = messages(soon(sent).await.unwrap().unwrap()).await;
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(text(&all[2]), "done");
}

#[tokio::test]
async fn headers_that_contradict_the_body_are_refused() {
    let server = Server::start().await;
    let asking = modern(call(1, "echo", json!({"text": "x"})));
    for (name, value) in [
        ("mcp-name", "whoami"),
        ("mcp-method", "tools/list"),
        ("mcp-protocol-version", "2025-11-25"),
    ] {
        let mut headers = reqwest::header::HeaderMap::new();
        for (key, good) in [
            ("mcp-name", "echo"),
            ("mcp-method", "tools/call"),
            ("mcp-protocol-version", crate::support::MODERN),
        ] {
            let sent = if key == name { value } else { good };
            headers.insert(key, sent.parse().unwrap());
        }
        let response = soon(server.post(&asking).headers(headers).send())
            .await
            .unwrap();
        assert_eq!(response.status(), 400, "{name}");
        let error: serde_json::Value = response.json().await.unwrap();
        assert_eq!(error["error"]["code"], -32020, "{name}: {error}");
    }
}

#[tokio::test]
async fn there_is_nothing_to_get_or_delete_without_sessions() {
    let server = Server::start().await;
    for method in [Method::GET, Method::DELETE] {
        let asking = server
            .request(method.clone(), "/mcp")
            .header("accept", "text/event-stream")
            .header("mcp-protocol-version", crate::support::MODERN);
        assert_eq!(soon(asking.send()).await.unwrap().status(), 405, "{method}");
    }
}

#[tokio::test]
async fn an_unknown_tool_and_an_undeclared_method_are_json_rpc_errors() {
    let server = Server::start().await;
    let unknown = modern(call(1, "nope", json!({})));
    let answer = message(soon(server.post_modern(&unknown).send()).await.unwrap()).await;
    assert_eq!(answer["error"]["code"], -32602);
    let undeclared = modern(request(2, "prompts/list", json!({})));
    let response = soon(server.post_modern(&undeclared).send()).await.unwrap();
    assert_eq!(response.status(), 404);
    assert_eq!(message(response).await["error"]["code"], -32601);
}
