//! Tools that look: navigation, snapshots, scripts, consoles, networks, in a real browser.

use crate::actor::{Actor, reference, section, text};
use crate::local::{Gate, Served};
use greenroom_browser::call::ConsoleLevel;
use serde_json::json;
use tokio::time::Instant;

/// The smallest picture.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

#[tokio::test]
async fn navigating_shows_the_page_in_the_sections_that_agents_know() {
    let actor = Actor::enter().await;
    let url = actor.site.page(
        "/home",
        "<h1>Hello</h1><script>console.error('boom')</script>",
    );
    let reply = actor.call("browser_navigate", json!({"url": url})).await;
    let expected = format!(
        "### Ran Playwright code\n```js\nawait page.goto('{url}');\n```\n\
         ### Page\n- Page URL: {url}\n- Page Title: home\n- Console: 1 errors, 0 warnings\n\
         ### Snapshot\n```yaml\n- heading \"Hello\" [level=1] [ref=e2]\n```\n\
         ### Events\n- New console entries: 1\n  [ERROR] boom @ {url}:0"
    );
    assert_eq!(text(&reply), expected);
    let page = reply.page.clone().unwrap();
    assert_eq!((page.title.as_str(), page.console_errors), ("home", 1));
    assert_eq!(reply.console[0].level, ConsoleLevel::Error);
    assert!(reply.snapshot.unwrap().contains("Hello") && reply.modal.is_none());
    let raw: serde_json::Value = serde_json::from_slice(&reply.raw).unwrap();
    assert_eq!(raw["content"][0]["text"], expected);
    actor.leave().await;
}

#[tokio::test]
async fn addresses_that_lead_nowhere_are_told_with_what_to_do() {
    let actor = Actor::enter().await;
    let refused = actor
        .refused("browser_navigate", json!({"url": "http://127.0.0.1:1/"}))
        .await;
    assert!(
        refused.contains("ERR_UNSAFE_PORT") || refused.contains("ERR_CONNECTION_REFUSED"),
        "{refused}"
    );
    let told = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(told.tabs[0].url, "chrome-error://chromewebdata/");
    let missing = actor
        .refused(
            "browser_navigate",
            json!({"url": "http://nowhere.invalid/"}),
        )
        .await;
    assert!(
        missing.contains("net::ERR_NAME_NOT_RESOLVED") && missing.contains("check the address"),
        "{missing}"
    );
    for url in [
        "file:///etc/passwd",
        "chrome://version",
        "javascript:alert(1)",
        "devtools://x",
    ] {
        let blocked = actor.refused("browser_navigate", json!({"url": url})).await;
        assert!(blocked.contains("is blocked"), "{blocked}");
        let blocked = actor
            .refused("browser_tabs", json!({"action": "new", "url": url}))
            .await;
        assert!(blocked.contains("is blocked"), "{blocked}");
    }
    let gone = actor.site.url("/gone");
    let reply = actor.call("browser_navigate", json!({"url": gone})).await;
    assert!(
        text(&reply).contains("- HTTP status: 404 Not Found"),
        "{}",
        text(&reply)
    );
    assert_eq!(reply.page.unwrap().http_status, Some(404));
    actor.leave().await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_a_failure_of_the_tool_and_not_of_the_browser() {
    let actor = Actor::enter().await;
    let gate = Gate::closed();
    let url = actor
        .site
        .serve("/slow", Served::html("<h1>late</h1>").behind(&gate));
    let short = std::time::Duration::from_secs(2);
    let reply = actor
        .attempt_within(short, "browser_navigate", json!({"url": url}))
        .await
        .unwrap();
    assert!(reply.is_error && reply.timed_out(), "{}", text(&reply));
    assert!(
        text(&reply).contains("did not answer in time"),
        "{}",
        text(&reply)
    );
    gate.open();
    assert!(
        actor
            .visit("/after", "<p>After</p>")
            .await
            .contains("After")
    );
    actor.leave().await;
}

#[tokio::test]
async fn the_way_back_leads_through_documents_and_within_them() {
    let actor = Actor::enter().await;
    actor.visit("/one", "<h1>One</h1>").await;
    actor.visit("/two", "<h1>Two</h1>").await;
    let back = actor.call("browser_navigate_back", json!({})).await;
    assert!(back.snapshot.unwrap().contains("One"));
    let url = actor.site.url("/one#part");
    actor.go(&url).await;
    let back = actor.call("browser_navigate_back", json!({})).await;
    assert_eq!(back.page.unwrap().url, actor.site.url("/one"));
    actor.call("browser_navigate_back", json!({})).await;
    let at_the_start = actor.call("browser_navigate_back", json!({})).await;
    assert_eq!(at_the_start.page.unwrap().url, "about:blank");
    actor.leave().await;
}

#[tokio::test]
async fn a_snapshot_can_be_of_a_part_limited_and_saved() {
    let actor = Actor::enter().await;
    let body = "<ul><li><a href='/x'>A link</a></li></ul><main><button>Press</button></main>";
    let whole = actor.visit("/parts", body).await;
    let main = reference(&whole, "main");
    let part = actor
        .call("browser_snapshot", json!({"target": main}))
        .await
        .snapshot
        .unwrap();
    assert!(part.contains("Press") && !part.contains("A link"), "{part}");
    let shallow = actor
        .call("browser_snapshot", json!({"depth": 1}))
        .await
        .snapshot
        .unwrap();
    assert!(shallow.lines().count() < whole.lines().count(), "{shallow}");
    let boxes = actor
        .call("browser_snapshot", json!({"boxes": true}))
        .await
        .snapshot
        .unwrap();
    assert!(boxes.contains("[box="), "{boxes}");
    let saved = actor
        .call("browser_snapshot", json!({"filename": "../page.yml"}))
        .await;
    assert_eq!(
        (saved.files[0].name.as_str(), &saved.files[0].bytes[..]),
        ("page.yml", whole.as_bytes())
    );
    assert_eq!(
        section(&saved, "Snapshot").as_deref(),
        Some("- Snapshot: page.yml")
    );
    assert!(saved.snapshot.is_none());
    let missing = actor
        .refused("browser_snapshot", json!({"target": "e999"}))
        .await;
    assert!(missing.contains("e999"), "{missing}");
    let found = actor.call("browser_find", json!({"text": "press"})).await;
    let found = section(&found, "Result").unwrap();
    assert!(
        found.starts_with("Found 1 match for \"press\"") && found.contains("[ref="),
        "{found}"
    );
    let none = actor
        .call("browser_find", json!({"regex": "/PRESSED/"}))
        .await;
    assert!(text(&none).contains("No matches found"), "{}", text(&none));
    actor.leave().await;
}

#[tokio::test]
async fn code_runs_on_the_page_or_on_an_element_and_says_what_it_was() {
    let actor = Actor::enter().await;
    let shot = actor.visit("/code", "<button data-x=1>Go</button>").await;
    let reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => ({a: [1, null]})"}),
        )
        .await;
    assert_eq!(
        text(&reply),
        "### Result\n{\n  \"a\": [\n    1,\n    null\n  ]\n}\n### Ran Playwright code\n```js\nawait page.evaluate('() => ({a: [1, null]})');\n```"
    );
    let target = reference(&shot, "button");
    let on = json!({"function": "(b) => b.dataset.x", "target": target, "element": "Go"});
    let reply = actor.call("browser_evaluate", on).await;
    assert_eq!(section(&reply, "Result").unwrap(), "\"1\"");
    let code = section(&reply, "Ran Playwright code").unwrap();
    assert!(
        code.contains(
            "await page.getByRole('button', { name: 'Go' }).evaluate('(b) => b.dataset.x');"
        ),
        "{code}"
    );
    assert_eq!(actor.run("1 + 1").await, "2");
    assert_eq!(actor.run("() => {}").await, "undefined");
    let thrown = actor
        .refused(
            "browser_evaluate",
            json!({"function": "() => missing.field"}),
        )
        .await;
    assert!(
        thrown.contains("ReferenceError: missing is not defined"),
        "{thrown}"
    );
    let saved = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => 7", "filename": "r.json"}),
        )
        .await;
    assert_eq!(
        (saved.files[0].name.as_str(), &saved.files[0].bytes[..]),
        ("r.json", &b"7"[..])
    );
    let refused = actor
        .refused("browser_run_code_unsafe", json!({"code": "async () => 1"}))
        .await;
    assert!(
        refused.contains("browser_evaluate") && refused.contains("ENGINE=playwright"),
        "{refused}"
    );
    let unknown = actor.refused("browser_nonsense", json!({})).await;
    assert!(unknown.contains("not found"), "{unknown}");
    actor.leave().await;
}

#[tokio::test]
async fn code_that_starts_a_request_or_goes_elsewhere_is_waited_for() {
    let actor = Actor::enter().await;
    actor
        .site
        .serve("/data", Served::of("application/json", "{\"n\":5}"));
    actor.site.page("/next", "<h1>Next</h1>");
    actor.visit("/work", "<h1>Work</h1>").await;
    actor.run("() => { fetch('/data').then(r => r.json()).then(d => document.title = 'got ' + d.n); }").await;
    let title = actor
        .call("browser_snapshot", json!({}))
        .await
        .page
        .unwrap()
        .title;
    assert_eq!(title, "got 5");
    let reply = actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { location.href = '/next'; }"}),
        )
        .await;
    assert_eq!(reply.page.unwrap().title, "next");
    actor.leave().await;
}

#[tokio::test]
async fn texts_are_waited_for_until_they_come_or_go() {
    let actor = Actor::enter().await;
    let body = "<p id=p>old</p><script>setTimeout(() => { p.textContent = 'new'; }, 300)</script>";
    actor.visit("/wait", body).await;
    let reply = actor.call("browser_wait_for", json!({"text": "new"})).await;
    assert_eq!(section(&reply, "Result").unwrap(), "Waited for new");
    assert!(
        text(&reply)
            .contains("await page.getByText(\"new\").first().waitFor({ state: 'visible' });")
    );
    assert!(reply.snapshot.unwrap().contains("new"));
    actor
        .call("browser_wait_for", json!({"textGone": "old"}))
        .await;
    let begun = Instant::now();
    let reply = actor.call("browser_wait_for", json!({"time": 0.3})).await;
    assert!(begun.elapsed().as_millis() >= 300);
    assert_eq!(section(&reply, "Result").unwrap(), "Waited for 0.3 seconds");
    let reply = actor
        .attempt("browser_wait_for", json!({"text": "never"}))
        .await
        .unwrap();
    assert!(reply.is_error && reply.timed_out(), "{}", text(&reply));
    let nothing = actor.refused("browser_wait_for", json!({})).await;
    assert!(nothing.contains("must be provided"), "{nothing}");
    actor.leave().await;
}

#[tokio::test]
async fn the_console_is_listed_by_level_and_by_load() {
    let actor = Actor::enter().await;
    let body = "<script>console.log('note', {a: 1}); console.warn('careful'); console.debug('detail');\
                setTimeout(() => { throw new Error('late'); }); </script>";
    actor.visit("/talk", body).await;
    actor.call("browser_wait_for", json!({"time": 0.05})).await;
    let list = async |arguments| {
        let reply = actor.call("browser_console_messages", arguments).await;
        section(&reply, "Result").unwrap()
    };
    let info = list(json!({})).await;
    assert!(info.starts_with("Total messages: 4 (Errors: 1, Warnings: 1)\nReturning 3 messages for level \"info\"\n\n"), "{info}");
    assert!(
        info.contains("[LOG] note {a: 1} @ ") && info.contains("Error: late\n    at "),
        "{info}"
    );
    let errors = list(json!({"level": "error"})).await;
    assert!(
        errors.contains("late") && !errors.contains("careful"),
        "{errors}"
    );
    assert!(
        list(json!({"level": "debug"}))
            .await
            .contains("[DEBUG] detail")
    );
    actor.visit("/quiet", "<p>Quiet</p>").await;
    assert!(list(json!({})).await.starts_with("Total messages: 0"));
    assert!(list(json!({"all": true})).await.contains("careful"));
    let saved = actor
        .call(
            "browser_console_messages",
            json!({"filename": "c.log", "all": true}),
        )
        .await;
    assert_eq!(saved.files[0].name, "c.log");
    actor.leave().await;
}

#[tokio::test]
async fn requests_are_listed_by_number_and_shown_in_full() {
    let actor = Actor::enter().await;
    actor.site.serve(
        "/api",
        Served::of("application/json", "{\"ok\":true}").header("X-Mark", "7"),
    );
    actor.site.serve(
        "/moved",
        Served::html("")
            .status("302 Found")
            .header("Location", "/api"),
    );
    actor
        .site
        .serve("/pixel.png", Served::of("image/png", PIXEL));
    actor.visit("/net", "<img src='/pixel.png'>").await;
    let ask = "async () => { const get = async (...a) => (await fetch(...a)).text(); \
               await get('/api', {method: 'POST', body: 'sent'}); await get('/moved'); await get('/nothing'); \
               try { await fetch('http://127.0.0.1:9/'); } catch {} }";
    actor.run(ask).await;
    let list = async |arguments| {
        let reply = actor.call("browser_network_requests", arguments).await;
        section(&reply, "Result").unwrap()
    };
    let shown = list(json!({})).await;
    let api = actor.site.url("/api");
    assert!(
        shown.contains(&format!("[POST] {api} => [200] OK")),
        "{shown}"
    );
    assert!(shown.contains("/moved => [302] Found"), "{shown}");
    assert!(shown.contains("/nothing => [404] Not Found"), "{shown}");
    assert!(
        shown.contains("http://127.0.0.1:9/ => [FAILED] net::ERR_"),
        "{shown}"
    );
    assert!(
        shown.contains("Note: 2 static requests not shown"),
        "{shown}"
    );
    assert!(
        list(json!({"static": true}))
            .await
            .contains("/pixel.png => [200]")
    );
    let filtered = list(json!({"filter": "/api$"})).await;
    assert!(
        filtered.contains("/api") && !filtered.contains("/nothing"),
        "{filtered}"
    );
    let number: usize = filtered.split('.').next().unwrap().parse().unwrap();
    let part = async |part: &str| {
        let reply = actor
            .call(
                "browser_network_request",
                json!({"index": number, "part": part}),
            )
            .await;
        section(&reply, "Result").unwrap()
    };
    assert_eq!(part("request-body").await, "sent");
    assert_eq!(part("response-body").await, "{\"ok\":true}");
    assert!(part("response-headers").await.contains("x-mark: 7"));
    assert!(part("request-headers").await.contains("user-agent: "));
    let whole = actor
        .call("browser_network_request", json!({"index": number}))
        .await;
    let whole = section(&whole, "Result").unwrap();
    for expected in [
        &format!("#{number} [POST] {api}"),
        "    status:    [200] OK",
        "    type:      fetch",
        "    mimeType:  application/json",
        "  Response headers",
        "part=\"request-body\"",
    ] {
        assert!(whole.contains(expected), "{expected} in\n{whole}");
    }
    let picture = actor
        .call(
            "browser_network_request",
            json!({"index": 2, "part": "response-body"}),
        )
        .await;
    assert_eq!(
        (picture.files[0].name.as_str(), picture.files[0].bytes.len()),
        ("pixel.png", PIXEL.len())
    );
    let missing = actor
        .refused("browser_network_request", json!({"index": 99}))
        .await;
    assert!(
        missing.contains("Use browser_network_requests"),
        "{missing}"
    );
    let wrong = actor
        .refused("browser_network_requests", json!({"filter": "("}))
        .await;
    assert!(wrong.contains("regular expression"), "{wrong}");
    actor.leave().await;
}
