//! What the documents around a frame do to clicks that are meant for an element in it.

use std::time::Duration;

use crate::actor::{Actor, reference};
use crate::frames::{APART, TOGETHER};
use serde_json::json;

/// Enough for a click that succeeds, and soon over for one that cannot.
const SHORT: Duration = Duration::from_secs(2);

const BUTTON: &str =
    "<body style='margin:0'><button onclick='textContent = \"Pressed\"'>Press</button>";

/// Shows a frame with a button between other things, and gives the button's ref.
async fn show(actor: &Actor, outer: &str) -> String {
    actor.site.page("/inner", BUTTON);
    let outer = outer.replace("FRAME", &actor.site.elsewhere("/inner"));
    let shot = actor.visit("/outer", &outer).await;
    reference(&shot, "button \"Press\"")
}

async fn refusal(actor: &Actor, outer: &str) -> String {
    let target = json!({"target": show(actor, outer).await});
    actor.refused_within(SHORT, "browser_click", target).await
}

async fn pressed(actor: &Actor, outer: &str) {
    let target = json!({"target": show(actor, outer).await});
    let shot = actor.call("browser_click", target).await.snapshot.unwrap();
    assert!(shot.contains("button \"Pressed\""), "{outer}: {shot}");
}

/// What stands between the page and a frame is the same, whichever process the frame is in.
async fn covers(args: &[&str]) {
    let actor = Actor::enter_with(args).await;
    let veil =
        "<iframe src='FRAME'></iframe><div id=veil style='position:fixed;inset:0'>Cookies?</div>";
    let refused = refusal(&actor, veil).await;
    assert!(
        refused.contains("<div id=\"veil\">Cookies?</div> is in the way"),
        "{refused}"
    );
    assert!(
        refused.contains("Close or move what is in the way first"),
        "{refused}"
    );
    let untouchable = "<iframe src='FRAME' style='pointer-events:none'></iframe>";
    let refused = refusal(&actor, untouchable).await;
    assert!(refused.contains("is in the way"), "{refused}");
    let hidden = "<iframe src='FRAME' style='position:absolute;left:-2000px'></iframe>";
    let refused = refusal(&actor, hidden).await;
    assert!(refused.contains("outside of the viewport"), "{refused}");
    // Between the frame and the page, in a document that is neither.
    actor.site.page(
        "/between",
        &veil.replace("FRAME", &actor.site.url("/inner")),
    );
    let nested = format!(
        "<iframe src='{}'></iframe>",
        actor.site.elsewhere("/between")
    );
    let refused = refusal(&actor, &nested).await;
    assert!(
        refused.contains("<div id=\"veil\">Cookies?</div> is in the way"),
        "{refused}"
    );
    actor.leave().await;
}

#[tokio::test]
async fn what_covers_a_frame_is_named() {
    covers(TOGETHER).await;
}

#[tokio::test]
async fn what_covers_a_frame_of_another_process_is_named() {
    covers(APART).await;
}

async fn patience(args: &[&str]) {
    let actor = Actor::enter_with(args).await;
    // Only a part of the frame is under the bar: scrolled away from there, it can be clicked.
    let bar = "<body style='margin:0;height:4000px'><div style='position:fixed;top:0;left:0;right:0;height:120px;\
               background:red;z-index:1'>Bar</div><iframe src='FRAME' style='margin-top:1000px'></iframe>\
               <script>scrollTo(0, 990)</script>";
    pressed(&actor, bar).await;
    let clipped = "<div style='width:300px;height:100px;overflow:auto'><div style='width:2000px;height:2000px'>\
                   <iframe src='FRAME' style='margin:1500px'></iframe></div></div>";
    pressed(&actor, clipped).await;
    let moving = "<style>@keyframes m { from { margin-left: 0 } to { margin-left: 400px } }</style>\
                  <iframe src='FRAME' style='animation: m 400ms linear forwards'></iframe>";
    pressed(&actor, moving).await;
    let going = "<iframe src='FRAME'></iframe><div id=veil style='position:fixed;inset:0'></div>\
                 <script>setTimeout(() => veil.remove(), 1000)</script>";
    pressed(&actor, going).await;
    actor.leave().await;
}

#[tokio::test]
async fn a_frame_is_scrolled_out_from_under_its_cover_and_waited_for_until_it_rests() {
    patience(TOGETHER).await;
}

#[tokio::test]
async fn a_frame_of_another_process_is_waited_for_as_any_other() {
    patience(APART).await;
}

#[tokio::test]
async fn a_frame_that_keeps_the_moves_of_the_mouse_to_itself_is_clicked_all_the_same() {
    let actor = Actor::enter_with(APART).await;
    let greedy = "<script>addEventListener('pointermove', (move) => move.stopImmediatePropagation(), true)</script>";
    actor.site.page("/inner", &format!("{greedy}{BUTTON}"));
    let outer = format!("<iframe src='{}'></iframe>", actor.site.elsewhere("/inner"));
    let shot = actor.visit("/outer", &outer).await;
    let target = json!({"target": reference(&shot, "button \"Press\"")});
    let shot = actor.call("browser_click", target).await.snapshot.unwrap();
    assert!(shot.contains("button \"Pressed\""), "{shot}");
    actor.leave().await;
}
