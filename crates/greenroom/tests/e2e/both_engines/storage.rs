//! Cookies, what pages store, and all of it as one state.

use serde_json::json;

use super::{Ground, Scene, Step, step};

pub(super) fn script(scene: &Scene) -> Vec<Step> {
    let mut steps = vec![scene.visit("/both/storage")];
    steps.extend(cookies());
    for [list, get, set, delete, clear] in [
        [
            "browser_localstorage_list",
            "browser_localstorage_get",
            "browser_localstorage_set",
            "browser_localstorage_delete",
            "browser_localstorage_clear",
        ],
        [
            "browser_sessionstorage_list",
            "browser_sessionstorage_get",
            "browser_sessionstorage_set",
            "browser_sessionstorage_delete",
            "browser_sessionstorage_clear",
        ],
    ] {
        steps.extend([
            step(list, json!({})),
            step(set, json!({"key": "bird", "value": "finch"})),
            step(get, json!({"key": "bird"})),
            step(get, json!({"key": "fish"})),
            step(list, json!({})),
            step(delete, json!({"key": "mark"})),
            step(clear, json!({})),
            step(list, json!({})),
        ]);
    }
    steps.extend([
        step(
            "browser_cookie_set",
            json!({"name": "kept", "value": "yes"}),
        ),
        step(
            "browser_localstorage_set",
            json!({"key": "kept", "value": "too"}),
        ),
        step("browser_storage_state", json!({"filename": "state.json"})),
        step("browser_cookie_clear", json!({})),
        step("browser_localstorage_clear", json!({})),
        step(
            "browser_set_storage_state",
            json!({"filename": format!("{}/state.json", scene.state)}),
        ),
        step("browser_click", json!({"target": "@button \"Tell\""})),
    ]);
    steps
}

fn cookies() -> Vec<Step> {
    vec![
        step("browser_cookie_list", json!({})),
        step(
            "browser_cookie_set",
            json!({"name": "bird", "value": "finch"}),
        ),
        step(
            "browser_cookie_set",
            json!({"name": "shy", "value": "wren", "httpOnly": true, "sameSite": "Lax", "path": "/both"}),
        ),
        step("browser_cookie_list", json!({"path": "/both"})),
        step("browser_cookie_list", json!({"domain": "elsewhere.test"})),
        step("browser_cookie_get", json!({"name": "bird"})),
        step("browser_cookie_get", json!({"name": "fish"})),
        step("browser_click", json!({"target": "@button \"Tell\""})),
        step("browser_cookie_delete", json!({"name": "bird"})),
        step("browser_cookie_delete", json!({"name": "fish"})),
        step("browser_cookie_clear", json!({})),
        step("browser_click", json!({"target": "@button \"Tell\""})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn storage_is_read_and_written_alike_by_both_engines() {
    Ground::prepare().await.play(script).await;
}
