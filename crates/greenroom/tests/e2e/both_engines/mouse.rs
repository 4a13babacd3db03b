//! Clicks of every kind, hovering, dragging, dropping, and the mouse by coordinates.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let click = |more: serde_json::Value| {
        let mut arguments = json!({"element": "the button", "target": "@button \"Press\""});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        step("browser_click", arguments)
    };
    vec![
        scene.visit("/both/mouse"),
        click(json!({})),
        click(json!({"button": "right"})),
        click(json!({"button": "middle"})),
        click(json!({"doubleClick": true})),
        click(json!({"modifiers": ["Shift", "Alt"]})),
        click(json!({"modifiers": ["ControlOrMeta"]})),
        step("browser_hover", json!({"target": "@button \"Hover\""})),
        step(
            "browser_drag",
            json!({"startElement": "card", "startTarget": "#card", "endElement": "place", "endTarget": "@region \"Place\""}),
        ),
        step(
            "browser_drop",
            json!({"target": "@region \"Place\"", "data": {"text/plain": "words", "text/html": "<b>bold</b>"}}),
        ),
        step("browser_mouse_move_xy", json!({"x": 300, "y": 60})),
        step("browser_mouse_down", json!({})),
        step("browser_mouse_move_xy", json!({"x": 320, "y": 70})),
        step("browser_mouse_up", json!({})),
        step("browser_mouse_click_xy", json!({"x": 40, "y": 80})),
        step(
            "browser_mouse_click_xy",
            json!({"x": 40, "y": 80, "button": "right", "clickCount": 2}),
        ),
        step("browser_mouse_wheel", json!({"deltaX": 0, "deltaY": 150})),
        step("browser_mouse_wheel", json!({"deltaX": 0, "deltaY": -150})),
        step(
            "browser_mouse_drag_xy",
            json!({"startX": 40, "startY": 120, "endX": 130, "endY": 120}),
        ),
        step("browser_click", json!({"target": "text=Press"})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mouse_does_the_same_in_both_engines() {
    Ground::prepare().await.play(script).await;
}
