//! Tools that act, through the engine: input, what it sets in motion, and what is answered.

use crate::actor::{Actor, reference, section, text};
use serde_json::json;

#[tokio::test]
async fn a_click_is_told_as_code_and_what_it_leads_to_is_shown() {
    let actor = Actor::enter().await;
    actor.site.page("/next", "<h1>Next</h1>");
    let body =
        "<button onclick='this.textContent = \"Saved\"'>Save</button><a href='/next'>Go on</a>";
    let shot = actor.visit("/start", body).await;
    let target = reference(&shot, "button \"Save\"");
    let reply = actor.call("browser_click", json!({"target": target})).await;
    let code = section(&reply, "Ran Playwright code").unwrap();
    assert!(
        code.contains("await page.getByRole('button', { name: 'Save' }).click();"),
        "{code}"
    );
    assert!(reply.snapshot.unwrap().contains("button \"Saved\""));
    let link = json!({"target": "getByRole('link', { name: 'Go on' })"});
    let reply = actor.call("browser_click", link).await;
    assert_eq!(reply.page.unwrap().title, "next");
    let missing = actor
        .refused("browser_click", json!({"target": target}))
        .await;
    assert!(missing.contains("Take a new snapshot"), "{missing}");
    actor.leave().await;
}

#[tokio::test]
async fn a_click_that_opens_a_dialog_a_window_or_a_chooser_returns_with_it() {
    let actor = Actor::enter().await;
    actor.site.page("/window", "<h1>Window</h1>");
    let body = "<button onclick='document.title = String(confirm(\"Sure?\"))'>Ask</button>\
                <a href='/window' target=_blank>Open</a><input type=file>";
    actor.visit("/start", body).await;
    let reply = actor
        .call("browser_click", json!({"target": "button"}))
        .await;
    assert!(reply.modal.unwrap().contains("Sure?"));
    actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    let reply = actor.call("browser_click", json!({"target": "a"})).await;
    assert_eq!(reply.tabs.len(), 2, "{}", text(&reply));
    assert_eq!(reply.page.unwrap().title, "true");
    let reply = actor
        .call("browser_click", json!({"target": "input"}))
        .await;
    assert!(reply.modal.unwrap().contains("File chooser"));
    actor.call("browser_file_upload", json!({})).await;
    actor.leave().await;
}

#[tokio::test]
async fn forms_are_filled_typed_into_and_submitted() {
    let actor = Actor::enter().await;
    actor.site.page("/done", "<h1>Done</h1>");
    let body = "<form action='/done'><input name=q aria-label=Query><input type=checkbox aria-label=Agree>\
                <select aria-label=Colour><option>Red<option>Blue</select></form>";
    actor.visit("/form", body).await;
    let fields = json!({"fields": [
        {"target": "getByLabel('Query')", "name": "Query", "type": "textbox", "value": "first"},
        {"target": "getByLabel('Agree')", "name": "Agree", "type": "checkbox", "value": "true"},
        {"target": "getByLabel('Colour')", "name": "Colour", "type": "combobox", "value": "Blue"},
    ]});
    let reply = actor.call("browser_fill_form", fields).await;
    assert!(reply.snapshot.is_none(), "{}", text(&reply));
    let shot = actor.snapshot().await;
    assert!(
        shot.contains("first") && shot.contains("[checked]"),
        "{shot}"
    );
    assert_eq!(
        actor
            .run("() => document.querySelector('select').value")
            .await,
        "\"Blue\""
    );
    actor
        .call(
            "browser_select_option",
            json!({"target": "select", "values": ["Red"]}),
        )
        .await;
    assert_eq!(
        actor
            .run("() => document.querySelector('select').value")
            .await,
        "\"Red\""
    );
    let text = json!({"target": "getByLabel('Query')", "text": "second", "submit": true});
    let reply = actor.call("browser_type", text).await;
    let page = reply.page.unwrap();
    assert!(page.url.contains("/done?q=second"), "{page:?}");
    actor.leave().await;
}

#[tokio::test]
async fn keys_hovering_and_the_size_of_the_window_reach_the_page() {
    let actor = Actor::enter().await;
    let body = "<input aria-label=Field autofocus><p onmouseenter='this.textContent = \"seen\"'>unseen</p>";
    actor.visit("/keys", body).await;
    actor
        .call("browser_click", json!({"target": "input"}))
        .await;
    actor.call("browser_press_key", json!({"key": "a"})).await;
    actor
        .call(
            "browser_type",
            json!({"target": "input", "text": "bc", "slowly": true}),
        )
        .await;
    assert_eq!(
        actor
            .run("() => document.querySelector('input').value")
            .await,
        "\"abc\""
    );
    let reply = actor.call("browser_hover", json!({"target": "p"})).await;
    assert!(reply.snapshot.unwrap().contains("seen"));
    actor
        .call("browser_resize", json!({"width": 500, "height": 400}))
        .await;
    assert_eq!(
        actor.run("() => innerWidth + ' ' + innerHeight").await,
        "\"500 400\""
    );
    actor.run("() => { document.onclick = (e) => { document.title = e.isTrusted + ' ' + e.clientX; }; }").await;
    let reply = actor
        .call("browser_mouse_click_xy", json!({"x": 40, "y": 300}))
        .await;
    assert_eq!(reply.page.unwrap().title, "true 40");
    let wrong = actor
        .refused("browser_press_key", json!({"key": "NoSuchKey"}))
        .await;
    assert!(wrong.contains("NoSuchKey"), "{wrong}");
    actor.leave().await;
}
