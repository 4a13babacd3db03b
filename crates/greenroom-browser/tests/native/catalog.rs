//! The tools as a whole: all of upstream's are there, and what they find out can go into a file.

use crate::actor::{Actor, text};
use serde_json::{Value, json};

/// The tools of upstream with the groups pdf, vision and storage, but for the one that runs code of
/// upstream's own.
const UPSTREAM: &str = "browser_click browser_close browser_console_messages browser_cookie_clear \
    browser_cookie_delete browser_cookie_get browser_cookie_list browser_cookie_set browser_drag browser_drop \
    browser_emulate_media browser_evaluate browser_file_upload browser_fill_form browser_find \
    browser_handle_dialog browser_hover browser_localstorage_clear browser_localstorage_delete \
    browser_localstorage_get browser_localstorage_list browser_localstorage_set browser_mouse_click_xy \
    browser_mouse_down browser_mouse_drag_xy browser_mouse_move_xy browser_mouse_up browser_mouse_wheel \
    browser_navigate browser_navigate_back browser_network_request browser_network_requests browser_pdf_save \
    browser_press_key browser_resize browser_select_option browser_sessionstorage_clear \
    browser_sessionstorage_delete browser_sessionstorage_get browser_sessionstorage_list \
    browser_sessionstorage_set browser_set_storage_state browser_snapshot browser_storage_state browser_tabs \
    browser_take_screenshot browser_type browser_wait_for";

#[tokio::test]
async fn every_tool_of_upstream_is_named_and_served() {
    let actor = Actor::enter().await;
    let mut named = greenroom_browser::native::TOOLS.to_vec();
    named.sort_unstable();
    let expected: Vec<_> = UPSTREAM.split_whitespace().collect();
    assert_eq!(named, expected);
    for tool in expected {
        let reply = actor.attempt(tool, json!({})).await.unwrap();
        assert!(
            !text(&reply).contains(&format!("Tool \"{tool}\" not found")),
            "{}",
            text(&reply)
        );
    }
    for unknown in [
        "browser_fly",
        "browser_mouse_fly",
        "browser_cookie_eat",
        "browser_localstorage_fly",
    ] {
        let refused = actor.refused(unknown, json!({})).await;
        assert!(
            refused.contains(&format!("Tool \"{unknown}\" not found")),
            "{refused}"
        );
    }
    actor.leave().await;
}

#[tokio::test]
async fn what_a_tool_finds_out_goes_into_the_file_that_is_named() {
    let actor = Actor::enter().await;
    actor
        .visit(
            "/page",
            "<h1>Hello</h1><script>console.log('said')</script>",
        )
        .await;
    for (tool, mut arguments, title, held) in [
        (
            "browser_snapshot",
            json!({}),
            "Snapshot",
            "heading \"Hello\"",
        ),
        (
            "browser_find",
            json!({"text": "Hello"}),
            "Find results",
            "Found 1 match",
        ),
        (
            "browser_evaluate",
            json!({"function": "() => [1]"}),
            "Evaluation result",
            "[\n  1\n]",
        ),
        (
            "browser_console_messages",
            json!({}),
            "Console",
            "[LOG] said",
        ),
        (
            "browser_network_requests",
            json!({"static": true}),
            "Network",
            "1. [GET] http://",
        ),
        (
            "browser_network_request",
            json!({"index": 1}),
            "Request",
            "General",
        ),
        (
            "browser_storage_state",
            json!({}),
            "Storage state",
            "\"cookies\"",
        ),
    ] {
        arguments["filename"] = Value::from("some/where/out.txt");
        let reply = actor.call(tool, arguments).await;
        let told = text(&reply);
        assert!(told.contains(&format!("\n- {title}: out.txt")), "{told}");
        assert!(!told.contains(held), "{told}");
        assert_eq!(reply.files.len(), 1, "{told}");
        let (name, bytes) = (&reply.files[0].name, &reply.files[0].bytes);
        assert_eq!(name, "out.txt");
        let contents = std::str::from_utf8(bytes).unwrap();
        assert!(contents.contains(held), "{tool}: {contents}");
    }
    actor.leave().await;
}
