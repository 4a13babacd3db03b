//! Uploads, drops and downloads.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let named = |name: &str| format!("{}/{name}", scene.blob);
    let choose = |name: &str| {
        step(
            "browser_click",
            json!({"target": format!("@button \"{name}\"")}),
        )
    };
    let upload = |paths: serde_json::Value| step("browser_file_upload", json!({"paths": paths}));
    vec![
        scene.visit("/both/files"),
        upload(json!([named("early.txt")])),
        choose("One"),
        step("browser_snapshot", json!({})),
        upload(json!([named("bird.txt")])),
        choose("Many"),
        upload(json!([named("one.txt"), named("two.csv")])),
        choose("One"),
        step("browser_file_upload", json!({})),
        choose("One"),
        upload(json!(["/etc/passwd"])).in_own_words(),
        step("browser_file_upload", json!({})),
        step(
            "browser_drop",
            json!({"target": "#zone", "paths": [named("bird.txt")]}),
        ),
        step(
            "browser_drop",
            json!({"element": "the zone", "target": "@region \"Drop here\"", "data": {"text/plain": "words"}}),
        ),
        step(
            "browser_drop",
            json!({"target": "#zone", "paths": ["/etc/passwd"]}),
        )
        .in_own_words(),
        step(
            "browser_click",
            json!({"target": "@link \"Take the report\""}),
        )
        .in_motion()
        .until("Downloaded file report.csv"),
        step("browser_snapshot", json!({})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn files_go_in_and_come_out_alike_in_both_engines() {
    Ground::prepare().await.play(script).await;
}
