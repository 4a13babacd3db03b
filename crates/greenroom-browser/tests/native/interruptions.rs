//! What a page does that nobody asked for: dialogs, windows, downloads, crashes.

use std::time::Duration;

use crate::actor::{Actor, section, text};
use crate::local::Served;
use crate::stage::{kill, renderers_of};
use greenroom_browser::call::EngineError;
use serde_json::json;
use tokio::time::Instant;

const QUICK: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_dialog_ends_the_call_at_once_and_blocks_others_until_it_is_answered() {
    let actor = Actor::enter().await;
    actor.visit("/ask", "<h1>Ask</h1>").await;
    let begun = Instant::now();
    let ask =
        json!({"function": "() => { document.title = String(confirm('Sure?')); return 'done'; }"});
    let reply = actor.call("browser_evaluate", ask).await;
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
    let modal =
        "- [\"confirm\" dialog with message \"Sure?\"]: can be handled by browser_handle_dialog";
    assert_eq!(
        section(&reply, "Modal state").as_deref(),
        Some(modal),
        "{}",
        text(&reply)
    );
    assert_eq!(reply.modal.as_deref(), Some(modal));
    assert!(reply.snapshot.is_none());
    for tool in [
        "browser_snapshot",
        "browser_navigate_back",
        "browser_evaluate",
    ] {
        let refused = actor.refused(tool, json!({"function": "1"})).await;
        assert!(
            refused.contains("does not handle the modal state. Call browser_handle_dialog first."),
            "{refused}"
        );
        assert!(refused.contains(modal), "{refused}");
    }
    let listed = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(listed.tabs.len(), 1);
    actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    let reply = actor.call("browser_snapshot", json!({})).await;
    assert_eq!(reply.page.unwrap().title, "true");
    let none = actor
        .refused("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(none.contains("related modal state"), "{none}");
    actor.leave().await;
}

#[tokio::test]
async fn prompts_take_an_answer_and_dialogs_can_follow_each_other() {
    let actor = Actor::enter().await;
    actor.visit("/ask", "<h1>Ask</h1>").await;
    let ask = json!({"function": "() => { const name = prompt('Name?', 'nobody'); alert('Hi ' + name); window.name = name; }"});
    actor.call("browser_evaluate", ask).await;
    let reply = actor
        .call(
            "browser_handle_dialog",
            json!({"accept": true, "promptText": "Ada"}),
        )
        .await;
    assert!(reply.modal.unwrap().contains("Hi Ada"));
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(reply.modal.is_none());
    assert_eq!(actor.run("() => window.name").await, "\"Ada\"");
    let dismissed = json!({"function": "() => { window.name = String(prompt('Name?')); }"});
    actor.call("browser_evaluate", dismissed).await;
    actor
        .call("browser_handle_dialog", json!({"accept": false}))
        .await;
    assert_eq!(actor.run("() => window.name").await, "\"null\"");
    actor.leave().await;
}

#[tokio::test]
async fn a_dialog_while_a_page_loads_or_is_left_does_not_hold_the_caller_up() {
    let actor = Actor::enter().await;
    let url = actor
        .site
        .page("/early", "<script>alert('early')</script><h1>Later</h1>");
    let begun = Instant::now();
    let reply = actor.call("browser_navigate", json!({"url": url})).await;
    assert!(reply.modal.unwrap().contains("early"));
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(reply.modal.is_none());
    assert!(actor.snapshot().await.contains("Later"));
    // A page asks before it is left if somebody has used it, which code of an agent counts as.
    let stay = "() => { window.onbeforeunload = (e) => { e.preventDefault(); }; }";
    actor.run(stay).await;
    let other = actor.site.page("/other", "<h1>Other</h1>");
    let reply = actor.call("browser_navigate", json!({"url": other})).await;
    assert!(
        reply
            .modal
            .as_deref()
            .unwrap()
            .contains("\"beforeunload\" dialog"),
        "{}",
        text(&reply)
    );
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": false}))
        .await;
    assert!(reply.modal.is_none() && actor.snapshot().await.contains("Later"));
    actor.call("browser_navigate", json!({"url": other})).await;
    let reply = actor
        .call("browser_handle_dialog", json!({"accept": true}))
        .await;
    assert!(reply.modal.is_none());
    assert!(actor.snapshot().await.contains("Other"));
    assert!(begun.elapsed() < 2 * QUICK, "{:?}", begun.elapsed());
    actor.leave().await;
}

#[tokio::test]
async fn tabs_are_opened_listed_selected_and_closed() {
    let actor = Actor::enter().await;
    actor.visit("/one", "<h1>One</h1>").await;
    let two = actor.site.page("/two", "<h1>Two</h1>");
    let reply = actor
        .call("browser_tabs", json!({"action": "new", "url": two}))
        .await;
    assert!(
        reply.snapshot.as_deref().unwrap().contains("Two"),
        "{}",
        text(&reply)
    );
    let one = actor.site.url("/one");
    assert_eq!(
        section(&reply, "Result").unwrap(),
        format!("- 0: [one]({one})\n- 1: (current) [two]({two})")
    );
    assert_eq!(reply.tabs.len(), 2);
    let reply = actor
        .call("browser_tabs", json!({"action": "select", "index": 0}))
        .await;
    assert!(reply.tabs[0].current);
    assert!(actor.snapshot().await.contains("One"));
    let missing = actor
        .refused("browser_tabs", json!({"action": "close", "index": 7}))
        .await;
    assert!(missing.contains("Tab 7 not found"), "{missing}");
    let reply = actor.call("browser_tabs", json!({"action": "close"})).await;
    assert_eq!((reply.tabs.len(), reply.tabs[0].title.as_str()), (1, "two"));
    let reply = actor
        .call("browser_tabs", json!({"action": "close", "index": 0}))
        .await;
    assert!(text(&reply).contains("No open tabs"), "{}", text(&reply));
    assert!(
        actor
            .visit("/three", "<h1>Three</h1>")
            .await
            .contains("Three")
    );
    let reply = actor.call("browser_close", json!({})).await;
    assert!(
        text(&reply).contains("await page.close()"),
        "{}",
        text(&reply)
    );
    let listed = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(
        (listed.tabs.len(), listed.tabs[0].url.as_str()),
        (1, "about:blank")
    );
    actor.leave().await;
}

#[tokio::test]
async fn windows_that_a_page_opens_are_told_of_and_may_go_nowhere_that_is_forbidden() {
    let actor = Actor::enter().await;
    actor.site.page("/popup", "<h1>Popup</h1>");
    actor
        .visit("/opener", "<a id=file href='file:///etc/passwd'>file</a>")
        .await;
    let reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { window.open('/popup'); }"}),
        )
        .await;
    assert_eq!(reply.tabs.len(), 2, "{}", text(&reply));
    assert!(
        section(&reply, "Open tabs")
            .unwrap()
            .contains("(current) [opener]")
    );
    actor
        .call("browser_tabs", json!({"action": "select", "index": 1}))
        .await;
    let there = actor
        .call("browser_wait_for", json!({"text": "Popup"}))
        .await;
    assert!(there.snapshot.unwrap().contains("Popup"));
    actor
        .call("browser_tabs", json!({"action": "select", "index": 0}))
        .await;
    for url in [
        "file:///etc/passwd",
        "chrome://version",
        "devtools://devtools/bundled/inspector.html",
    ] {
        let open = format!("() => {{ window.open('{url}'); }}");
        actor
            .attempt("browser_evaluate", json!({"function": open}))
            .await
            .unwrap();
        let go = format!("() => {{ location.href = '{url}'; }}");
        actor
            .attempt("browser_evaluate", json!({"function": go}))
            .await
            .unwrap();
        let frame = format!(
            "() => {{ document.body.append(Object.assign(document.createElement('iframe'), {{ src: '{url}' }})); }}"
        );
        actor
            .attempt("browser_evaluate", json!({"function": frame}))
            .await
            .unwrap();
    }
    actor
        .run("() => { document.getElementById('file').click(); }")
        .await;
    let listed = actor.call("browser_tabs", json!({"action": "list"})).await;
    for tab in &listed.tabs {
        let allowed = tab.url.starts_with("http://127.0.0.1") || tab.url.starts_with("about:blank");
        assert!(allowed, "{tab:?}");
    }
    let shot = actor.snapshot().await;
    assert!(!shot.contains("root:"), "{shot}");
    actor.leave().await;
}

#[tokio::test]
async fn downloads_are_told_of_and_handed_over() {
    let actor = Actor::enter().await;
    let file = Served::of("application/octet-stream", "contents")
        .header("Content-Disposition", "attachment; filename=\"report.txt\"");
    let url = actor.site.serve("/file", file);
    actor
        .visit("/page", "<a href='/file' download>get</a>")
        .await;
    let mut seen = Vec::new();
    let mut events = String::new();
    let reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { document.querySelector('a').click(); }"}),
        )
        .await;
    seen.extend(reply.files.clone());
    events.push_str(&section(&reply, "Events").unwrap_or_default());
    while seen.is_empty() {
        let reply = actor.call("browser_wait_for", json!({"time": 0.05})).await;
        seen.extend(reply.files.clone());
        events.push_str(&section(&reply, "Events").unwrap_or_default());
    }
    assert_eq!(
        (seen[0].name.as_str(), &seen[0].bytes[..]),
        ("report.txt", &b"contents"[..])
    );
    assert!(
        events.contains("- Downloading file report.txt ...")
            && events.contains("- Downloaded file report.txt"),
        "{events}"
    );
    // A window that is only opened for a download tells of it too.
    actor
        .visit("/window", "<a href='/file' target=_blank>get</a>")
        .await;
    let mut reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { document.querySelector('a').click(); }"}),
        )
        .await;
    while reply.files.is_empty() {
        reply = actor.call("browser_wait_for", json!({"time": 0.05})).await;
    }
    assert_eq!(reply.files[0].name, "report.txt");
    assert!(
        reply.tabs.iter().all(|tab| !tab.url.is_empty()),
        "{:?}",
        reply.tabs
    );
    // An address that is a download leaves the page where it was.
    let reply = actor.call("browser_navigate", json!({"url": url})).await;
    assert_eq!(reply.page.unwrap().url, actor.site.url("/window"));
    actor.leave().await;
}

#[tokio::test]
async fn a_page_that_crashes_is_an_error_at_once_and_the_next_call_has_a_healthy_one() {
    let actor = Actor::enter().await;
    actor.visit("/page", "<h1>Page</h1>").await;
    let begun = Instant::now();
    let renderers = renderers_of(actor.instance.pid());
    let call = actor.attempt(
        "browser_evaluate",
        json!({"function": "() => new Promise(() => {})"}),
    );
    let crash = async {
        renderers.into_iter().for_each(kill);
    };
    let (outcome, ()) = tokio::join!(call, crash);
    assert!(
        matches!(outcome, Err(EngineError::PageCrashed)),
        "{outcome:?}"
    );
    assert!(begun.elapsed() < 2 * QUICK, "{:?}", begun.elapsed());
    let look = actor.attempt("browser_snapshot", json!({})).await;
    assert!(
        matches!(look, Err(EngineError::PageCrashed)),
        "a blank page is not what was asked for: {look:?}"
    );
    let reply = actor.call("browser_snapshot", json!({})).await;
    assert_eq!(reply.page.unwrap().url, "about:blank");
    assert!(
        actor
            .visit("/again", "<h1>Again</h1>")
            .await
            .contains("Again")
    );
    actor.leave().await;
}

#[tokio::test]
async fn a_browser_that_dies_is_told_to_the_caller_and_to_the_pool() {
    let actor = Actor::enter().await;
    actor.visit("/page", "<h1>Page</h1>").await;
    let pid = actor.instance.pid();
    let call = actor.attempt(
        "browser_evaluate",
        json!({"function": "() => new Promise(() => {})"}),
    );
    let end = async {
        kill(pid);
        actor.instance.ended().await
    };
    let begun = Instant::now();
    let (outcome, death) = tokio::join!(call, end);
    assert!(
        matches!(outcome, Err(EngineError::Died { sent: true, .. })),
        "{outcome:?}"
    );
    assert!(death.how.contains("SIGKILL"), "{death}");
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
    assert!(actor.instance.probe(QUICK).await.is_err());
    actor.leave().await;
}

#[tokio::test]
async fn a_page_that_never_yields_meets_the_deadline_and_the_browser_still_answers() {
    let actor = Actor::enter().await;
    actor.visit("/page", "<h1>Page</h1>").await;
    let short = Duration::from_millis(1500);
    let busy = actor
        .attempt_within(
            short,
            "browser_evaluate",
            json!({"function": "() => { for (;;); }"}),
        )
        .await;
    let error = busy.unwrap_err();
    assert!(
        matches!(&error, EngineError::Timeout { what, .. } if what == "browser_evaluate"),
        "{error}"
    );
    actor.instance.probe(QUICK).await.unwrap();
    actor.instance.reset(QUICK).await.unwrap();
    assert!(
        actor
            .visit("/after", "<h1>After</h1>")
            .await
            .contains("After")
    );
    actor.leave().await;
}

#[tokio::test]
async fn a_file_chooser_takes_only_files_that_were_laid_out() {
    let actor = Actor::enter().await;
    let body = "<input type=file onchange='files[0].text().then(t => document.title = files[0].name + \" \" + t)'>";
    actor.visit("/upload", body).await;
    let source = actor.stage.data.path().join("source");
    tokio::fs::write(&source, "contents").await.unwrap();
    let mut contents = tokio::fs::File::open(&source).await.unwrap();
    let laid_out = actor
        .instance
        .lay_out("f", "a.txt", &mut contents)
        .await
        .unwrap();
    drop(contents);
    let none = actor
        .refused("browser_file_upload", json!({"paths": [laid_out]}))
        .await;
    assert!(none.contains("related modal state"), "{none}");
    let click = json!({"function": "(input) => { input.click(); }", "target": "input"});
    let reply = actor.call("browser_evaluate", click.clone()).await;
    let modal = "- [File chooser]: can be handled by browser_file_upload";
    assert_eq!(reply.modal.as_deref(), Some(modal), "{}", text(&reply));
    let blocked = actor.refused("browser_snapshot", json!({})).await;
    assert!(
        blocked.contains("Call browser_file_upload first."),
        "{blocked}"
    );
    for wrong in [
        json!(["/etc/passwd"]),
        json!([source]),
        json!([laid_out, laid_out]),
    ] {
        let denied = actor
            .refused("browser_file_upload", json!({"paths": wrong}))
            .await;
        assert!(
            denied.contains("denied") || denied.contains("one file only"),
            "{denied}"
        );
    }
    actor
        .call("browser_file_upload", json!({"paths": [laid_out]}))
        .await;
    actor.call("browser_wait_for", json!({"time": 0.05})).await;
    let title = actor
        .call("browser_snapshot", json!({}))
        .await
        .page
        .unwrap()
        .title;
    assert_eq!(title, "a.txt contents");
    actor.call("browser_evaluate", click).await;
    let reply = actor.call("browser_file_upload", json!({})).await;
    assert!(reply.modal.is_none());
    actor.leave().await;
}
