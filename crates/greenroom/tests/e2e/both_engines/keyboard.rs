//! Keys: plain, named, held together, and typed as text.
//!
//! A character that no key has, such as `ä`, is a key that is unknown to the upstream; the native
//! engine writes it, which is what whoever presses it wants.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let press = |key: &str| step("browser_press_key", json!({"key": key}));
    vec![
        scene.visit("/both/keyboard"),
        step("browser_click", json!({"target": "@textbox \"First\""})),
        press("a"),
        press("B"),
        press("Shift+C"),
        press("Shift+c"),
        press("Shift+KeyD"),
        press("Shift+Digit1"),
        press("ArrowLeft"),
        press("Backspace"),
        press("Control+a"),
        press("Delete"),
        step(
            "browser_type",
            json!({"target": "@textbox \"First\"", "text": "Zoë & 1", "slowly": true}),
        ),
        press("Tab"),
        press("Enter"),
        press("Shift+Tab"),
        step("browser_click", json!({"target": "#pick"})),
        press("ArrowDown"),
        press("Enter"),
        step(
            "browser_type",
            json!({"target": "#query", "text": "finch", "slowly": true, "submit": true}),
        ),
        press("Escape"),
        press("F2"),
        press("PageDown"),
        press("NoSuchKey"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_do_the_same_in_both_engines() {
    Ground::prepare().await.play(script).await;
}
