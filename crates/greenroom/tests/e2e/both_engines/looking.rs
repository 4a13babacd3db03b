//! Snapshots, searches, values, the console and the network.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let request = |index: u32, part: Option<&str>| {
        let mut arguments = json!({"index": index});
        if let Some(part) = part {
            arguments["part"] = part.into();
        }
        step("browser_network_request", arguments)
    };
    let run = |function: &str| step("browser_evaluate", json!({"function": function}));
    vec![
        scene.visit("/both/looking"),
        step("browser_snapshot", json!({})),
        step("browser_snapshot", json!({"depth": 2})),
        step("browser_snapshot", json!({"boxes": true})),
        step("browser_snapshot", json!({"target": "table"})),
        step("browser_find", json!({"text": "heron"})),
        step("browser_find", json!({"regex": "/ALPHA|beta/i"})),
        step("browser_find", json!({"text": "ostrich"})),
        run("() => document.title"),
        run("() => ({ list: [1, 'two', null, undefined], none: undefined })"),
        run("async () => { await null; return 3; }"),
        run("() => undefined"),
        run("() => { throw new TypeError('not so'); }"),
        run("document.title + '!'"),
        step(
            "browser_evaluate",
            json!({"element": "the table", "target": "table", "function": "(element) => element.rows.length"}),
        ),
        step("browser_console_messages", json!({})),
        step("browser_console_messages", json!({"level": "error"})),
        step(
            "browser_console_messages",
            json!({"level": "debug", "all": true}),
        ),
        step("browser_click", json!({"target": "#load"})).in_motion(),
        step("browser_wait_for", json!({"text": "finch, heron"})),
        step("browser_network_requests", json!({})),
        step("browser_network_requests", json!({"static": true})),
        step(
            "browser_network_requests",
            json!({"static": true, "filter": "note\\.js"}),
        ),
        request(3, None),
        request(3, Some("request-body")),
        request(3, Some("response-body")),
        request(3, Some("response-headers")),
        request(99, None),
        step("browser_click", json!({"target": "#shout"})).in_motion(),
        step("browser_console_messages", json!({"level": "error"})).until("thrown later"),
        scene.visit("/both/data.json"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_shows_the_same_in_both_engines() {
    Ground::prepare().await.play(script).await;
}
