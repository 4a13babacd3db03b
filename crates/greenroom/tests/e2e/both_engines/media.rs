//! The size of a page, and what it is told of its reader.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let emulate = |features: serde_json::Value| step("browser_emulate_media", features);
    vec![
        scene.visit("/both/media"),
        step("browser_resize", json!({"width": 640, "height": 480})),
        step("browser_snapshot", json!({})),
        step("browser_take_screenshot", json!({})),
        emulate(json!({"colorScheme": "dark"})),
        emulate(json!({"reducedMotion": "reduce", "contrast": "more"})),
        emulate(json!({"forcedColors": "active", "colorScheme": null})),
        emulate(json!({"media": "print"})),
        step("browser_snapshot", json!({})),
        emulate(
            json!({"media": null, "forcedColors": null, "contrast": null, "reducedMotion": null}),
        ),
        step("browser_resize", json!({"width": 1000, "height": 700})),
        scene.visit("/both/media"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_resized_and_its_media_are_set_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
