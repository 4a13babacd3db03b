//! A pool of Firefox beside a pool of Chromium: a caller cannot tell them apart but by asking.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{
    Legacy, Setup, TestServer, error_of, heading_of, said_by, session_of, text_of,
};
use greenroom_testkit::site::Site;
use serde_json::{Value, json};

const POOLS: [&str; 2] = ["CHROMES", "FOXES"];

/// One isolated browser in each pool.
fn side_by_side() -> Setup {
    Setup::new()
        .set("ISOLATED", "true")
        // A reset starts a browser anew, and on a busy machine Firefox takes its time.
        .set("_FOXES_LEASE_TIMEOUT", "60000")
        .set("_CHROMES_INSTANCES", "1")
        .set("_CHROMES_IS_DEFAULT", "true")
        .set("_FOXES_INSTANCES", "1")
        .set("_FOXES_BROWSER", "firefox")
}

/// Makes the same calls in a pool and gives what was seen, call by call.
async fn walk(client: &Legacy, site: &Site, pool: &str) -> Vec<(&'static str, String)> {
    let steps = [
        ("browser_navigate", json!({"url": site.url("/button")})),
        ("browser_snapshot", json!({})),
        (
            "browser_click",
            json!({"element": "the button", "target": "e2"}),
        ),
        ("browser_snapshot", json!({})),
        (
            "browser_evaluate",
            json!({"function": "() => [document.title, window.clicks]"}),
        ),
        (
            "browser_click",
            json!({"element": "nothing", "target": "#missing"}),
        ),
        ("browser_navigate", json!({"url": site.url("/errors")})),
        ("browser_console_messages", json!({"level": "error"})),
        ("browser_navigate", json!({"url": site.url("/kept")})),
        (
            "browser_click",
            json!({"element": "the link", "target": "a"}),
        ),
        ("browser_tabs", json!({"action": "list"})),
        ("browser_navigate_back", json!({})),
    ];
    let mut seen = Vec::new();
    for (tool, mut arguments) in steps {
        arguments["browser_pool"] = pool.into();
        let result = client.call(tool, arguments).await;
        let text = text_of(&result);
        // One engine adds what to do next, and names by role what was asked for by a selector.
        let said = said_by(&text).split(" Take a snapshot").next().unwrap();
        let by_role = "page.getByRole('link', { name: 'a link' })";
        seen.push((tool, said.replace("page.locator('a')", by_role)));
    }
    seen
}

/// Width and height, from the head of a PNG.
async fn screenshot_size(client: &Legacy, pool: &str) -> (u32, u32) {
    let shot = client
        .call("browser_take_screenshot", json!({"browser_pool": pool}))
        .await;
    let is_image = |block: &&Value| block["mimeType"] == "image/png";
    let mut blocks = shot["content"].as_array().unwrap().iter();
    let image = blocks.find(is_image).unwrap_or_else(|| panic!("{shot:#}"));
    // 32 characters of base64 are the 24 bytes that end with the size.
    let head = decode(&image["data"].as_str().unwrap()[..32]);
    assert_eq!(&head[1..4], b"PNG");
    let number = |at: usize| u32::from_be_bytes(head[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

fn decode(base64: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = |c: char| u32::try_from(ALPHABET.find(c).unwrap()).unwrap();
    let four = |chars: Vec<char>| chars.into_iter().fold(0, |sum, c| sum << 6 | bits(c));
    let characters: Vec<char> = base64.chars().collect();
    let groups = characters.chunks(4).map(|group| four(group.to_vec()));
    groups
        .flat_map(|group| group.to_be_bytes()[1..].to_vec())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_calls_show_the_same_in_firefox_and_in_chromium() {
    let site = Site::start().await;
    let server = TestServer::start(side_by_side()).await;
    let client = Legacy::connect(&server.url).await;
    let [chromium, firefox] = POOLS.map(|pool| walk(&client, &site, pool));
    let (chromium, firefox) = tokio::join!(chromium, firefox);
    for (in_chromium, in_firefox) in chromium.iter().zip(&firefox) {
        assert_eq!(in_firefox, in_chromium);
    }
    assert!(chromium[3].1.contains("clicked 1"), "{}", chromium[3].1);
    assert!(chromium[10].1.contains("name=linked"), "{}", chromium[10].1);
    assert!(chromium[11].1.contains("Kept"), "{}", chromium[11].1);
    let agents = POOLS.map(|pool| {
        let ask = json!({"function": "() => navigator.userAgent", "browser_pool": pool});
        client.call("browser_evaluate", ask)
    });
    let [chromium, firefox] = agents;
    let (chromium, firefox) = tokio::join!(chromium, firefox);
    assert!(text_of(&chromium).contains("Chrome/"));
    assert!(text_of(&firefox).contains("Firefox/"));
    let [chromium, firefox] = POOLS.map(|pool| screenshot_size(&client, pool));
    assert_eq!(tokio::join!(chromium, firefox), ((1280, 720), (1280, 720)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_leaves_nothing_in_either() {
    let site = Site::start().await;
    let server = TestServer::start(side_by_side()).await;
    let [chromium, firefox] = POOLS.map(|pool| mark_and_look(&server, &site, pool));
    tokio::join!(chromium, firefox);
    server.stop().await;
}

/// One holder leaves traces, a tab and a dialog; the next one looks for them.
async fn mark_and_look(server: &TestServer, site: &Site, pool: &str) {
    let (marker, looker) = tokio::join!(Legacy::connect(&server.url), Legacy::connect(&server.url));
    let mark = site.url(&format!("/mark?name={pool}"));
    let marked = json!({"url": mark, "browser_pool": pool});
    let session = session_of(&marker.call("browser_navigate", marked).await);
    let done = json!({"text": format!("marked by {pool}"), "session_id": session});
    let done = marker.call("browser_wait_for", done).await;
    assert_eq!(done["isError"], false, "{pool}: {done:#}");
    // The traces are there to be found, or the look below proves nothing.
    assert_eq!(
        look(&marker, site, &session).await,
        "found: cookie, localStorage, sessionStorage, caches, serviceWorker, indexedDB"
    );
    let tab = json!({"action": "new", "url": site.url("/named?name=tab"), "session_id": session});
    marker.call("browser_tabs", tab).await;
    let dialog = "() => { setTimeout(() => alert('canary'), 0); }";
    let dialog = json!({"function": dialog, "session_id": session});
    marker.call("browser_evaluate", dialog).await;
    marker
        .call("close_session", json!({"session_id": session}))
        .await;

    let first = json!({"url": site.url("/"), "browser_pool": pool});
    let opened = looker.call("browser_navigate", first).await;
    assert_eq!(opened["isError"], false, "{opened:#}\n{}", server.log());
    let session = session_of(&opened);
    assert_eq!(
        look(&looker, site, &session).await,
        "found: nothing",
        "{pool}"
    );
    let list = json!({"action": "list", "session_id": session});
    let tabs = text_of(&looker.call("browser_tabs", list).await);
    assert!(
        !tabs.contains("name=tab") && !tabs.contains("- 1:"),
        "{tabs}"
    );
}

/// What a page finds of the traces that another may have left.
async fn look(client: &Legacy, site: &Site, session: &str) -> String {
    let page = json!({"url": site.url("/look"), "session_id": session});
    client.call("browser_navigate", page).await;
    let found = json!({"text": "found: ", "session_id": session});
    let found = client.call("browser_wait_for", found).await;
    assert_eq!(found["isError"], false, "{found:#}");
    heading_of(
        &client
            .call("browser_snapshot", json!({"session_id": session}))
            .await,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_firefox_that_is_not_there_is_named_with_what_installs_it() {
    let setup = side_by_side().set("_FOXES_EXECUTABLE_PATH", "/nonexistent/firefox");
    let server = TestServer::start_listening(setup).await;
    let client = Legacy::connect(&server.url).await;
    let refused = client
        .call("browser_snapshot", json!({"browser_pool": "FOXES"}))
        .await;
    let text = error_of(&refused);
    assert!(
        text.contains("/nonexistent/firefox") && text.contains("apt-get install firefox-esr"),
        "{text}"
    );
    // The pool beside it serves.
    let fine = json!({"function": "() => 6 * 7"});
    assert!(text_of(&client.call("browser_evaluate", fine).await).contains("42"));
    server.stop().await;
}
