//! Pictures of a page and of a part of it, and a page as PDF.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let shoot = |more: serde_json::Value| step("browser_take_screenshot", more);
    vec![
        scene.visit("/both/media"),
        shoot(json!({})),
        shoot(json!({"type": "jpeg"})),
        shoot(json!({"fullPage": true})),
        shoot(json!({"fullPage": true, "type": "jpeg"})),
        shoot(json!({"element": "the tall one", "target": "#tall"})),
        shoot(json!({"target": "@Tall", "type": "jpeg"})),
        shoot(json!({"target": "#low"})),
        shoot(json!({"target": "#high"})),
        shoot(json!({"scale": "device"})),
        shoot(json!({"filename": "page.png"})),
        step("browser_pdf_save", json!({"filename": "page.pdf"})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_have_the_same_size_in_both_engines() {
    Ground::prepare().await.play(script).await;
}
