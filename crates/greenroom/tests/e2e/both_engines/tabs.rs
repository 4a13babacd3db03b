//! Addresses, history, tabs, windows that pages open, and waiting.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let tabs = |more: serde_json::Value| step("browser_tabs", more);
    vec![
        tabs(json!({"action": "list"})),
        scene.visit("/both/tabs"),
        step("browser_click", json!({"target": "@link \"Next\""})),
        step("browser_navigate_back", json!({})),
        step("browser_click", json!({"target": "@link \"Part\""})),
        step("browser_navigate_back", json!({})),
        tabs(json!({"action": "new", "url": scene.url("/named?name=second")})),
        tabs(json!({"action": "new"})),
        tabs(json!({"action": "list"})),
        tabs(json!({"action": "select", "index": 0})),
        step("browser_snapshot", json!({})),
        step("browser_click", json!({"target": "@link \"Other\""}))
            .in_motion()
            .until("name=other"),
        // The new page may get its title between two answers; then the upstream tells of it again.
        tabs(json!({"action": "list"})).in_motion(),
        tabs(json!({"action": "close", "index": 2})),
        tabs(json!({"action": "select", "index": 2})),
        tabs(json!({"action": "close"})),
        tabs(json!({"action": "select", "index": 0})),
        step("browser_click", json!({"target": "@button \"Window\""}))
            .in_motion()
            .until("name=window"),
        tabs(json!({"action": "list"})).in_motion(),
        tabs(json!({"action": "close", "index": 9})).in_own_words(),
        step("browser_click", json!({"target": "@button \"Later\""})).in_motion(),
        step("browser_wait_for", json!({"text": "arrived"})),
        step("browser_click", json!({"target": "@button \"Gone\""})).in_motion(),
        step("browser_wait_for", json!({"textGone": "arrived"})),
        step("browser_wait_for", json!({"time": 0.1})),
        step("browser_close", json!({})),
        scene.visit("/both/tabs"),
        tabs(json!({"action": "close", "index": 0})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_and_addresses_are_handled_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
