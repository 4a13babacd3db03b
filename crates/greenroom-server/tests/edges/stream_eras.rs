//! Every revision of the protocol over one byte stream.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::double::Stage;
use crate::support::stream::StreamClient;
use crate::support::{LEGACY, MODERN, call, initialize, modern, request, text};
use serde_json::{Value, json};

#[tokio::test]
async fn every_legacy_revision_is_negotiated_as_asked() {
    for version in LEGACY {
        let stage = Stage::new();
        let mut client = StreamClient::silent(&stage);
        let answer = client.ask(&initialize(version)).await;
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "greenroom");
        assert_eq!(result["instructions"], "Browsers in named pools.");
        assert_eq!(
            result["capabilities"],
            json!({"tools": {}, "resources": {}})
        );
        let echoed = client.call(1, "echo", json!({"text": version})).await;
        assert_eq!(text(&echoed), version);
    }
}

#[tokio::test]
async fn a_revision_that_cannot_be_initialized_falls_back_to_the_newest_that_can() {
    for version in ["1999-01-01", MODERN, "2999-01-01"] {
        let stage = Stage::new();
        let mut client = StreamClient::silent(&stage);
        let answer = client.ask(&initialize(version)).await;
        assert_eq!(
            answer["result"]["protocolVersion"], "2025-11-25",
            "{version}"
        );
    }
}

#[tokio::test]
async fn the_new_era_discovers_and_calls_without_a_handshake() {
    let stage = Stage::new();
    let mut client = StreamClient::silent(&stage);
    let discovered = client
        .ask(&modern(request(1, "server/discover", json!({}))))
        .await;
    let result = &discovered["result"];
    let mut versions = LEGACY.to_vec();
    versions.push(MODERN);
    assert_eq!(result["supportedVersions"], json!(versions));
    assert_eq!(result["cacheScope"], "public");
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
    let echoed = client
        .ask(&modern(call(2, "echo", json!({"text": "hi"}))))
        .await;
    assert_eq!(text(&echoed), "hi");
    assert_eq!(echoed["result"]["resultType"], "complete");
}

#[tokio::test]
async fn a_client_that_probes_with_discover_may_still_initialize() {
    let stage = Stage::new();
    let mut client = StreamClient::silent(&stage);
    client
        .ask(&modern(request(1, "server/discover", json!({}))))
        .await;
    let answer = client.ask(&initialize("2025-06-18")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test]
async fn the_tool_list_is_the_same_for_everybody_and_cacheable_in_the_new_era() {
    let stage = Stage::new();
    let mut legacy = StreamClient::legacy(&stage).await;
    let mut new = StreamClient::silent(&stage);
    let old_list = legacy.ask(&request(1, "tools/list", json!({}))).await;
    let new_list = new.ask(&modern(request(1, "tools/list", json!({})))).await;
    let again = legacy.ask(&request(2, "tools/list", json!({}))).await;
    assert_eq!(old_list["result"]["tools"], new_list["result"]["tools"]);
    assert_eq!(old_list["result"], again["result"]);
    assert_eq!(old_list["result"]["ttlMs"], Value::Null);
    assert_eq!(new_list["result"]["cacheScope"], "public");
    assert!(new_list["result"]["ttlMs"].as_u64().unwrap() > 0);
    let first = &old_list["result"]["tools"][0];
    assert_eq!(first["name"], "echo");
    assert_eq!(
        first["annotations"],
        json!({"title": "echo", "readOnlyHint": true})
    );
}

#[tokio::test]
async fn a_cursor_that_nobody_gave_out_is_refused() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    let answer = client
        .ask(&request(1, "tools/list", json!({"cursor": "x"})))
        .await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_in_both_eras() {
    let stage = Stage::new();
    let mut legacy = StreamClient::legacy(&stage).await;
    let mut new = StreamClient::silent(&stage);
    for answer in [
        legacy.call(1, "ecko", json!({})).await,
        new.ask(&modern(call(1, "ecko", json!({})))).await,
    ] {
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("'ecko'") && message.contains("'echo'"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn what_was_not_declared_is_not_there() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    for (id, method) in (1..).zip([
        "prompts/list",
        "resources/subscribe",
        "logging/setLevel",
        "no/such",
    ]) {
        let answer = client
            .ask(&request(
                id,
                method,
                json!({"level": "info", "uri": "blob://x"}),
            ))
            .await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
}

#[tokio::test]
async fn one_stream_is_one_connection_in_either_era() {
    let stage = Stage::new();
    let mut legacy = StreamClient::legacy(&stage).await;
    let mut new = StreamClient::silent(&stage);
    let mut seen = Vec::new();
    for id in 1..3 {
        seen.push(text(&legacy.call(id, "whoami", json!({})).await).to_owned());
        let answer = new.ask(&modern(call(id, "whoami", json!({})))).await;
        seen.push(text(&answer).to_owned());
    }
    assert_eq!(seen[0], seen[2]);
    assert_eq!(seen[1], seen[3]);
    assert_ne!(seen[0], seen[1]);
    assert!(
        seen.iter()
            .all(|who| who.contains(r#""principal":"local""#))
    );
    assert!(seen.iter().all(|who| !who.contains("null")));
}
