//! Elements inside frames of the same and of another origin, and inside shadow trees.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let into = |target: &str| step("browser_click", json!({"target": target}));
    vec![
        scene.visit("/both/frames"),
        step("browser_wait_for", json!({"time": 0.2})),
        step("browser_snapshot", json!({})).until("Inner far"),
        step(
            "browser_type",
            json!({"target": "@textbox \"Shade open\"", "text": "blue"}),
        ),
        step("browser_click", json!({"target": "@button \"Lamp open\""})),
        step("browser_click", json!({"target": "#lamp"})),
        step(
            "browser_evaluate",
            json!({"function": "() => document.querySelector('#near').contentDocument.querySelector('#word').value"}),
        ),
        step(
            "browser_type",
            json!({"target": "@textbox \"Word\"", "text": "near word"}),
        ),
        step("browser_click", json!({"target": "@button \"Press\""})),
        step(
            "browser_type",
            json!({"target": "@Inner far >> textbox", "text": "far word"}),
        ),
        step("browser_click", json!({"target": "@Inner far >> button"})),
        step("browser_find", json!({"text": "pressed with far word"})),
        step(
            "browser_evaluate",
            json!({"target": "@Inner near >> paragraph", "function": "(element) => element.textContent"}),
        ),
        step("browser_snapshot", json!({"target": "@iframe"})),
        into("#near >> internal:control=enter-frame >> #press"),
        into("frameLocator('#near').getByRole('button')"),
        into("locator('#far').contentFrame().getByRole('button', { name: 'Press' })"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_and_shadow_trees_are_reached_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
