//! How much of an answer is given, and the facts that every answer carries.

use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::Script;
use serde_json::{Value, json};

use super::browsers;
use crate::support::{Legacy, TestServer, meta, session_of, text_of};

fn block<'a>(result: &'a Value, kind: &str) -> Option<&'a Value> {
    let blocks = result["content"].as_array().unwrap();
    blocks.iter().find(|block| block["type"] == kind)
}

#[tokio::test(flavor = "multi_thread")]
async fn auto_gives_what_is_short_and_an_outline_of_what_is_long() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1).set("INLINE_MAX", "2000")).await;
    let client = Legacy::connect(&server.url).await;
    let url = site.url("/list?count=100");
    let outlined = client.call("browser_navigate", json!({"url": url})).await;
    let text = text_of(&outlined);
    for wanted in [
        "### Stored as ",
        "### Outline",
        "Items",
        "100",
        "get_content",
    ] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert!(!text.contains("Item 50") && text.len() < 2000, "{text}");
    assert_eq!(meta(&outlined, "metadata")["url"], url);
    assert_eq!(meta(&outlined, "metadata")["has_snapshot"], true);

    let inline = json!({"response_mode": "inline"});
    let all = client.call("browser_snapshot", inline).await;
    assert!(text_of(&all).contains("Item 50"), "{all:#}");
    let facts = client
        .call("browser_snapshot", json!({"response_mode": "ref"}))
        .await;
    let text = text_of(&facts);
    assert!(
        text.contains("### Stored as ") && !text.contains("Outline"),
        "{text}"
    );
    let small = json!({"url": site.url("/named?name=small")});
    let small = client.call("browser_navigate", small).await;
    assert!(text_of(&small).contains("This is small"), "{small:#}");

    let long = json!({"function": "() => 'begin ' + 'x'.repeat(9000) + ' end'"});
    let head = text_of(&client.call("browser_evaluate", long).await);
    assert!(
        head.contains("### Begins with") && head.contains("begin"),
        "{head}"
    );
    assert!(!head.contains(" end") && head.len() < 2000, "{head}");

    let wrong = json!({"target": "e999", "response_mode": "ref"});
    let wrong = client.call("browser_click", wrong).await;
    assert_eq!(wrong["isError"], true);
    assert!(
        text_of(&wrong).contains("e999"),
        "an error is told: {wrong:#}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_given_up_to_a_mebibyte_and_linked_beyond() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let shoot = async |mode: &str| {
        let shot = json!({"response_mode": mode, "type": "png"});
        let shot = client.call("browser_take_screenshot", shot).await;
        assert_eq!(shot["isError"], false, "{}", text_of(&shot));
        (
            block(&shot, "image").is_some(),
            block(&shot, "resource_link").cloned(),
        )
    };
    let small = json!({"url": site.url("/named?name=small")});
    client.call("browser_navigate", small).await;
    assert_eq!(shoot("auto").await, (true, None));
    let (image, link) = shoot("ref").await;
    assert!(!image && link.is_some());

    client
        .call("browser_navigate", json!({"url": site.url("/noise")}))
        .await;
    let (image, link) = shoot("auto").await;
    let link = link.expect("a large picture is linked");
    assert!(!image && link["size"].as_u64() > Some(1 << 20), "{link:#}");
    assert_eq!(link["mimeType"], "image/png");
    assert!(
        link["uri"].as_str().unwrap().starts_with("blob://sha256-"),
        "{link:#}"
    );
    assert_eq!(shoot("inline").await, (true, None));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mode_of_the_server_holds_unless_a_call_says_otherwise() {
    let setup = browsers(1)
        .upstream("_P", Script::default())
        .set("RESPONSE_MODE", "ref");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let url = json!({"url": "http://a.test/"});
    let facts = text_of(&client.call("browser_navigate", url.clone()).await);
    assert!(
        facts.contains("- tool: browser_navigate") && !facts.contains("ref=e5"),
        "{facts}"
    );
    let inline = json!({"url": "http://a.test/", "response_mode": "inline"});
    let all = text_of(&client.call("browser_navigate", inline).await);
    assert!(
        all.contains("ref=e5") && !all.contains("### Stored as"),
        "{all}"
    );

    let commands = json!([{"tool": "browser_navigate", "args": url, "return_result": true}]);
    let bulk = client
        .call("browser_execute_bulk", json!({"commands": commands}))
        .await;
    let text = text_of(&bulk);
    assert!(text.contains("- tool: browser_execute_bulk"), "{text}");
    assert!(
        bulk.get("structuredContent").is_none(),
        "clients would drop the facts: {bulk:#}"
    );
    // What Greenroom says itself is short, and always said.
    let own = client.call("list_sessions", json!({})).await;
    assert_eq!(own["structuredContent"]["active_sessions"], 1, "{own:#}");
    server.stop().await;
}

/// What every recorded answer must carry, and how often its closing line stands there.
fn assert_signed(result: &Value, outcome: &str, lines: usize) {
    let ref_id = meta(result, "ref_id");
    assert!(ref_id.is_string(), "no ref_id in {result:#}");
    assert_eq!(meta(result, "outcome"), outcome, "{result:#}");
    let text = text_of(result);
    let closing: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("[greenroom] "))
        .collect();
    assert_eq!(closing.len(), lines, "{text}");
    for line in &closing {
        assert!(
            line.contains(&format!("ref_id: {}", ref_id.as_str().unwrap())),
            "{line}"
        );
        assert_eq!(text.lines().last(), Some(*line), "it comes last");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_says_its_name_its_outcome_and_its_session() {
    let setup = browsers(1).upstream("_P", Script::default());
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let navigate = json!({"url": "http://a.test/"});
    let opened = client.call("browser_navigate", navigate.clone()).await;
    assert_signed(&opened, "success", 1);
    let session = session_of(&opened);
    assert!(text_of(&opened).contains(&format!("session_id: {session}; outcome: success")));
    assert!(opened.get("structuredContent").is_none(), "{opened:#}");
    for mode in ["inline", "auto", "ref"] {
        let shown = client
            .call("browser_snapshot", json!({"response_mode": mode}))
            .await;
        assert_signed(&shown, "success", 1);
        assert_eq!(session_of(&shown), session);
    }
    let commands = json!([{"tool": "browser_navigate", "args": navigate}]);
    let bulk = client
        .call("browser_execute_bulk", json!({"commands": commands}))
        .await;
    assert_signed(&bulk, "success", 1);
    assert_eq!(bulk["structuredContent"]["session_id"], session, "{bulk:#}");

    // Data is the whole answer: a line beside it would make it two.
    for tool in ["list_sessions", "browser_pool_status", "create_new_session"] {
        let own = client.call(tool, json!({})).await;
        assert_signed(&own, "success", 0);
        let said: Value = serde_json::from_str(&text_of(&own)).unwrap();
        assert_eq!(said, own["structuredContent"], "{tool}");
    }
    let refused = client.call("browser_navigate", json!({})).await;
    assert_signed(&refused, "error", 1);
    let refused = json!({"url": "http://a.test/", "browser_pool": "NOWHERE"});
    assert_signed(&client.call("browser_navigate", refused).await, "error", 1);

    // Reading is not recorded: what it names is what was read.
    let ref_id = meta(&opened, "ref_id");
    let ask = json!({"ref_id": ref_id});
    for tool in ["get_content", "get_console_content"] {
        let read = client.call(tool, ask.clone()).await;
        assert_signed(&read, "success", 1);
        assert_eq!(meta(&read, "ref_id"), ref_id);
        assert!(read.get("structuredContent").is_none(), "{read:#}");
    }
    server.stop().await;
}
