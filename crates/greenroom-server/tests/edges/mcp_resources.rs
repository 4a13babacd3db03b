//! Stored binaries as MCP resources, in both eras.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::double::Stage;
use crate::support::http::{Server, Setup, message};
use crate::support::stream::StreamClient;
use crate::support::{modern, request, soon};
use serde_json::{Value, json};

/// Asks in the new era.
async fn ask_modern(server: &Server, token: Option<&str>, asking: Value) -> Value {
    let mut posting = server.post_modern(&modern(asking.clone()));
    if let Some(uri) = asking["params"]["uri"].as_str() {
        posting = posting.header("mcp-name", uri);
    }
    if let Some(token) = token {
        posting = posting.bearer_auth(token);
    }
    message(soon(posting.send()).await.unwrap()).await
}

fn reading(uri: &str) -> Value {
    request(1, "resources/read", json!({"uri": uri}))
}

#[tokio::test]
async fn both_eras_are_told_that_there_are_resources() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let opened = server
        .post(&crate::support::initialize("2025-11-25"))
        .send();
    let legacy = message(soon(opened).await.unwrap()).await;
    assert_eq!(legacy["result"]["capabilities"]["resources"], json!({}));
    let discover = request(1, "server/discover", json!({}));
    let discovered = ask_modern(&server, None, discover).await;
    assert_eq!(discovered["result"]["capabilities"]["resources"], json!({}));
}

#[tokio::test]
async fn the_newest_blobs_are_listed_in_both_eras() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for n in 0..120_u8 {
        canned.shelf.add("local", "image/png", &[n]);
    }
    let newest = canned.shelf.add("local", "text/csv", b"a,b");
    let asking = request(1, "resources/list", json!({}));
    let legacy = server.open(None).await.ask(&asking).await;
    let listed = &legacy["result"]["resources"];
    assert_eq!(listed.as_array().unwrap().len(), 100);
    assert_eq!(listed[0]["uri"], newest.uri());
    assert_eq!(listed[0]["name"], newest.id);
    assert_eq!(listed[0]["mimeType"], "text/csv");
    assert_eq!(listed[0]["size"], 3);
    assert_eq!(legacy["result"].get("ttlMs"), None);
    let in_new_era = ask_modern(&server, None, asking).await;
    assert_eq!(&in_new_era["result"]["resources"], listed);
    assert_eq!(in_new_era["result"]["cacheScope"], "private");
    assert!(in_new_era["result"]["ttlMs"].is_u64(), "{in_new_era}");
    let cursor = request(1, "resources/list", json!({"cursor": "x"}));
    assert_eq!(
        ask_modern(&server, None, cursor).await["error"]["code"],
        -32602
    );
}

#[tokio::test]
async fn a_blob_is_read_whole_or_in_ranges_as_text_or_as_base64() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let picture = canned.shelf.add("local", "image/png", b"0123456789");
    let table = canned.shelf.add("local", "text/csv", "ä,b".as_bytes());
    let session = server.open(None).await;
    for (uri, mime_type, field, value) in [
        (picture.uri(), "image/png", "blob", "MDEyMzQ1Njc4OQ=="),
        (
            format!("{}?offset=2&length=3", picture.uri()),
            "image/png",
            "blob",
            "MjM0",
        ),
        (
            format!("{}?offset=10", picture.uri()),
            "image/png",
            "blob",
            "",
        ),
        (table.uri(), "text/csv", "text", "ä,b"),
        (
            format!("{}?offset=2", table.uri()),
            "text/csv",
            "text",
            ",b",
        ),
        (
            format!("{}?length=1", table.uri()),
            "text/csv",
            "blob",
            "ww==",
        ),
    ] {
        let expected = json!([{"uri": uri, "mimeType": mime_type, field: value}]);
        let legacy = session.ask(&reading(&uri)).await;
        assert_eq!(legacy["result"]["contents"], expected);
        assert_eq!(legacy["result"].get("ttlMs"), None);
        let in_new_era = ask_modern(&server, None, reading(&uri)).await;
        assert_eq!(in_new_era["result"]["contents"], expected);
        assert_eq!(in_new_era["result"]["cacheScope"], "private");
    }
}

#[tokio::test]
async fn what_is_too_large_for_one_message_is_read_in_parts() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let large = canned.shelf.add("local", "image/png", &vec![7; 9_000_000]);
    let session = server.open(None).await;
    let refused = session.ask(&reading(&large.uri())).await;
    assert_eq!(refused["error"]["code"], -32602);
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("?offset=0&length=8388608"), "{message}");
    assert!(
        message.contains(&format!("GET /blobs/{}", large.id)),
        "{message}"
    );
    let part = session
        .ask(&reading(&format!("{}?offset=8388608", large.uri())))
        .await;
    let blob = part["result"]["contents"][0]["blob"].as_str().unwrap();
    assert_eq!(blob.len(), (9_000_000_usize - 8_388_608).div_ceil(3) * 4);
}

#[tokio::test]
async fn what_is_not_there_or_somebody_elses_is_not_found_in_the_codes_of_each_era() {
    let (server, canned) = Server::canned(Setup::with_tokens()).await;
    let foreign = canned.shelf.add("laptop", "image/png", b"secret");
    let session = server.open(Some("alpha-token")).await;
    for uri in [
        foreign.uri().as_str(),
        "blob://sha256-0",
        "blob://",
        "file:///etc/passwd",
    ] {
        let legacy = session.ask(&reading(uri)).await;
        assert_eq!(legacy["error"]["code"], -32002, "{uri}: {legacy}");
        assert_eq!(legacy["error"]["data"]["uri"], uri);
        let in_new_era = ask_modern(&server, Some("alpha-token"), reading(uri)).await;
        assert_eq!(in_new_era["error"]["code"], -32602, "{uri}: {in_new_era}");
    }
    let asking = request(1, "resources/list", json!({}));
    let listed = session.ask(&asking).await;
    assert_eq!(listed["result"]["resources"], json!([]));
}

#[tokio::test]
async fn the_templates_say_how_a_range_is_written() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let asking = request(1, "resources/templates/list", json!({}));
    let legacy = server.open(None).await.ask(&asking).await;
    let templates = &legacy["result"]["resourceTemplates"];
    assert_eq!(templates[0]["uriTemplate"], "blob://{id}");
    assert_eq!(templates[1]["uriTemplate"], "blob://{id}{?offset,length}");
    let in_new_era = ask_modern(&server, None, asking).await;
    assert_eq!(&in_new_era["result"]["resourceTemplates"], templates);
    assert_eq!(in_new_era["result"]["cacheScope"], "public");
}

#[tokio::test]
async fn a_byte_stream_has_resources_too() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    let listed = client.ask(&request(1, "resources/list", json!({}))).await;
    assert_eq!(listed["result"]["resources"], json!([]));
    let read = client.ask(&reading("blob://sha256-0")).await;
    assert_eq!(read["error"]["code"], -32002);
}
