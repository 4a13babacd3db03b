use std::time::Duration;

use crate::peer::{LONG, Peer, connected};
use greenroom_browser::call::{EngineError, Stage};
use greenroom_browser::playwright::{Era, shake_hands};
use serde_json::{Value, json};

const DEADLINE: Duration = Duration::from_secs(30);

fn welcome(revision: &str) -> Value {
    json!({"protocolVersion": revision, "capabilities": {"tools": {"listChanged": true}},
           "serverInfo": {"name": "Playwright", "version": "1.64"}})
}

fn discovered(revisions: &[&str]) -> Value {
    json!({"resultType": "complete", "supportedVersions": revisions, "capabilities": {"tools": {}},
           "ttlMs": 0, "cacheScope": "private",
           "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "Next", "version": "9"}}})
}

async fn list_one_tool(peer: &mut Peer) -> Value {
    let (id, params) = peer.asked("tools/list").await;
    peer.answer(
        id,
        json!({"tools": [{"name": "t", "unknown": {"kept": 1}}]}),
    )
    .await;
    params
}

#[tokio::test]
async fn a_session_is_opened_and_all_pages_of_tools_are_read() {
    let (client, mut peer) = connected();
    let script = async {
        let (id, params) = peer.asked("initialize").await;
        assert_eq!(params["protocolVersion"], "2025-11-25");
        assert_eq!(params["clientInfo"]["name"], "greenroom");
        peer.answer(id, welcome("2025-06-18")).await;
        assert_eq!(
            peer.heard().await,
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        );
        let (id, params) = peer.asked("tools/list").await;
        assert_eq!(params, json!({}));
        let tool = json!({"name": "a", "execution": {"taskSupport": "no"}, "inputSchema": {"z": 1, "a": 2}});
        peer.answer(id, json!({"tools": [tool], "nextCursor": "2"}))
            .await;
        let (id, params) = peer.asked("tools/list").await;
        assert_eq!(params, json!({"cursor": "2"}));
        peer.answer(id, json!({"tools": [{"name": "b"}]})).await;
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
    let shaken = shaken.unwrap();
    assert_eq!(shaken.era, Era::Session("2025-06-18".into()));
    assert_eq!(
        (shaken.server_name.as_str(), shaken.server_version.as_str()),
        ("Playwright", "1.64")
    );
    assert_eq!(
        shaken.tools[0].to_string(),
        r#"{"name":"a","execution":{"taskSupport":"no"},"inputSchema":{"z":1,"a":2}}"#
    );
    assert_eq!(shaken.tools[1]["name"], "b");
}

#[tokio::test]
async fn any_refusal_of_initialize_leads_to_discovery() {
    for code in [-32601, -32602, -32600, -32022, -32000, 7] {
        let (client, mut peer) = connected();
        let script = async {
            let (id, _) = peer.asked("initialize").await;
            peer.refuse(id, code).await;
            let (id, params) = peer.asked("server/discover").await;
            let revision = &params["_meta"]["io.modelcontextprotocol/protocolVersion"];
            assert_eq!(revision, "2026-07-28");
            peer.answer(id, discovered(&["2026-07-28", "2025-11-25"]))
                .await;
            let params = list_one_tool(&mut peer).await;
            assert!(params["_meta"]["io.modelcontextprotocol/clientInfo"].is_object());
        };
        let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
        let shaken = shaken.unwrap();
        assert_eq!(
            shaken.era,
            Era::Stateless("2026-07-28".into()),
            "code {code}"
        );
        assert_eq!(shaken.server_name, "Next");
        assert_eq!(shaken.tools[0]["unknown"]["kept"], 1);
    }
}

#[tokio::test(start_paused = true)]
async fn silence_leads_to_discovery_half_way_to_the_deadline() {
    let (client, mut peer) = connected();
    let started = tokio::time::Instant::now();
    let script = async {
        peer.asked("initialize").await;
        let (id, _) = peer.asked("server/discover").await;
        assert_eq!(started.elapsed(), DEADLINE / 2);
        peer.answer(id, discovered(&["2026-07-28"])).await;
        list_one_tool(&mut peer).await;
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
    assert_eq!(shaken.unwrap().era.revision(), "2026-07-28");
}

#[tokio::test(start_paused = true)]
async fn a_slow_peer_of_the_session_era_is_waited_for() {
    let (client, mut peer) = connected();
    let script = async {
        let (first, _) = peer.asked("initialize").await;
        let (second, _) = peer.asked("server/discover").await;
        peer.refuse(second, -32601).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        peer.answer(first, welcome("2025-11-25")).await;
        assert_eq!(peer.heard().await["method"], "notifications/initialized");
        list_one_tool(&mut peer).await;
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
    assert_eq!(shaken.unwrap().era, Era::Session("2025-11-25".into()));
}

#[tokio::test]
async fn a_peer_that_agrees_to_neither_is_refused_with_both_revisions_named() {
    let (client, mut peer) = connected();
    let script = async {
        let (id, _) = peer.asked("initialize").await;
        peer.answer(id, welcome("1999-01-01")).await;
        let (id, _) = peer.asked("server/discover").await;
        peer.answer(id, discovered(&["2031-01-01"])).await;
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
    let text = shaken.unwrap_err().to_string();
    for part in ["1999-01-01", "2025-11-25", "2031-01-01", "2026-07-28"] {
        assert!(text.contains(part), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_never_answers_is_a_failed_start() {
    let (client, _peer) = connected();
    let error = shake_hands(&client, DEADLINE).await.unwrap_err();
    assert!(
        matches!(
            error,
            EngineError::Timeout {
                stage: Stage::Starting,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.poisons_instance());
}

#[tokio::test]
async fn a_peer_that_ends_during_the_handshake_is_reported_dead() {
    let (client, mut peer) = connected();
    let script = async {
        peer.asked("initialize").await;
        peer.exit().await;
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, LONG), script);
    assert_eq!(shaken.unwrap_err().kind(), "died");
}

#[tokio::test]
async fn a_list_of_tools_that_never_ends_is_given_up() {
    let (client, mut peer) = connected();
    let script = async {
        let (id, _) = peer.asked("initialize").await;
        peer.answer(id, welcome("2025-11-25")).await;
        peer.heard().await;
        for page in 0..64 {
            let (id, _) = peer.asked("tools/list").await;
            peer.answer(id, json!({"tools": [], "nextCursor": page.to_string()}))
                .await;
        }
    };
    let (shaken, ()) = tokio::join!(shake_hands(&client, DEADLINE), script);
    assert!(shaken.unwrap_err().to_string().contains("did not end"));
}
