//! What an action sets in motion is waited for, and nothing else.

use std::time::Duration;

use crate::actor::Actor;
use crate::local::{Gate, Served};
use serde_json::json;
use tokio::time::Instant;

#[tokio::test]
async fn every_way_to_leave_a_page_is_waited_for() {
    let actor = Actor::enter().await;
    actor.site.page("/next", "<h1>Next</h1>");
    let body = "<a id=link href='/next'>x</a><form id=form action='/next'><input name=q><button id=go>Go</button></form>";
    for leave in [
        "location.href = '/next'",
        "location.replace('/next')",
        "document.getElementById('link').click()",
        "document.getElementById('form').submit()",
        "document.getElementById('form').requestSubmit()",
        "document.getElementById('go').click()",
        "fetch('/next').then(() => { location.href = '/next'; })",
    ] {
        actor.visit("/start", body).await;
        let reply = actor
            .call(
                "browser_evaluate",
                json!({"function": format!("() => {{ {leave}; }}")}),
            )
            .await;
        assert_eq!(reply.page.unwrap().title, "next", "{leave}");
    }
    actor.visit("/start", body).await;
    let reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { history.back(); }"}),
        )
        .await;
    assert_eq!(reply.page.unwrap().title, "next");
    actor.leave().await;
}

#[tokio::test]
async fn what_nobody_set_in_motion_and_what_never_ends_is_not_waited_for() {
    let actor = Actor::enter().await;
    let gate = Gate::closed();
    actor.site.serve("/never", Served::html("").behind(&gate));
    actor.visit("/busy", "<h1>Busy</h1><script>fetch('/never'); setInterval(() => fetch('/never?again').catch(() => {}), 20)</script>").await;
    actor.site.visited("GET /never").await;
    let begun = Instant::now();
    for _ in 0..5 {
        actor.run("() => 1").await;
    }
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    actor.visit("/quiet", "<h1>Quiet</h1>").await;
    let begun = Instant::now();
    actor.run("() => { fetch('/never'); }").await;
    let waited = begun.elapsed();
    assert!(
        waited > Duration::from_secs(4) && waited < Duration::from_secs(8),
        "{waited:?}"
    );
    let begun = Instant::now();
    actor
        .run("() => { location.href = 'file:///etc/passwd'; }")
        .await;
    actor
        .run("() => { location.href = 'javascript:void 0'; }")
        .await;
    actor.run("() => { location.hash = 'there'; }").await;
    actor.run("() => { new EventSource('/never'); }").await;
    assert!(
        begun.elapsed() < Duration::from_secs(3),
        "{:?}",
        begun.elapsed()
    );
    gate.open();
    actor.leave().await;
}
