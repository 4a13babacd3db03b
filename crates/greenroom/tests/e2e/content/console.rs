//! Console messages that come with an answer.

use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::{CallRule, Reply, Script};
use serde_json::{Value, json};

use super::{browsers, ref_of};
use crate::support::{Legacy, TestServer, meta, text_of};

/// The answer of an upstream that writes messages into it, and not into a file beside it.
const INLINE: &str = "### Ran Playwright code\n```js\nawait page.goto('http://a.test/');\n```\n\
    ### Page\n- Page URL: http://a.test/\n- Page Title: Inline\n\
    ### Snapshot\n```yaml\n- heading \"Inline\" [level=1] [ref=e1]\n```\n\
    ### Events\n- [ERROR] first error @ http://a.test/:1\n- [WARNING] a warning @ http://a.test/:1\n\
    - [LOG] a note @ http://a.test/:1\n- [ERROR] second error @ http://a.test/:1";

/// Goes to a page that logs two errors, a warning and a note, and reads them in every way.
async fn assert_counted(client: &Legacy, url: &str) {
    let open = json!({"url": url, "response_mode": "ref"});
    let opened = client.call("browser_navigate", open).await;
    let told = meta(&opened, "metadata");
    assert_eq!(told["console_error_count"], 2, "{opened:#}");
    assert_eq!(told["has_console_logs"], true, "{opened:#}");
    let text = text_of(&opened);
    assert!(text.contains("- console_error_count: 2"), "{text}");

    let ref_id = ref_of(&opened);
    let newest_first = ["second error", "a note", "a warning", "first error"];
    for (level, wanted) in [
        (None, &newest_first[..]),
        (Some("debug"), &newest_first[..]),
        (Some("info"), &newest_first[..]),
        (
            Some("warning"),
            &["second error", "a warning", "first error"],
        ),
        (Some("error"), &["second error", "first error"]),
    ] {
        let ask = json!({"ref_id": ref_id, "level": level});
        let text = text_of(&client.call("get_console_content", without_null(ask)).await);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), wanted.len() + 1, "{level:?}: {text}");
        for (line, wanted) in lines.iter().zip(wanted) {
            assert!(line.contains(wanted), "{level:?}: {text}");
        }
        assert!(text.contains("2 of them errors"), "{text}");
    }
}

fn without_null(mut arguments: Value) -> Value {
    let fields = arguments.as_object_mut().unwrap();
    fields.retain(|_, value| !value.is_null());
    arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_a_page_are_counted_and_read_by_level_newest_first() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    assert_counted(&client, &site.url("/errors")).await;

    // A page that says nothing has nothing, and what was said before is not said again.
    let quiet = json!({"url": site.url("/named?name=quiet"), "response_mode": "ref"});
    let quiet = client.call("browser_navigate", quiet).await;
    assert_eq!(
        meta(&quiet, "metadata")["console_error_count"],
        0,
        "{quiet:#}"
    );
    let none = json!({"ref_id": ref_of(&quiet), "level": "error"});
    let none = text_of(&client.call("get_console_content", none).await);
    assert!(none.contains("no console messages of this level"), "{none}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_that_an_upstream_tells_in_its_answer_are_counted_alike() {
    let inline = Script::for_calls(CallRule {
        tool: Some("browser_navigate".to_owned()),
        reply: Reply::Text(INLINE.to_owned()),
        ..CallRule::default()
    });
    let server = TestServer::start(browsers(1).upstream("_P", inline)).await;
    let client = Legacy::connect(&server.url).await;
    assert_counted(&client, "http://a.test/").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_errors_are_all_counted() {
    const ERRORS: u64 = 8000;
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    client
        .call("browser_navigate", json!({"url": site.url("/")}))
        .await;
    let fail = format!(
        "() => {{ for (let n = 0; n < {ERRORS}; n++) console.error('failure ' + n + ' of a page'.repeat(20)); }}"
    );
    // Those that come late are with the next answer.
    let failing = json!({"function": fail, "response_mode": "ref"});
    let mut counted = 0;
    let mut last = client.call("browser_evaluate", failing).await;
    for _ in 0..10 {
        counted += meta(&last, "metadata")["console_error_count"]
            .as_u64()
            .unwrap();
        if counted >= ERRORS {
            break;
        }
        let look = json!({"response_mode": "ref"});
        last = client.call("browser_snapshot", look).await;
    }
    assert_eq!(counted, ERRORS);
    server.stop().await;
}
