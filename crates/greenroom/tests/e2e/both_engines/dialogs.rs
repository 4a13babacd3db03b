//! Dialogs of every kind, answered both ways, and calls that come in between.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let press = |name: &str| {
        step(
            "browser_click",
            json!({"target": format!("getByRole('button', {{ name: '{name}' }})")}),
        )
    };
    let answer = |accept: bool| step("browser_handle_dialog", json!({"accept": accept}));
    vec![
        scene.visit("/both/dialogs"),
        answer(true),
        press("Alert"),
        step("browser_snapshot", json!({})),
        answer(true),
        press("Confirm"),
        answer(true),
        press("Confirm"),
        answer(false),
        press("Prompt"),
        step(
            "browser_handle_dialog",
            json!({"accept": true, "promptText": "Ben"}),
        ),
        press("Prompt"),
        answer(false),
        press("Two"),
        answer(true),
        answer(true),
        step(
            "browser_evaluate",
            json!({"function": "() => { setTimeout(() => alert('later'), 0); }"}),
        ),
        answer(true),
        press("Arm"),
        scene.visit("/named?name=away"),
        answer(false),
        step(
            "browser_click",
            json!({"target": "getByRole('link', { name: 'Leave' })"}),
        ),
        answer(true).in_motion(),
        step("browser_snapshot", json!({})).until("Page Title: left"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_are_told_and_answered_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
