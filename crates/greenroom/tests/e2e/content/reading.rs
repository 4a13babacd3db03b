//! Cursors: a page is given once, and then what is new in it.

use greenroom_testkit::site::Site;
use serde_json::{Value, json};

use super::{browsers, open, read, ref_in, ref_of, told};
use crate::support::{Legacy, Stateless, TestServer, text_of};

const UNCHANGED: &str = "unchanged since you last read this page";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_given_once_then_nothing_then_what_changed_with_refs_that_work() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let first = open(&client, &site.url("/list")).await;
    let page = told(&client, &first, json!({})).await;
    assert!(page.contains("\"Item 1\"") && page.contains("\"Item 900\""));
    let again = told(&client, &first, json!({})).await;
    assert!(
        again.contains(UNCHANGED) && !again.contains("Item"),
        "{again}"
    );

    let mut target = ref_in(&page, "\"Item 450\"");
    for times in 1..=2 {
        let click = json!({"target": target, "element": "an item"});
        let clicked = client.call("browser_click", click).await;
        assert_eq!(clicked["isError"], false, "{clicked:#}");
        let diff = told(&client, &ref_of(&clicked), json!({"mode": "diff"})).await;
        assert!(
            diff.len() * 50 < page.len(),
            "{} of {}: {diff}",
            diff.len(),
            page.len()
        );
        let new = diff
            .lines()
            .find(|line| line.starts_with('+') && line.contains("Item 450"));
        let new = new.unwrap_or_else(|| panic!("no new line in {diff}"));
        assert!(new.contains(&format!("pressed {times}")), "{diff}");
        target = ref_in(new, "Item 450");
    }
    let now = client.call("browser_snapshot", json!({})).await;
    let now = told(&client, &ref_of(&now), json!({})).await;
    assert!(
        now.contains(UNCHANGED),
        "the answer to the click showed it: {now}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reader_has_a_cursor_and_single_requests_share_one() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let ref_id = open(&client, &site.url("/list?count=20")).await;
    let other = Legacy::connect(&server.url).await;
    for reader in [&client, &other] {
        assert!(told(reader, &ref_id, json!({})).await.contains("Item 20"));
        assert!(told(reader, &ref_id, json!({})).await.contains(UNCHANGED));
    }
    let ask = json!({"ref_id": ref_id});
    let (one, two) = (Stateless::new(&server.url), Stateless::new(&server.url));
    let first = text_of(&one.call("get_content", ask.clone()).await);
    assert!(first.contains("Item 20"), "{first}");
    let second = text_of(&two.call("get_content", ask).await);
    assert!(second.contains(UNCHANGED), "{second}");

    // All of it again, as often as it is asked for; and the cursor stays where it is.
    for all in [json!({"reset_cursor": true}), json!({"mode": "full"})] {
        for _ in 0..2 {
            assert!(
                told(&client, &ref_id, all.clone())
                    .await
                    .contains("Item 20")
            );
        }
        assert!(told(&client, &ref_id, json!({})).await.contains(UNCHANGED));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_spans_answers_and_belongs_to_one_tab_of_one_session() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(2)).await;
    let client = Legacy::connect(&server.url).await;
    let url = site.url("/list?count=20");
    let first = open(&client, &url).await;
    assert!(told(&client, &first, json!({})).await.contains("Item 20"));
    let seen_again = client.call("browser_snapshot", json!({})).await;
    let text = told(&client, &ref_of(&seen_again), json!({})).await;
    assert!(text.contains(UNCHANGED), "{text}");

    // The same page in another tab, and in another session, is another thing to read.
    let tab = json!({"action": "new", "url": url});
    let opened = client.call("browser_tabs", tab).await;
    assert_eq!(opened["isError"], false, "{opened:#}");
    let in_tab = client.call("browser_snapshot", json!({})).await;
    let text = told(&client, &ref_of(&in_tab), json!({})).await;
    assert!(text.contains("Item 20"), "{text}");
    let back = json!({"action": "select", "index": 0});
    client.call("browser_tabs", back).await;
    let in_first = client.call("browser_snapshot", json!({})).await;
    let text = told(&client, &ref_of(&in_first), json!({})).await;
    assert!(text.contains(UNCHANGED), "{text}");

    let elsewhere = json!({"url": url, "session_id": "elsewhere"});
    let elsewhere = client.call("browser_navigate", elsewhere).await;
    let text = told(&client, &ref_of(&elsewhere), json!({})).await;
    assert!(text.contains("Item 20"), "{text}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_searches_queries_and_comparisons_leave_the_cursor_alone() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let first = open(&client, &site.url("/list?count=60")).await;
    let others = |since: &str| -> Vec<Value> {
        vec![
            json!({"offset": 3, "limit": 2}),
            json!({"offset": 0, "limit": 100, "unit": "bytes"}),
            json!({"search_for": "item 7"}),
            json!({"search_for": "item", "history": true}),
            json!({"query": "nodes[?role=='button'].ref"}),
            json!({"since": since}),
        ]
    };
    for other in others(&first) {
        told(&client, &first, other).await;
    }
    let page = told(&client, &first, json!({})).await;
    assert!(
        page.contains("all of it") && page.contains("Item 60"),
        "{page}"
    );

    let target = ref_in(&page, "\"Item 7\"");
    let clicked = client
        .call("browser_click", json!({"target": target}))
        .await;
    let clicked = ref_of(&clicked);
    for other in others(&first) {
        told(&client, &clicked, other).await;
    }
    let diff = read(&client, &clicked, json!({"mode": "diff"})).await;
    let diff = text_of(&diff);
    assert!(
        diff.contains("Item 7 pressed 1") && diff.contains(&first),
        "{diff}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_too_long_to_be_given_at_once_is_still_read_once_and_then_by_its_changes() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    open(&client, &site.url("/")).await;
    let fill = "() => { const long = 'word '.repeat(6000);
        document.body.innerHTML = Array.from({length: 45}, (_, n) => `<p>${n} ${long}</p>`).join('')
          + '<button onclick=\"this.textContent = 1\">Press</button>'; }";
    client
        .call("browser_evaluate", json!({"function": fill}))
        .await;
    let first = ref_of(&client.call("browser_snapshot", json!({})).await);
    let beginning = told(&client, &first, json!({})).await;
    assert!(
        beginning.contains("go on with offset"),
        "{}",
        beginning.len()
    );
    assert!(beginning.len() < 1 << 20, "{}", beginning.len());
    let again = told(&client, &first, json!({})).await;
    assert!(again.starts_with("[greenroom] "), "{}", again.len());

    client
        .call("browser_click", json!({"target": "button"}))
        .await;
    let second = ref_of(&client.call("browser_snapshot", json!({})).await);
    let diff = told(&client, &second, json!({"mode": "diff"})).await;
    assert!(
        diff.contains("+") && diff.contains("button \"1\""),
        "{}",
        diff.len()
    );
    assert!(!again.contains("Press"), "{again}");
    server.stop().await;
}
