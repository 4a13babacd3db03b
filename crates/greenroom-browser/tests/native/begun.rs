//! What is told of a call that a dialog interrupts, and when.

use crate::actor::{Actor, section, text};
use serde_json::json;

const PAGE: &str = "<button onclick='alert(1); alert(2)'>Ask</button>\
    <select aria-label=Pick onchange='alert(3)'><option>one<option>two</select><input aria-label=Field autofocus>";

#[tokio::test]
async fn what_was_begun_is_told_with_the_dialog_and_not_once_more_after_it() {
    let actor = Actor::enter().await;
    actor.visit("/ask", PAGE).await;
    let ask = json!({"target": "getByRole('button')"});
    let reply = actor.call("browser_click", ask).await;
    assert!(reply.modal.is_some(), "{}", text(&reply));
    let code = section(&reply, "Ran Playwright code").unwrap_or_default();
    assert!(code.contains("name: 'Ask' }).click();"), "{code}");
    for is_last in [false, true] {
        let reply = actor
            .call("browser_handle_dialog", json!({"accept": true}))
            .await;
        assert_eq!(reply.modal.is_none(), is_last, "{}", text(&reply));
        assert_eq!(section(&reply, "Ran Playwright code"), None);
    }
    let choose = json!({"target": "getByLabel('Pick')", "values": ["two"]});
    let reply = actor.call("browser_select_option", choose).await;
    let code = section(&reply, "Ran Playwright code").unwrap_or_default();
    assert!(code.contains(".selectOption('two');"), "{code}");
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert_eq!(section(&reply, "Ran Playwright code"), None);
    actor.leave().await;
}

#[tokio::test]
async fn a_dialog_that_code_puts_off_until_it_is_over_comes_with_its_answer() {
    let actor = Actor::enter().await;
    actor.visit("/ask", PAGE).await;
    for _ in 0..5 {
        let later =
            json!({"function": "() => { setTimeout(() => alert('later'), 0); return 'now'; }"});
        let reply = actor.call("browser_evaluate", later).await;
        let modal = reply.modal.as_deref().unwrap_or_default();
        assert!(modal.contains("later"), "{}", text(&reply));
        assert_eq!(section(&reply, "Result").as_deref(), Some("\"now\""));
        actor
            .call("browser_handle_dialog", json!({"accept": true}))
            .await;
    }
    actor.leave().await;
}

#[tokio::test]
async fn the_pointer_is_nowhere_until_it_is_moved() {
    let actor = Actor::enter().await;
    let body = "<script>window.moves = 0; addEventListener('mousemove', () => moves++)</script><p>Here</p>";
    let look = "async () => { await new Promise(requestAnimationFrame); \
        return [moves, document.querySelector(':hover')?.localName ?? 'nothing'].join(); }";
    actor.visit("/still", body).await;
    assert_eq!(actor.run(look).await, "\"0,nothing\"");
    let here = json!({"target": "getByText('Here')"});
    actor.call("browser_hover", here).await;
    assert_eq!(actor.run(look).await, "\"1,html\"");
    actor.leave().await;
}
