//! Sessions, calls and content over plain HTTP: what reaches the tools, and what comes back.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::canned::{Asked, REF_ID};
use crate::support::double::Event;
use crate::support::http::{Server, Setup};
use crate::support::soon;
use reqwest::{Method, Response};
use serde_json::{Value, json};

async fn send(server: &Server, method: Method, path: &str, body: Option<Value>) -> Response {
    let mut request = server.request(method, path);
    if let Some(body) = body {
        request = request.json(&body);
    }
    soon(request.send()).await.unwrap()
}

async fn get(server: &Server, path: &str) -> (u16, Value) {
    json_of(send(server, Method::GET, path, None).await).await
}

async fn post(server: &Server, path: &str, body: Value) -> (u16, Value) {
    json_of(send(server, Method::POST, path, Some(body)).await).await
}

/// The status and the body, which is a problem of this status if it is one at all.
async fn json_of(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let media_type = response.headers()["content-type"].to_str().unwrap();
    assert_eq!(media_type == "application/problem+json", status >= 400);
    let body: Value = response.json().await.unwrap();
    if status >= 400 {
        assert_eq!(body["status"], status, "{body}");
        assert!(!body["detail"].as_str().unwrap().is_empty(), "{body}");
    }
    (status, body)
}

fn asked(tool: &str, arguments: Value) -> Vec<Asked> {
    vec![Asked {
        principal: "local".to_owned(),
        tool: tool.to_owned(),
        arguments,
    }]
}

#[tokio::test]
async fn a_session_is_opened_listed_and_closed_by_its_tools() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let (status, opened) = post(&server, "/sessions", json!({"label": "a", "x": 1})).await;
    assert_eq!((status, &opened["label"]), (201, &json!("a")));
    // Whatever it is given, the tool decides: its validation is the only one.
    let arguments = json!({"label": "a", "x": 1});
    assert_eq!(canned.asked(), asked("create_new_session", arguments));
    assert_eq!(get(&server, "/sessions").await.1["active_sessions"], 0);
    assert_eq!(canned.asked(), asked("list_sessions", json!({})));
    let closed = send(&server, Method::DELETE, "/sessions/a%2Fb%20c", None).await;
    assert_eq!(json_of(closed).await, (200, json!({"session_id": "a/b c"})));
    assert_eq!(
        canned.asked(),
        asked("close_session", json!({"session_id": "a/b c"}))
    );
}

#[tokio::test]
async fn a_session_needs_no_wishes() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let request = server
        .request(Method::POST, "/sessions")
        .header("content-type", "application/json");
    assert_eq!(soon(request.send()).await.unwrap().status(), 201);
    assert_eq!(canned.asked(), asked("create_new_session", json!({})));
}

#[tokio::test]
async fn a_session_that_is_not_there_is_a_problem() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let closed = send(&server, Method::DELETE, "/sessions/gone", None).await;
    let (status, problem) = json_of(closed).await;
    assert_eq!(status, 404);
    assert_eq!(problem["detail"], "no: do something else");
}

#[tokio::test]
async fn a_call_answers_what_is_known_about_its_response() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let call = json!({"tool": "browser_navigate", "session_id": "s1", "params": {"url": "x"}});
    assert_eq!(
        post(&server, "/proxy", call).await,
        (
            200,
            json!({
                "ref_id": REF_ID,
                "status": "success",
                "metadata": {
                    "tool": "browser_navigate",
                    "status": "success",
                    "has_snapshot": true,
                    "has_console_logs": false,
                    "console_error_count": 0,
                    "bytes": 9,
                    "url": "http://site.example/",
                    "title": null,
                },
                "session_id": "s1",
                "outcome": "success",
                "persisted": true,
                "state_lost": false,
            })
        )
    );
}

#[tokio::test]
async fn a_tool_that_answers_data_gives_it() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let (status, answer) = post(&server, "/proxy", json!({"tool": "list_sessions"})).await;
    assert_eq!(status, 200);
    assert_eq!(answer["data"]["active_sessions"], 0);
}

#[tokio::test]
async fn browser_tools_run_in_the_default_session_unless_told_where() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for (call, arguments) in [
        (json!({}), json!({"session_id": "default"})),
        (
            json!({"session_id": null, "params": null}),
            json!({"session_id": "default"}),
        ),
        (json!({"session_id": "a"}), json!({"session_id": "a"})),
        (
            json!({"params": {"session_id": "b"}}),
            json!({"session_id": "b"}),
        ),
        (
            json!({"session_id": "b", "params": {"session_id": "b"}}),
            json!({"session_id": "b"}),
        ),
        (
            json!({"params": {"browser_instance": "0"}}),
            json!({"browser_instance": "0"}),
        ),
        (
            json!({"params": {"session_id": null, "browser_instance": null}}),
            json!({"session_id": "default", "browser_instance": null}),
        ),
    ] {
        let mut call = call;
        call["tool"] = json!("browser_navigate");
        assert_eq!(post(&server, "/proxy", call.clone()).await.0, 200, "{call}");
        assert_eq!(canned.asked(), asked("browser_navigate", arguments));
    }
    post(&server, "/proxy", json!({"tool": "list_sessions"})).await;
    assert_eq!(canned.asked(), asked("list_sessions", json!({})));
}

#[tokio::test]
async fn two_sessions_in_one_call_are_refused_before_anything_runs() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let call =
        json!({"tool": "browser_navigate", "session_id": "a", "params": {"session_id": "b"}});
    let (status, problem) = post(&server, "/proxy", call).await;
    assert_eq!(status, 400);
    assert!(problem["detail"].as_str().unwrap().contains("differ"));
    assert_eq!(canned.asked(), []);
}

#[tokio::test]
async fn every_kind_of_no_has_its_status_and_the_name_of_its_response() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    for (kind, status, retry_after) in [
        ("invalid", 400, None),
        ("not_found", 404, None),
        ("conflict", 409, None),
        ("forbidden", 403, None),
        ("too_large", 413, None),
        ("busy", 429, Some("1")),
        ("unavailable", 503, Some("5")),
    ] {
        let call = json!({"tool": "refuse", "params": {"kind": kind}});
        let response = send(&server, Method::POST, "/proxy", Some(call)).await;
        let wait = response.headers().get("retry-after").cloned();
        let wait = wait.map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(wait.as_deref(), retry_after, "{kind}");
        let (answered, problem) = json_of(response).await;
        assert_eq!(answered, status, "{kind}");
        assert_eq!(problem["detail"], "no: do something else");
        assert_eq!(problem["ref_id"], REF_ID);
    }
}

#[tokio::test]
async fn a_call_that_ran_and_failed_is_an_answer() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    for kind in ["timed_out", "failed"] {
        let call = json!({"tool": "refuse", "params": {"kind": kind}});
        let (status, answer) = post(&server, "/proxy", call).await;
        assert_eq!(status, 200, "{kind}");
        assert_eq!(answer["status"], "error");
        assert_eq!(answer["outcome"], "unknown");
        assert_eq!(answer["error"], "no: do something else");
        assert_eq!(answer["ref_id"], REF_ID);
    }
}

#[tokio::test]
async fn an_unknown_tool_is_told_the_nearest() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    for (tool, hint) in [
        ("browser_navigat", "did you mean 'browser_navigate'?"),
        ("zzz", "GET /openapi.json names those that exist"),
    ] {
        let (status, problem) = post(&server, "/proxy", json!({"tool": tool})).await;
        assert_eq!(status, 400);
        assert_eq!(problem["detail"], format!("unknown tool '{tool}': {hint}"));
    }
}

#[tokio::test]
async fn a_call_that_breaks_inside_is_a_problem_and_not_silence() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let (status, problem) = post(&server, "/proxy", json!({"tool": "boom"})).await;
    assert_eq!(status, 500);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("outcome is unknown"), "{detail}");
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_its_call() {
    let mut server = Server::start().await;
    let request = server.request(Method::POST, "/proxy");
    let hanging = tokio::spawn(request.json(&json!({"tool": "hang"})).send());
    server.stage.expect(&[Event::Started]).await;
    hanging.abort();
    server.stage.expect_at_once(&[Event::Dropped]).await;
}

#[tokio::test]
async fn bodies_that_are_not_what_the_route_takes_are_refused_with_the_reason() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for (path, body, reason) in [
        ("/proxy", "", "missing field `tool`"),
        ("/proxy", "{", "EOF"),
        ("/proxy", "[]", "ProxyCall"),
        ("/proxy", "null", "ProxyCall"),
        ("/proxy", r#"{"tool": 1}"#, "expected a string"),
        (
            "/proxy",
            r#"{"tool": "x", "arguments": {}}"#,
            "expected one of `session_id`, `tool`, `params`",
        ),
        ("/proxy", r#"{"tool": "x", "params": []}"#, "expected a map"),
        ("/sessions", "[]", "expected a map"),
        ("/sessions", "{} {}", "trailing characters"),
    ] {
        let request = server
            .request(Method::POST, path)
            .header("content-type", "application/json")
            .body(body);
        let (status, problem) = json_of(soon(request.send()).await.unwrap()).await;
        assert_eq!(status, 400, "{body}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{body}: {detail}");
    }
    assert_eq!(canned.asked(), []);
}

#[tokio::test]
async fn large_bodies_are_refused_on_routes_that_take_json() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for path in ["/proxy", "/sessions"] {
        let raw = server
            .raw(&format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                 Content-Type: application/json\r\nContent-Length: 4194305\r\n\r\n"
            ))
            .await;
        assert_eq!(raw.status, 413, "{path}");
        assert!(raw.is_problem(), "{path}");
    }
    assert_eq!(canned.asked(), []);
}

#[tokio::test]
async fn content_and_console_take_the_arguments_of_their_tools_from_the_query() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let path = format!("/content/{REF_ID}?mode=diff&limit=5&reset_cursor=true&search_for=a%26b");
    let (status, content) = get(&server, &path).await;
    assert_eq!((status, &content["kind"]), (200, &json!("full")));
    let arguments = json!({
        "ref_id": REF_ID, "mode": "diff", "limit": "5", "reset_cursor": "true",
        "search_for": "a&b",
    });
    assert_eq!(canned.asked(), asked("get_content", arguments));
    let (status, console) = get(&server, &format!("/console/{REF_ID}?level=error")).await;
    assert_eq!((status, &console["level"]), (200, &json!("error")));
    let arguments = json!({"ref_id": REF_ID, "level": "error"});
    assert_eq!(canned.asked(), asked("get_console_content", arguments));
}

#[tokio::test]
async fn parameters_that_are_unknown_or_come_twice_are_refused() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for (path, reason) in [
        ("/console/x?levle=error", "the parameters are level"),
        ("/content/x?ref_id=y", "unknown parameter 'ref_id'"),
        ("/content/x?mode=diff&mode=full", "'mode' comes twice"),
        ("/content/x?limt=1", "search_for, before_lines, after_lines"),
    ] {
        let (status, problem) = get(&server, path).await;
        assert_eq!(status, 400, "{path}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{path}: {detail}");
    }
    assert_eq!(canned.asked(), []);
}

#[tokio::test]
async fn a_name_that_names_nothing_is_not_found_and_one_that_is_no_text_is_invalid() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    for path in ["/content/nope", "/console/nope"] {
        assert_eq!(get(&server, path).await.0, 404, "{path}");
    }
    for path in ["/content/%ff", "/console/%ff", "/blobs/%ff"] {
        assert_eq!(get(&server, path).await.0, 400, "{path}");
    }
    let closed = send(&server, Method::DELETE, "/sessions/%ff", None).await;
    assert_eq!(json_of(closed).await.0, 400);
}

#[tokio::test]
async fn calls_are_made_as_whose_token_it_is() {
    let (server, canned) = Server::canned(Setup::with_tokens()).await;
    for (token, name) in [("alpha-token", "ci"), ("beta-token", "laptop")] {
        for (method, path) in [
            (Method::POST, "/sessions"),
            (Method::GET, "/sessions"),
            (Method::DELETE, "/sessions/s1"),
            (Method::POST, "/proxy"),
            (Method::GET, "/content/r1"),
            (Method::GET, "/console/r1"),
        ] {
            let request = server
                .request(method.clone(), path)
                .bearer_auth(token)
                .json(&json!({"tool": "list_sessions"}));
            soon(request.send()).await.unwrap();
            let asked = canned.asked();
            assert_eq!(asked.len(), 1, "{method} {path}");
            assert_eq!(asked[0].principal, name, "{method} {path}");
        }
    }
}
