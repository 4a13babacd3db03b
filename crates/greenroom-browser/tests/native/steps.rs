//! Calls of several steps that a dialog comes in between of.

use std::time::Duration;

use crate::actor::{Actor, section, text};
use greenroom_browser::call::Reply;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Far below any deadline: nothing was waited for.
const QUICK: Duration = Duration::from_secs(3);

const PAGE: &str = "<form onsubmit='event.preventDefault(); document.title = \"sent\"'>\
    <input aria-label=First oninput='alert(\"first\")'><input aria-label=Second>\
    <input aria-label=Third><input type=date aria-label=Day oninput='alert(\"day\")'><button>Send</button></form>\
    <input aria-label=Keys onkeydown='if (event.key === \"b\") alert(\"key\")'>\
    <button onclick='alert(\"clicked\"); document.title = \"went on\"'>Ask</button>";

/// Calls a tool whose dialog must be told at once.
async fn interrupted(actor: &Actor, tool: &str, arguments: Value, message: &str) -> Reply {
    let begun = Instant::now();
    let reply = actor.call(tool, arguments).await;
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
    let expected = format!(
        "- [\"alert\" dialog with message \"{message}\"]: can be handled by browser_handle_dialog"
    );
    assert_eq!(
        reply.modal.as_deref(),
        Some(expected.as_str()),
        "{}",
        text(&reply)
    );
    reply
}

async fn answer(actor: &Actor) {
    let begun = Instant::now();
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(reply.modal.is_none(), "{}", text(&reply));
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
}

async fn values(actor: &Actor) -> String {
    let values = "() => [...document.querySelectorAll('input')].map(i => i.value).join('|') + ' ' + document.title";
    actor.run(values).await
}

#[tokio::test]
async fn text_is_not_submitted_past_a_dialog() {
    let actor = Actor::enter().await;
    actor.visit("/steps", PAGE).await;
    let text = json!({"target": "getByLabel('First')", "text": "x", "submit": true});
    let reply = interrupted(&actor, "browser_type", text, "first").await;
    assert_eq!(
        section(&reply, "Result").unwrap(),
        "A dialog came up before all was done. Not done: press Enter in the field. \
         Call browser_handle_dialog first, then do it if it is still wanted."
    );
    let code = section(&reply, "Ran Playwright code").unwrap();
    assert!(
        code.contains(".fill('x');") && !code.contains("press"),
        "{code}"
    );
    answer(&actor).await;
    assert_eq!(values(&actor).await, "\"x|||| steps\"");
    let enter = actor
        .call("browser_press_key", json!({"key": "Enter"}))
        .await;
    assert_eq!(enter.page.unwrap().title, "sent");
    actor.leave().await;
}

#[tokio::test]
async fn fields_after_a_dialog_are_left_and_named() {
    let actor = Actor::enter().await;
    actor.visit("/steps", PAGE).await;
    let field = |name: &str, value: &str| json!({"target": format!("getByLabel('{name}')"), "name": name, "type": "textbox", "value": value});
    let fields =
        json!({"fields": [field("First", "1"), field("Second", "2"), field("Third", "3")]});
    let reply = interrupted(&actor, "browser_fill_form", fields, "first").await;
    let told = section(&reply, "Result").unwrap();
    assert!(told.contains("Not done: fill Second, Third."), "{told}");
    answer(&actor).await;
    assert_eq!(values(&actor).await, "\"1|||| steps\"");
    // A field that is set by script stands still in the middle, and the rest is left all the same.
    let fields = json!({"fields": [field("Day", "2025-12-31"), field("Second", "2")]});
    interrupted(&actor, "browser_fill_form", fields, "day").await;
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    let told = section(&reply, "Result").unwrap();
    assert!(told.contains("Not done: fill Second."), "{told}");
    assert_eq!(values(&actor).await, "\"1|||2025-12-31| steps\"");
    actor.leave().await;
}

#[tokio::test]
async fn typing_stops_at_a_dialog_and_says_that_something_is_missing() {
    let actor = Actor::enter().await;
    actor.visit("/steps", PAGE).await;
    let keys = json!({"target": "getByLabel('Keys')", "text": "abc", "slowly": true});
    let reply = interrupted(&actor, "browser_type", keys, "key").await;
    let told = section(&reply, "Result").unwrap();
    assert!(told.contains("type what is missing"), "{told}");
    answer(&actor).await;
    let value = actor
        .run("() => document.querySelectorAll('input')[4].value")
        .await;
    assert_eq!(value, "\"ab\"");
    actor.leave().await;
}

#[tokio::test]
async fn a_click_that_opens_a_dialog_is_told_with_its_code() {
    let actor = Actor::enter().await;
    actor.visit("/steps", PAGE).await;
    let reply = interrupted(
        &actor,
        "browser_click",
        json!({"target": "getByText('Ask')"}),
        "clicked",
    )
    .await;
    let code = section(&reply, "Ran Playwright code").unwrap();
    assert!(
        code.contains("await page.getByRole('button', { name: 'Ask' }).click();"),
        "{code}"
    );
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(
        !text(&reply).contains(".click()"),
        "told once: {}",
        text(&reply)
    );
    assert_eq!(reply.page.unwrap().title, "went on");
    actor.leave().await;
}
