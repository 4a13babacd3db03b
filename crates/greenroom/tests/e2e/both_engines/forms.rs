//! Fields of every kind, filled, typed into, chosen from and sent.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let field = |target: &str, name: &str, kind: &str, value: &str| json!({"target": target, "name": name, "type": kind, "value": value});
    let type_into = |target: &str, text: &str| json!({"target": target, "text": text});
    vec![
        scene.visit("/both/forms"),
        step("browser_type", type_into("@textbox \"Name\"", "Ann")),
        step(
            "browser_type",
            json!({"element": "the note", "target": "#note", "text": "one\ntwo", "slowly": true}),
        ),
        step(
            "browser_type",
            type_into("getByLabel('Story')", "once upon a time"),
        ),
        step("browser_type", type_into("@textbox \"Note\"", "")),
        step(
            "browser_fill_form",
            json!({"fields": [
                field("@textbox \"Name\"", "Name", "textbox", "Ben"),
                field("#secret", "Secret", "textbox", "s3cret"),
                field("#count", "Count", "textbox", "12"),
                field("#day", "Day", "textbox", "2026-07-28"),
                field("@checkbox \"Agree\"", "Agree", "checkbox", "true"),
                field("#news", "News", "checkbox", "false"),
                field("@radio \"Large\"", "Large", "radio", "true"),
                field("@combobox \"Colour\"", "Colour", "combobox", "Blue"),
                field("@slider \"Volume\"", "Volume", "slider", "7"),
            ]}),
        ),
        step(
            "browser_select_option",
            json!({"target": "@combobox \"Colour\"", "values": ["g"]}),
        ),
        step(
            "browser_select_option",
            json!({"element": "birds", "target": "@listbox \"Birds\"", "values": ["finch", "wren"]}),
        ),
        step("browser_click", json!({"target": "@radio \"Small\""})),
        step("browser_snapshot", json!({})),
        step("browser_click", json!({"target": "@checkbox \"Agree\""})),
        step(
            "browser_click",
            json!({"element": "Send button", "target": "@button \"Send\""}),
        ),
        step(
            "browser_type",
            json!({"target": "#name", "text": "Cleo", "submit": true}),
        ),
        step("browser_wait_for", json!({"text": "sent name=Cleo"})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_are_filled_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
