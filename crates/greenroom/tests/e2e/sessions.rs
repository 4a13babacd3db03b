//! Sessions: whose page a call sees, when a session loses its browser, and that nothing of one
//! holder is seen by the next.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{
    Legacy, Setup, Stateless, Stdio, TestServer, error_of, heading_of, meta, session_of, text_of,
};
use greenroom_testkit::site::Site;
use serde_json::{Value, json};

/// One isolated pool `P` whose callers keep their browsers.
fn sticky(instances: usize) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", &instances.to_string())
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
}

#[tokio::test(flavor = "multi_thread")]
async fn four_clients_without_a_session_id_each_see_only_their_own_page() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(4)).await;
    let mut web = Vec::new();
    for _ in 0..2 {
        web.push(Legacy::connect(&server.url).await);
    }
    let mut piped = vec![
        Stdio::start(&server.setup).await,
        Stdio::start(&server.setup).await,
    ];
    for round in 0..3 {
        for (n, client) in web.iter().enumerate() {
            let url = site.url(&format!("/named?name=web{n}-{round}"));
            client.call("browser_navigate", json!({"url": url})).await;
        }
        for (n, client) in piped.iter_mut().enumerate() {
            let url = site.url(&format!("/named?name=pipe{n}-{round}"));
            client.call("browser_navigate", json!({"url": url})).await;
        }
        for (n, client) in web.iter().enumerate() {
            let seen = client.call("browser_snapshot", json!({})).await;
            assert_eq!(heading_of(&seen), format!("This is web{n}-{round}"));
        }
        for (n, client) in piped.iter_mut().enumerate() {
            let seen = client.call("browser_snapshot", json!({})).await;
            assert_eq!(heading_of(&seen), format!("This is pipe{n}-{round}"));
        }
    }
    for client in piped {
        assert_eq!(client.close().await.code(), Some(0));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stateless_client_gets_an_id_from_navigate_and_an_explanation_without_one() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(2).set("_P_MIN_HOLD", "0")).await;
    server
        .all_healthy(&Legacy::connect(&server.url).await, 2)
        .await;
    let client = Stateless::new(&server.url);
    let text = error_of(&client.call("browser_snapshot", json!({})).await);
    assert!(
        text.contains("session_id is needed") && text.contains("browser_navigate"),
        "{text}"
    );
    let opened = client
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=one")}),
        )
        .await;
    let session = session_of(&opened);
    assert!(
        text_of(&opened).contains(&session),
        "the model must see the id too"
    );
    let other = client
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=two")}),
        )
        .await;
    assert_ne!(session_of(&other), session);
    let seen = client
        .call("browser_snapshot", json!({"session_id": session}))
        .await;
    assert_eq!(heading_of(&seen), "This is one");
    let bulk = json!({"commands": [
        {"tool": "browser_navigate", "args": {"url": site.url("/named?name=three")}},
    ]});
    // Both browsers are held: the session that was used longest ago gives up its own.
    assert_eq!(
        client.call("browser_execute_bulk", bulk).await["structuredContent"]["completed"],
        1
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_the_caller_names_is_made_on_first_use_and_stays_in_its_pool() {
    let site = Site::start().await;
    let setup = sticky(1)
        .set("_Q_INSTANCES", "1")
        .set("_Q_ISOLATED", "true");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let url = site.url("/named?name=dark");
    let args = json!({"url": url, "session_id": "dark-mode-test", "browser_pool": "Q"});
    assert_eq!(
        session_of(&client.call("browser_navigate", args).await),
        "dark-mode-test"
    );
    let elsewhere = json!({"session_id": "dark-mode-test", "browser_pool": "P"});
    let text = error_of(&client.call("browser_snapshot", elsewhere).await);
    assert!(text.contains("lives in pool 'Q'"), "{text}");
    let seen = client
        .call("browser_snapshot", json!({"session_id": "dark-mode-test"}))
        .await;
    assert_eq!(heading_of(&seen), "This is dark");

    let listed = client.call("list_sessions", json!({})).await["structuredContent"].clone();
    let named = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .any(|s| s["session_id"] == "dark-mode-test");
    assert!(named, "{listed:#}");
    let closed = client
        .call("close_session", json!({"session_id": "dark-mode-test"}))
        .await;
    assert_eq!(closed["structuredContent"]["state"], "closed");
    let gone = client
        .call(
            "browser_snapshot",
            json!({"session_id": "gr-nobodyhasthisone"}),
        )
        .await;
    assert!(error_of(&gone).contains("create_new_session"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiter_takes_the_browser_of_the_idle_session_which_is_then_told() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(1).set("_P_MIN_HOLD", "1")).await;
    let (first, second) = (
        Legacy::connect(&server.url).await,
        Legacy::connect(&server.url).await,
    );
    first
        .call(
            "browser_navigate",
            json!({"url": site.url("/mark?name=first")}),
        )
        .await;
    let took = second
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=second")}),
        )
        .await;
    assert_eq!(heading_of(&took), "This is second");
    let back = first
        .call(
            "browser_navigate",
            json!({"url": site.url("/named?name=back")}),
        )
        .await;
    assert_eq!(meta(&back, "state_lost"), true);
    let text = text_of(&back);
    assert!(
        text.starts_with("Note: ") && text.contains("another caller needed"),
        "{text}"
    );
    let again = first.call("browser_snapshot", json!({})).await;
    assert_eq!(meta(&again, "state_lost"), Value::Null, "told once");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_one_holder_is_seen_by_the_next() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(1).set("_P_MIN_HOLD", "0")).await;
    for round in 0..2 {
        let marker = Legacy::connect(&server.url).await;
        marker
            .call(
                "browser_navigate",
                json!({"url": site.url("/mark?name=canary")}),
            )
            .await;
        marker
            .call("browser_wait_for", json!({"text": "marked by canary"}))
            .await;
        marker
            .call(
                "browser_tabs",
                json!({"action": "new", "url": site.url("/named?name=tab")}),
            )
            .await;
        // An open dialog must not survive, nor stand in the way of the reset.
        let dialog = json!({"function": "() => { setTimeout(() => alert('canary'), 0); }"});
        marker.call("browser_evaluate", dialog).await;

        let looker = Legacy::connect(&server.url).await;
        looker
            .call("browser_navigate", json!({"url": site.url("/look")}))
            .await;
        let waited = looker
            .call("browser_wait_for", json!({"text": "found: "}))
            .await;
        assert_eq!(waited["isError"], false, "{waited:#}");
        let seen = looker.call("browser_snapshot", json!({})).await;
        assert_eq!(heading_of(&seen), "found: nothing", "round {round}");
        let tabs = text_of(&looker.call("browser_tabs", json!({"action": "list"})).await);
        assert!(
            !tabs.contains("name=tab") && !tabs.contains("- 1:"),
            "{tabs}"
        );
        looker.disconnect().await;
        marker.disconnect().await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_one_session_run_in_order() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(2)).await;
    let client = Legacy::connect(&server.url).await;
    let visit = |name: &str, ms: u32| {
        let url = site.url(&format!("/slow?ms={ms}&order={name}"));
        client.call(
            "browser_navigate",
            json!({"url": url, "session_id": "one-by-one"}),
        )
    };
    tokio::join!(visit("a", 900), visit("b", 10), visit("c", 10));
    let visits = site.visits("/slow");
    for pair in visits.windows(2) {
        assert!(pair[0].ended.unwrap() <= pair[1].began, "{visits:#?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_may_begin_with_cookies_and_storage() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(1)).await;
    let client = Legacy::connect(&server.url).await;
    let origin = site.url("");
    let state = json!({
        "cookies": [{"name": "canary", "value": "yes", "url": origin}],
        "origins": [{"origin": origin, "localStorage": [{"name": "k", "value": "v"}]}],
    });
    let created = client
        .call(
            "create_new_session",
            json!({"storage_state": state, "label": "signed in"}),
        )
        .await;
    let id = created["structuredContent"]["session_id"].as_str().unwrap();
    client
        .call(
            "browser_navigate",
            json!({"url": site.url("/look"), "session_id": id}),
        )
        .await;
    client
        .call(
            "browser_wait_for",
            json!({"text": "found: ", "session_id": id}),
        )
        .await;
    let seen = client
        .call("browser_snapshot", json!({"session_id": id}))
        .await;
    assert_eq!(heading_of(&seen), "found: cookie, localStorage");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_idle_for_too_long_loses_its_browser_and_is_told() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(1).set("SESSION_TIMEOUT", "1")).await;
    let client = Legacy::connect(&server.url).await;
    let url = site.url("/named?name=idle");
    client.call("browser_navigate", json!({"url": url})).await;
    server
        .until(&client, |status| status["summary"]["leased_instances"] == 0)
        .await;
    let late = client.call("browser_snapshot", json!({})).await;
    assert_eq!(meta(&late, "state_lost"), true);
    assert!(text_of(&late).contains("SESSION_TIMEOUT"), "{late:#}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_names_an_instance_gets_it_once_its_idle_session_has_had_it_long_enough() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(2).set("_P_MIN_HOLD", "1")).await;
    let client = Legacy::connect(&server.url).await;
    let url = site.url("/named?name=holder");
    client.call("browser_navigate", json!({"url": url})).await;
    let status = client.call("browser_pool_status", json!({})).await;
    let instances = status["structuredContent"]["pools"][0]["instances"].clone();
    let held = instances
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["leased"] == true);
    let held = held.unwrap()["id"].clone();
    let url = site.url("/named?name=keyed");
    let keyed = json!({"url": url, "browser_instance": held});
    assert_eq!(
        heading_of(&client.call("browser_navigate", keyed).await),
        "This is keyed"
    );
    let back = client.call("browser_snapshot", json!({})).await;
    assert_eq!(meta(&back, "state_lost"), true);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_disconnects_gives_its_browser_back_wiped() {
    let site = Site::start().await;
    let server = TestServer::start(sticky(1)).await;
    let (leaver, other) = (
        Legacy::connect(&server.url).await,
        Legacy::connect(&server.url).await,
    );
    let url = site.url("/mark?name=leaver");
    leaver.call("browser_navigate", json!({"url": url})).await;
    leaver.disconnect().await;
    // MIN_HOLD is 10 s: only a browser that came back at once serves this in time.
    other
        .call("browser_navigate", json!({"url": site.url("/look")}))
        .await;
    other
        .call("browser_wait_for", json!({"text": "found: "}))
        .await;
    let seen = other.call("browser_snapshot", json!({})).await;
    assert_eq!(heading_of(&seen), "found: nothing");
    assert_eq!(meta(&seen, "state_lost"), Value::Null);
    server.stop().await;
}
