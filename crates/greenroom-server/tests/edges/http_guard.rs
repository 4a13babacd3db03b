//! What a request must bring, on every route alike.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::http::{Server, Setup};
use crate::support::{call, modern, soon};
use serde_json::json;

/// Every route, with a method that it answers, and one that does not exist.
const ROUTES: [(&str, &str); 18] = [
    ("GET", "/health"),
    ("GET", "/ready"),
    ("GET", "/pools"),
    ("GET", "/pools?pool_name=MAIN"),
    ("POST", "/sessions"),
    ("GET", "/sessions"),
    ("DELETE", "/sessions/s1"),
    ("POST", "/proxy"),
    ("GET", "/content/r1"),
    ("GET", "/console/r1"),
    ("POST", "/blobs"),
    ("GET", "/blobs"),
    ("GET", "/blobs/b1"),
    ("GET", "/openapi.json"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/no/such/route"),
];

fn request(method: &str, path: &str, headers: &[String]) -> String {
    let body = if method == "POST" { "{}" } else { "" };
    let mut all = vec![
        format!("{method} {path} HTTP/1.1"),
        "Connection: close".to_owned(),
        "Accept: application/json, text/event-stream".to_owned(),
        "Content-Type: application/json".to_owned(),
        format!("Content-Length: {}", body.len()),
    ];
    all.extend_from_slice(headers);
    format!("{}\r\n\r\n{body}", all.join("\r\n"))
}

#[tokio::test]
async fn only_hosts_and_origins_of_this_machine_get_past_the_guard_on_any_route() {
    let server = Server::start().await;
    let port = server.address.port();
    let hosts = [
        (format!("Host: localhost:{port}"), None),
        ("Host: LocalHost.".to_owned(), None),
        ("Host: 127.0.0.1".to_owned(), None),
        (format!("Host: [::1]:{port}"), None),
        ("X-No-Host: here".to_owned(), Some(400)),
        (
            "Host: evil.example\r\nHost: localhost".to_owned(),
            Some(400),
        ),
        (format!("Host: evil.example:{port}"), Some(403)),
        ("Host: localhost.evil.example".to_owned(), Some(403)),
        ("Host: null".to_owned(), Some(403)),
        ("Host: ".to_owned(), Some(403)),
    ];
    let origins = [
        ("X-No-Origin: here".to_owned(), None),
        (format!("Origin: http://localhost:{port}"), None),
        ("Origin: HTTPS://LOCALHOST.:1".to_owned(), None),
        ("Origin: http://[::1]".to_owned(), None),
        ("Origin: null".to_owned(), Some(403)),
        ("Origin: http://evil.example".to_owned(), Some(403)),
        (
            format!("Origin: http://localhost.evil.example:{port}"),
            Some(403),
        ),
        (
            "Origin: http://localhost\r\nOrigin: http://evil.example".to_owned(),
            Some(403),
        ),
        ("Origin: ".to_owned(), Some(403)),
    ];
    for (method, path) in ROUTES {
        for (host, host_refusal) in &hosts {
            for (origin, origin_refusal) in &origins {
                let raw = server
                    .raw(&request(method, path, &[host.clone(), origin.clone()]))
                    .await;
                let case = format!("{method} {path} {host} {origin}: {raw:?}");
                match host_refusal.or(*origin_refusal) {
                    Some(status) => {
                        assert_eq!(raw.status, status, "{case}");
                        assert!(raw.is_problem(), "{case}");
                    }
                    None => assert!(![0, 401, 403].contains(&raw.status), "{case}"),
                }
                assert!(!raw.head.contains("access-control"), "{case}");
                assert!(
                    raw.head.contains("x-content-type-options: nosniff"),
                    "{case}"
                );
                assert!(raw.head.contains("cache-control: no-store"), "{case}");
            }
        }
    }
}

#[tokio::test]
async fn an_absolute_target_cannot_smuggle_another_host_past_the_header() {
    let server = Server::start().await;
    let host = ["Host: localhost".to_owned()];
    let evil = server
        .raw(&request("GET", "http://evil.example/health", &host))
        .await;
    assert_eq!(evil.status, 403);
    let own = server
        .raw(&request("GET", "http://localhost/health", &host))
        .await;
    assert_eq!(own.status, 200);
}

#[tokio::test]
async fn configured_lists_replace_the_defaults() {
    let server = Server::with(Setup {
        hosts: Some(vec!["green.example".into()]),
        origins: Some(vec!["https://app.example".into()]),
        ..Setup::default()
    })
    .await;
    for (host, origin, status) in [
        ("green.example", "https://app.example", 200),
        ("green.example:1234", "https://app.example:443", 200),
        ("green.example", "http://localhost", 403),
        ("localhost", "https://app.example", 403),
    ] {
        let headers = [format!("Host: {host}"), format!("Origin: {origin}")];
        let raw = server.raw(&request("GET", "/health", &headers)).await;
        assert_eq!(raw.status, status, "{host} {origin}");
    }
}

#[tokio::test]
async fn a_preflight_gets_no_permission() {
    let server = Server::start().await;
    for (_, path) in ROUTES {
        let headers = [
            "Host: localhost".to_owned(),
            "Origin: http://localhost:3000".to_owned(),
            "Access-Control-Request-Method: POST".to_owned(),
        ];
        let raw = server.raw(&request("OPTIONS", path, &headers)).await;
        assert!([404, 405].contains(&raw.status), "{path}: {raw:?}");
        assert!(!raw.head.contains("access-control"), "{path}: {raw:?}");
    }
}

#[tokio::test]
async fn with_tokens_every_route_but_health_wants_one() {
    let server = Server::with(Setup::with_tokens()).await;
    for (method, path) in ROUTES {
        for authorization in [
            "X-None: here",
            "Authorization: Bearer wrong",
            "Authorization: Bearer alpha-toke",
            "Authorization: Basic alpha-token",
            "Authorization: Bearer alpha-token\r\nAuthorization: Bearer alpha-token",
        ] {
            let headers = ["Host: localhost".to_owned(), authorization.to_owned()];
            let raw = server.raw(&request(method, path, &headers)).await;
            let case = format!("{method} {path} {authorization}: {raw:?}");
            if path == "/health" {
                assert_eq!(raw.status, 200, "{case}");
                continue;
            }
            assert_eq!(raw.status, 401, "{case}");
            assert!(raw.is_problem(), "{case}");
            assert!(raw.head.contains("www-authenticate: bearer"), "{case}");
        }
    }
}

#[tokio::test]
async fn the_host_is_checked_before_the_token_and_for_health_too() {
    let server = Server::with(Setup::with_tokens()).await;
    for path in ["/health", "/pools"] {
        let headers = [
            "Host: evil.example".to_owned(),
            "Authorization: Bearer alpha-token".to_owned(),
        ];
        assert_eq!(
            server.raw(&request("GET", path, &headers)).await.status,
            403
        );
    }
}

#[tokio::test]
async fn the_token_says_who_calls() {
    let server = Server::with(Setup::with_tokens()).await;
    for (token, name) in [("alpha-token", "ci"), ("beta-token", "laptop")] {
        let pools = server
            .request(reqwest::Method::GET, "/pools")
            .bearer_auth(token);
        let body: serde_json::Value = soon(pools.send()).await.unwrap().json().await.unwrap();
        assert_eq!(body["asked_by"], name);
        let asking = modern(call(1, "whoami", json!({})));
        let response = soon(server.post_modern(&asking).bearer_auth(token).send())
            .await
            .unwrap();
        let answer = crate::support::http::message(response).await;
        assert!(
            crate::support::text(&answer).contains(&format!(r#""principal":"{name}""#)),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_post_that_is_not_json_is_refused_on_every_route_that_takes_json() {
    let server = Server::start().await;
    for (path, status) in [
        ("/mcp", 415),
        ("/mcp/", 415),
        ("/sessions", 415),
        ("/proxy", 415),
        ("/health", 405),
        ("/pools", 405),
        ("/no/such/route", 404),
    ] {
        for media_type in [
            "X-None: here",
            "Content-Type: text/plain",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: multipart/form-data; boundary=x",
            "Content-Type: application/jsonx",
            "Content-Type: text/plain; application/json",
            "Content-Type: application/json\r\nContent-Type: application/json",
        ] {
            let raw = server
                .raw(&format!(
                    "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{media_type}\r\nContent-Length: 2\r\n\r\n{{}}"
                ))
                .await;
            assert_eq!(raw.status, status, "{path} {media_type}: {raw:?}");
            assert!(raw.is_problem());
        }
    }
    let with_charset = server
        .request(reqwest::Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json; charset=utf-8");
    let body = crate::support::initialize("2025-11-25").to_string();
    let response = soon(with_charset.body(body).send()).await.unwrap();
    assert_eq!(response.status(), 200);
}
