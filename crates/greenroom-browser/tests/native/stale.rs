//! Refs of elements that were replaced, doubled or removed after the snapshot that named them.

use crate::actor::{Actor, reference};
use serde_json::json;

const PAGE: &str =
    "<ul id=list><li><button onclick='document.title = \"pressed\"'>Save</button></ul><p>Other</p>";

/// Runs code after a snapshot, clicks the ref from before, and gives what became of it.
async fn click_after(actor: &Actor, code: &str) -> Result<String, String> {
    let shot = actor.visit("/page", PAGE).await;
    let target = reference(&shot, "button \"Save\"");
    actor.run(code).await;
    let reply = actor
        .attempt("browser_click", json!({"target": target}))
        .await
        .unwrap();
    match reply.is_error {
        false => Ok(reply.page.unwrap().title),
        true => Err(crate::actor::text(&reply).replace(&target, "REF")),
    }
}

#[tokio::test]
async fn a_ref_is_healed_when_exactly_one_element_is_what_it_named() {
    let actor = Actor::enter().await;
    let same = click_after(&actor, "() => { list.innerHTML = list.innerHTML; }").await;
    assert_eq!(same.unwrap(), "pressed");
    // Elsewhere, with another tag, and with the same role and name all the same.
    let elsewhere = "() => { list.remove(); const b = document.createElement('div'); b.setAttribute('role', 'button'); \
                     b.tabIndex = 0; b.textContent = 'Save'; b.onclick = () => document.title = 'moved'; document.body.append(b); }";
    assert_eq!(click_after(&actor, elsewhere).await.unwrap(), "moved");
    // One that is hidden is not taken for it.
    let hidden = "() => { const spare = list.cloneNode(true); spare.hidden = true; list.innerHTML = list.innerHTML; \
                  document.body.append(spare); }";
    assert_eq!(click_after(&actor, hidden).await.unwrap(), "pressed");
    actor.leave().await;
}

#[tokio::test]
async fn a_ref_that_could_mean_two_elements_is_refused_with_both() {
    let actor = Actor::enter().await;
    let twice = "() => { list.innerHTML += list.innerHTML; }";
    let refused = click_after(&actor, twice).await.unwrap_err();
    assert!(
        refused
            .contains("REF was button \"Save\"; it was replaced, and now 2 elements are like it"),
        "{refused}"
    );
    let offered: Vec<_> = refused.match_indices("[ref=").collect();
    assert_eq!(offered.len(), 2, "{refused}");
    let other = reference(&refused, "button \"Save\"");
    actor.call("browser_click", json!({"target": other})).await;
    assert_eq!(actor.run("() => document.title").await, "\"pressed\"");
    actor.leave().await;
}

#[tokio::test]
async fn a_ref_whose_element_is_gone_or_another_one_says_so() {
    let actor = Actor::enter().await;
    let refused = click_after(&actor, "() => { list.remove(); }")
        .await
        .unwrap_err();
    assert!(
        refused.contains("REF was button \"Save\"; it is gone from the page. Take a new snapshot"),
        "{refused}"
    );
    let shot = actor.visit("/page", PAGE).await;
    let target = reference(&shot, "button \"Save\"");
    actor
        .run("() => { document.querySelector('button').textContent = 'Delete'; }")
        .await;
    let shot = actor.snapshot().await;
    assert_ne!(
        reference(&shot, "button \"Delete\""),
        target,
        "another name, another ref"
    );
    let refused = actor
        .refused("browser_click", json!({"target": target}))
        .await;
    assert!(
        refused.contains("was button \"Save\"; it is now button \"Delete\""),
        "{refused}"
    );
    actor.leave().await;
}

#[tokio::test]
async fn a_ref_in_a_frame_is_healed_within_its_frame() {
    let actor = Actor::enter().await;
    let save = "<div id=list><button onclick='textContent = \"Saved\"'>Save</button></div>";
    actor.site.page("/inner", save);
    let outer = format!(
        "{save}<iframe src='{}'></iframe>",
        actor.site.elsewhere("/inner")
    );
    let shot = actor.visit("/outer", &outer).await;
    let inner = shot
        .lines()
        .rfind(|line| line.contains("button \"Save\""))
        .unwrap();
    let target = reference(inner, "button");
    assert!(target.starts_with('f'), "{target}");
    let redraw =
        json!({"target": target, "function": "() => { list.innerHTML = list.innerHTML; }"});
    actor.call("browser_evaluate", redraw).await;
    let shot = actor
        .call("browser_click", json!({"target": target}))
        .await
        .snapshot
        .unwrap();
    assert!(
        shot.contains("button \"Save\"") && shot.contains("button \"Saved\""),
        "{shot}"
    );
    let first = shot.lines().find(|line| line.contains("button")).unwrap();
    assert!(
        first.contains("\"Save\""),
        "that of the page is as it was: {shot}"
    );
    actor.leave().await;
}
