//! What does not work, and what is said about it.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let on = |tool: &'static str, target: &str| step(tool, json!({"target": target}));
    vec![
        scene.visit("/both/forms"),
        on("browser_click", "e999").in_own_words(),
        on("browser_click", "#missing"),
        on("browser_hover", "getByRole('button', { name: 'Nowhere' })"),
        on("browser_click", "input").in_own_words(),
        on("browser_click", "div[[[").in_own_words(),
        on("browser_snapshot", "#missing"),
        step("browser_type", json!({"target": "h1", "text": "no"})).in_own_words(),
        step(
            "browser_select_option",
            json!({"target": "#colour", "values": ["Mauve"]}),
        )
        .in_own_words(),
        step(
            "browser_select_option",
            json!({"target": "#name", "values": ["Red"]}),
        )
        .in_own_words(),
        step(
            "browser_evaluate",
            json!({"function": "() => nothing.here"}),
        ),
        step("browser_evaluate", json!({"function": "not a function ("})),
        step(
            "browser_evaluate",
            json!({"target": "#missing", "function": "(element) => 1"}),
        ),
        step("browser_tabs", json!({"action": "select", "index": 5})).in_own_words(),
        step("browser_find", json!({"regex": "("})).in_own_words(),
        step("browser_file_upload", json!({})),
        step("browser_handle_dialog", json!({"accept": true})),
        step("browser_take_screenshot", json!({"target": "#missing"})),
        step("browser_navigate", json!({"url": "http://127.0.0.1:1/"})),
        step(
            "browser_navigate",
            json!({"url": "http://no-such-host.invalid/"}),
        ),
        step("browser_navigate_back", json!({})),
        scene.visit("/named?name=reached"),
        step("browser_navigate_back", json!({})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_are_told_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
