//! Frames that go, navigate, crash or hang while somebody is at work in them.

use std::time::Duration;

use crate::actor::{Actor, reference, text};
use crate::frames::{APART, TOGETHER};
use crate::local::{Gate, Served};
use crate::page::{Set, soon};
use greenroom_browser::native::protocol::page::Crash;
use serde_json::json;
use tokio::time::Instant;

/// Much sooner than a click gives up by itself.
const AT_ONCE: Duration = Duration::from_secs(4);

/// A click waits for a button that stays hidden, in a frame to which something happens meanwhile.
async fn click_while(actor: &Actor, happens: &str) -> String {
    actor.site.page("/next", "Next");
    actor.site.page(
        "/inner",
        "<button id=b>Press</button><script>setTimeout(() => { b.style.visibility = 'hidden' }, 0)</script>",
    );
    let outer = format!("<iframe src='{}'></iframe>", actor.site.elsewhere("/inner"));
    actor.visit("/outer", &outer).await;
    let button = "locator('iframe').contentFrame().locator('#b')";
    actor
        .run(&format!(
            "() => {{ const frame = document.querySelector('iframe'); setTimeout(() => {{ {happens} }}, 1500); }}"
        ))
        .await;
    let begun = Instant::now();
    let refused = actor
        .refused("browser_click", json!({"target": button}))
        .await;
    assert!(
        begun.elapsed() < AT_ONCE,
        "{:?}: {refused}",
        begun.elapsed()
    );
    refused
}

async fn going(args: &[&str]) {
    let actor = Actor::enter_with(args).await;
    let gone = click_while(&actor, "frame.remove()").await;
    assert!(
        gone.contains("The frame is gone from the page. Take a new snapshot"),
        "{gone}"
    );
    let next = format!("frame.src = '{}'", actor.site.elsewhere("/next"));
    let navigated = click_while(&actor, &next).await;
    assert!(
        navigated.contains("The frame went to another address while click was at work."),
        "{navigated}"
    );
    // Also to another process, or from one.
    let moved = click_while(&actor, "frame.src = '/next'").await;
    assert!(moved.contains("The frame "), "{moved}");
    let left = click_while(&actor, "location.href = '/next'").await;
    assert!(left.contains("Take a new snapshot"), "{left}");
    let shot = actor.visit("/after", "<h1>After</h1>").await;
    assert!(shot.contains("heading \"After\""), "{shot}");
    actor.leave().await;
}

#[tokio::test]
async fn a_frame_that_goes_while_a_click_waits_in_it_is_told_at_once() {
    going(TOGETHER).await;
}

#[tokio::test]
async fn a_frame_of_another_process_that_goes_while_a_click_waits_in_it_is_told_at_once() {
    going(APART).await;
}

async fn leading_elsewhere(args: &[&str]) {
    let actor = Actor::enter_with(args).await;
    actor.site.page("/next", "<h1>Next</h1>");
    actor.site.page("/inner", "<button>Inside</button>");
    for next in [actor.site.url("/next"), actor.site.elsewhere("/next")] {
        let outer = format!("<iframe src='{}'></iframe>", actor.site.elsewhere("/inner"));
        let target = reference(&actor.visit("/outer", &outer).await, "button \"Inside\"");
        let code = format!("() => new Promise(() => {{ location.href = '{next}'; }})");
        let code = json!({"target": target, "function": code});
        let reply = actor.call("browser_evaluate", code).await;
        assert!(
            text(&reply).contains("went to another address"),
            "{}",
            text(&reply)
        );
        actor
            .call("browser_wait_for", json!({"text": "Next"}))
            .await;
        assert!(actor.snapshot().await.contains("heading \"Next\""));
    }
    actor.leave().await;
}

#[tokio::test]
async fn code_that_leads_its_own_frame_elsewhere_is_told_so() {
    leading_elsewhere(TOGETHER).await;
    leading_elsewhere(APART).await;
}

#[tokio::test]
async fn a_frame_whose_process_crashes_is_empty_and_the_page_around_it_goes_on() {
    let set = Set::open_with(APART).await;
    set.site.page("/inner", "<button>Inside</button>");
    let other = set.site.elsewhere("/inner");
    set.go(
        "/outer",
        &format!("<h1>Outer</h1><iframe src='{other}'></iframe>"),
    )
    .await;
    let shot = set.snapshot().await;
    let target = reference(&shot, "button \"Inside\"");
    let button = set.page.find(&target, soon()).await.unwrap();
    // There is no answer from a process that has ended.
    let _ = button.session.call(Crash {}).await;
    let shot = set.snapshot().await;
    assert!(
        shot.contains("heading \"Outer\"") && !shot.contains("Inside"),
        "{shot}"
    );
    let error = set.page.find(&target, soon()).await.unwrap_err();
    assert!(error.to_string().contains("Take a new snapshot"), "{error}");
    assert!(!set.page.is_crashed(), "the page itself goes on");
    set.close().await;
}

#[tokio::test]
async fn a_frame_of_another_process_that_hangs_does_not_hide_the_page_around_it() {
    let actor = Actor::enter_with(APART).await;
    // A request that the script stands still for, and that is not answered.
    let gate = Gate::closed();
    actor.site.serve("/held", Served::html("").behind(&gate));
    let hang = "<button>Inside</button><script>onmessage = () => { const asked = new XMLHttpRequest(); \
                asked.open('GET', '/held', false); asked.send(); }</script>";
    actor.site.page("/inner", hang);
    let inner = actor.site.elsewhere("/inner");
    let outer = format!("<h1>Outer</h1><button>Mine</button><iframe src='{inner}'></iframe>");
    actor.visit("/outer", &outer).await;
    actor
        .run("() => { document.querySelector('iframe').contentWindow.postMessage('', '*'); }")
        .await;
    actor.site.visited("GET /held").await;
    let shot = actor.snapshot().await;
    assert!(shot.contains("heading \"Outer\""), "{shot}");
    assert!(shot.contains("# This frame does not answer"), "{shot}");
    let reply = actor
        .call(
            "browser_click",
            json!({"target": "getByRole('button', { name: 'Mine' })"}),
        )
        .await;
    assert!(text(&reply).contains(".click()"));
    gate.open();
    actor.leave().await;
}
