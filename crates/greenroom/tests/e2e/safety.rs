//! What Greenroom refuses by default, and what it keeps to itself.
#![allow(clippy::unwrap_used, missing_docs)]

use std::os::unix::fs::PermissionsExt as _;

use crate::support::{
    Legacy, Setup, TestServer, bearer, error_of, heading_of, said_by, session_of,
};
use greenroom_testkit::site::Site;
use reqwest::{Client, StatusCode};
use serde_json::json;

const ANN: &str = "ann-has-a-long-token";
const BEN: &str = "ben-has-another-token";

fn guarded() -> Setup {
    Setup::per_call(1).set("AUTH_TOKENS", &format!("ann:{ANN},ben:{BEN}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_checks_host_and_origin_and_offers_no_cors() {
    let server = TestServer::start(Setup::per_call(1)).await;
    let http = Client::new();
    for path in ["/mcp", "/health", "/ready", "/pools", "/nothing-here"] {
        let url = server.route(path);
        let foreign_host = http
            .get(&url)
            .header("host", "evil.example")
            .send()
            .await
            .unwrap();
        assert_eq!(foreign_host.status(), StatusCode::FORBIDDEN, "{path}");
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost.evil.example",
        ] {
            let foreign = http
                .get(&url)
                .header("origin", origin)
                .send()
                .await
                .unwrap();
            assert_eq!(
                foreign.status(),
                StatusCode::FORBIDDEN,
                "{path} from {origin}"
            );
        }
        let local = http
            .get(&url)
            .header("origin", "http://localhost:3000")
            .send()
            .await
            .unwrap();
        assert_ne!(local.status(), StatusCode::FORBIDDEN, "{path}");
        let cors = local.headers().get("access-control-allow-origin");
        assert!(cors.is_none(), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_nothing_but_health_is_told() {
    let server = TestServer::start(guarded()).await;
    for client in [
        Client::new(),
        bearer("wrong"),
        bearer(&ANN[..ANN.len() - 1]),
    ] {
        for path in ["/mcp", "/ready", "/pools"] {
            let refused = client.get(server.route(path)).send().await.unwrap();
            assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{path}");
            assert!(
                refused.headers()["www-authenticate"]
                    .to_str()
                    .unwrap()
                    .starts_with("Bearer")
            );
        }
        let health = client.get(server.route("/health")).send().await.unwrap();
        assert_eq!(health.status(), StatusCode::OK);
    }
    let known = bearer(BEN)
        .get(server.route("/pools"))
        .send()
        .await
        .unwrap();
    assert_eq!(known.status(), StatusCode::OK);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_principals_session_is_as_unknown_as_one_that_never_was() {
    let site = Site::start().await;
    let setup = guarded()
        .set("_P_STICKY", "connection")
        .set("_P_INSTANCES", "2");
    let server = TestServer::start(setup).await;
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let ben = Legacy::connect_as(&server.url, BEN).await;
    let opened = ann
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=ann")}),
        )
        .await;
    let id = session_of(&opened);
    let foreign = error_of(
        &ben.call("browser_snapshot", json!({"session_id": id}))
            .await,
    );
    let never = error_of(
        &ben.call("browser_snapshot", json!({"session_id": "gr-never"}))
            .await,
    );
    assert_eq!(
        said_by(&foreign).replace(&id, "ID"),
        said_by(&never).replace("gr-never", "ID")
    );
    let closing = error_of(&ben.call("close_session", json!({"session_id": id})).await);
    assert!(closing.contains("unknown session_id"), "{closing}");
    let listed = ben.call("list_sessions", json!({})).await;
    assert_eq!(listed["structuredContent"]["sessions"], json!([]));
    // A name that both chose is two sessions.
    for (client, name) in [(&ann, "ann"), (&ben, "ben")] {
        let url = site.url(&format!("/named?name={name}"));
        client
            .call(
                "browser_navigate",
                json!({"url": url, "session_id": "shared-name"}),
            )
            .await;
    }
    let mine = ann
        .call("browser_snapshot", json!({"session_id": "shared-name"}))
        .await;
    assert_eq!(heading_of(&mine), "This is ann");
    let status = ben.call("browser_pool_status", json!({})).await["structuredContent"].to_string();
    assert!(!status.contains(&id), "{status}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn children_get_the_published_variables_only_and_the_data_directory_is_private() {
    let setup = guarded()
        .variable("AWS_SECRET_ACCESS_KEY", "do-not-leak")
        .variable("LC_ALL", "C.UTF-8");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect_as(&server.url, ANN).await;
    let status = client.call("browser_pool_status", json!({})).await;
    let pid = &status["structuredContent"]["pools"][0]["instances"][0]["process_id"];
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    assert!(environment.contains("LC_ALL=C.UTF-8"), "{environment}");
    for secret in ["do-not-leak", ANN, BEN, "PW_MCP_PROXY"] {
        assert!(!environment.contains(secret), "{secret} reached a child");
    }
    let mode = std::fs::metadata(&server.setup.data_dir)
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_not_of_the_web_are_refused_before_a_lease_is_taken() {
    let server = TestServer::start(Setup::per_call(1)).await;
    let client = Legacy::connect(&server.url).await;
    for url in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        " java\tscript:alert(1)",
        "chrome://version",
        "devtools://devtools",
        "view-source:http://localhost",
    ] {
        for (tool, arguments) in [
            ("browser_navigate", json!({"url": url})),
            ("browser_tabs", json!({"action": "new", "url": url})),
        ] {
            let text = error_of(&client.call(tool, arguments).await);
            assert!(text.contains("url"), "{url}: {text}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn another_address_than_loopback_needs_tokens() {
    let setup = Setup::new();
    let refused = setup
        .command(&["serve", "--host", "0.0.0.0", "--port", "0"])
        .output()
        .await
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(
        text.contains("AUTH_TOKENS") && text.contains("--host"),
        "{text}"
    );
}
