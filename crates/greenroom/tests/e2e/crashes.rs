//! Browsers, pages and upstreams that are killed while they are in use.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{
    Legacy, Proc, Setup, TestServer, browser_of, error_of, heading_of, meta, renderers_of, root_of,
    text_of,
};
use greenroom_testkit::site::Site;
use serde_json::{Value, json};
use tokio::time::Instant;

/// What a caller may have to wait for the news of a death.
const AT_ONCE: Duration = Duration::from_secs(1);

/// What a look at a sibling may take on a busy machine; a restart takes longer.
const BESIDE: Duration = Duration::from_secs(2);

/// The first back-off, and a start on a busy machine.
const BACK_AGAIN: Duration = Duration::from_secs(1 + 15);

/// A pool `P` of two, whose callers keep their browsers, without probes that could find a death
/// before the call does.
fn two(engine: &str, process: &str) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", "2")
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
        .set("_P_ENGINE", engine)
        .set("_P_PROCESS", process)
        .set("_P_HEALTH_CHECK_INTERVAL", "1h")
}

/// A page whose button asks the site for something and holds everything up until it comes.
async fn open_blocking_page(client: &Legacy, site: &Site) {
    let page = json!({"url": site.url("/button")});
    client.call("browser_navigate", page).await;
    let arm = "() => { document.querySelector('button').onclick = () => { const ask = new XMLHttpRequest(); ask.open('GET', '/slow?ms=25000', false); ask.send(); }; }";
    let armed = client
        .call("browser_evaluate", json!({"function": arm}))
        .await;
    assert_eq!(armed["isError"], false, "{armed:#}");
}

/// Who is killed.
#[derive(Debug, Clone, Copy)]
enum Victim {
    /// A browser below an upstream.
    Browser,
    Upstream,
    /// A browser that is driven without an upstream, and has one world.
    OwnBrowser,
}

impl Victim {
    const ALL: [Self; 3] = [Self::Browser, Self::Upstream, Self::OwnBrowser];

    fn setup(self) -> Setup {
        match self {
            Self::Browser | Self::Upstream => two("playwright", "auto"),
            Self::OwnBrowser => two("native", "dedicated"),
        }
    }

    fn of(self, instance: &Value) -> Proc {
        match self {
            Self::Browser => browser_of(instance),
            Self::Upstream | Self::OwnBrowser => root_of(instance),
        }
    }

    /// What the status must say about it.
    fn sign(self) -> &'static str {
        match self {
            Self::Browser => "browser ended",
            Self::Upstream | Self::OwnBrowser => "SIGKILL",
        }
    }
}

/// The instance in which the session of this client lives.
async fn instance_of(server: &TestServer, client: &Legacy) -> Value {
    let status = server.until(client, |_| true).await;
    let instances = status["pools"][0]["instances"].as_array().unwrap().clone();
    let mut held = instances.into_iter().filter(|i| i["leased"] == true);
    let instance = held.next().expect("no instance is held");
    assert!(held.next().is_none(), "more than one instance is held");
    instance
}

/// Kills the victim as soon as the site has been asked for the slow thing that the call waits for,
/// and says when.
async fn kill_in_mid_call(site: &Site, victim: Proc) -> Instant {
    site.visited("/slow", 1).await;
    victim.kill();
    Instant::now()
}

async fn a_click_dies_with(victim: Victim) {
    let site = Site::start().await;
    let server = TestServer::start(victim.setup()).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    open_blocking_page(&client, &site).await;
    let before = instance_of(&server, &client).await;
    let id = before["id"].as_str().unwrap();
    let sibling = Legacy::connect(&server.url).await;
    let named = json!({"url": site.url("/named?name=sibling")});
    sibling.call("browser_navigate", named).await;

    let click = async {
        let result = client
            .call("browser_click", json!({"target": "button"}))
            .await;
        (result, Instant::now())
    };
    let beside = async {
        let killed = kill_in_mid_call(&site, victim.of(&before)).await;
        let seen = sibling.call("browser_snapshot", json!({})).await;
        (seen, killed, killed.elapsed())
    };
    let ((click, told), (seen, killed, sibling_waited)) = tokio::join!(click, beside);
    let late = told.duration_since(killed);
    assert!(late < AT_ONCE, "told {late:?} after the death");
    let text = error_of(&click);
    assert!(
        text.contains("was lost during browser_click") && text.contains("outcome: unknown"),
        "{text}"
    );
    assert_eq!(meta(&click, "outcome"), "unknown");
    assert_eq!(heading_of(&seen), "This is sibling");
    assert!(
        sibling_waited < BESIDE,
        "the sibling waited {sibling_waited:?}"
    );

    let after = server
        .instance_until(&sibling, ("P", id), |instance| {
            instance["status"] == "healthy" && instance["restarts"] == 1
        })
        .await;
    let back = killed.elapsed();
    assert!(back < BACK_AGAIN, "healthy again after {back:?}");
    assert_ne!(after["process_id"], before["process_id"]);
    let reason = after["last_failure"]["reason"].as_str().unwrap();
    assert!(reason.contains(victim.sign()), "{reason}");

    let next = client.call("browser_snapshot", json!({})).await;
    assert_eq!(meta(&next, "state_lost"), true, "{next:#}");
    assert!(
        text_of(&next).contains("earlier state of this session"),
        "{next:#}"
    );
    let later = client.call("browser_snapshot", json!({})).await;
    assert_eq!(meta(&later, "state_lost"), Value::Null, "told twice");
    assert_eq!(site.visits("/slow").len(), 1, "the click was repeated");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_whose_browser_is_killed_has_an_unknown_outcome_and_nobody_else_notices() {
    a_click_dies_with(Victim::Browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_whose_upstream_is_killed_has_an_unknown_outcome_and_nobody_else_notices() {
    a_click_dies_with(Victim::Upstream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_whose_own_browser_is_killed_has_an_unknown_outcome_and_nobody_else_notices() {
    a_click_dies_with(Victim::OwnBrowser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_who_share_a_browser_are_told_of_its_death_and_get_fresh_worlds() {
    let site = Site::start().await;
    let server = TestServer::start(two("native", "shared")).await;
    let clients = [
        Legacy::connect(&server.url).await,
        Legacy::connect(&server.url).await,
    ];
    server.all_healthy(&clients[0], 2).await;
    for client in &clients {
        let page = json!({"url": site.url("/named?name=held")});
        client.call("browser_navigate", page).await;
    }
    let status = server.until(&clients[0], |_| true).await;
    let both = status["pools"][0]["instances"].as_array().unwrap();
    assert_eq!(both[0]["process_id"], both[1]["process_id"]);
    root_of(&both[0]).kill();
    for client in &clients {
        let mut next = client.call("browser_snapshot", json!({})).await;
        if next["isError"] == true {
            assert!(error_of(&next).contains("was lost"), "{next:#}");
            next = client.call("browser_snapshot", json!({})).await;
        }
        assert_eq!(meta(&next, "state_lost"), true, "{next:#}");
        assert_page_loads(client, &site, "again").await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_dies_with_its_browser_or_upstream_has_changed_nothing() {
    for victim in Victim::ALL {
        let site = Site::start().await;
        let server = TestServer::start(victim.setup()).await;
        let client = Legacy::connect(&server.url).await;
        server.all_healthy(&client, 2).await;
        open_blocking_page(&client, &site).await;
        let before = instance_of(&server, &client).await;
        // A blocked page cannot be looked at. It must not block before this call has its answer.
        let block = "() => { setTimeout(() => document.querySelector('button').click(), 3000); }";
        client
            .call("browser_evaluate", json!({"function": block}))
            .await;
        site.visited("/slow", 1).await;
        let watcher = Legacy::connect(&server.url).await;
        let snapshot = async {
            let result = client.call("browser_snapshot", json!({})).await;
            (result, Instant::now())
        };
        let killing = async {
            let id = before["id"].as_str().unwrap();
            let in_call = |i: &Value| i["activity"] == "browser_snapshot";
            server.instance_until(&watcher, ("P", id), in_call).await;
            victim.of(&before).kill();
            Instant::now()
        };
        let ((snapshot, told), killed) = tokio::join!(snapshot, killing);
        let late = told.duration_since(killed);
        assert!(late < AT_ONCE, "told {late:?} after the death");
        let text = error_of(&snapshot);
        assert!(
            text.contains("Nothing was changed") && !text.contains("outcome: unknown"),
            "{victim:?}: {text}"
        );
        assert_eq!(meta(&snapshot, "outcome"), "error");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_browser_died_while_it_was_idle_is_told_with_its_next_call() {
    for victim in Victim::ALL {
        let site = Site::start().await;
        let server = TestServer::start(victim.setup()).await;
        let client = Legacy::connect(&server.url).await;
        server.all_healthy(&client, 2).await;
        let page = json!({"url": site.url("/named?name=held")});
        client.call("browser_navigate", page).await;
        let held = instance_of(&server, &client).await;
        victim.of(&held).kill();
        // Without a wait: whether the death has been noticed yet or not, it is not hidden.
        let mut next = client.call("browser_snapshot", json!({})).await;
        if next["isError"] == true {
            let text = error_of(&next);
            assert!(text.contains("was lost"), "{victim:?}: {text}");
            next = client.call("browser_snapshot", json!({})).await;
        }
        assert_eq!(meta(&next, "state_lost"), true, "{victim:?}: {next:#}");
        let id = held["id"].as_str().unwrap();
        let after = server
            .instance_until(&client, ("P", id), |instance| {
                instance["status"] == "healthy"
            })
            .await;
        assert_eq!(after["restarts"], 1);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_crashes_costs_its_caller_the_page_and_nobody_the_browser() {
    pages_crash_in(two("playwright", "auto")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_crashes_in_a_shared_browser_costs_its_caller_the_page() {
    pages_crash_in(two("native", "shared")).await;
}

async fn pages_crash_in(setup: Setup) {
    let site = Site::start().await;
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    let page = json!({"url": site.url("/named?name=crashing")});
    client.call("browser_navigate", page).await;
    let before = instance_of(&server, &client).await;
    // The engine may hear of the crash by the call itself, or have heard of it before.
    for pause in [Duration::ZERO, Duration::from_millis(500)] {
        let renderers = renderers_of(&before);
        assert!(!renderers.is_empty());
        for renderer in &renderers {
            renderer.kill();
        }
        tokio::time::sleep(pause).await;
        let next = client.call("browser_snapshot", json!({})).await;
        let text = error_of(&next);
        assert!(
            text.contains("crashed") && text.contains("navigate"),
            "{text}"
        );
        assert_eq!(meta(&next, "outcome"), "error", "a look changes nothing");
        assert_page_loads(&client, &site, "after").await;
    }

    // In the middle of a click nobody can tell whether it did what it was meant to.
    open_blocking_page(&client, &site).await;
    let click = async {
        let result = client
            .call("browser_click", json!({"target": "button"}))
            .await;
        (result, Instant::now())
    };
    let killing = async {
        site.visited("/slow", 1).await;
        for renderer in renderers_of(&before) {
            renderer.kill();
        }
        Instant::now()
    };
    let ((click, told), killed) = tokio::join!(click, killing);
    let text = error_of(&click);
    assert!(text.contains("crashed"), "{text}");
    assert_eq!(meta(&click, "outcome"), "unknown", "{text}");
    let late = told.duration_since(killed);
    assert!(late < AT_ONCE, "told {late:?} after the crash");

    assert_page_loads(&client, &site, "again").await;
    let after = instance_of(&server, &client).await;
    assert_eq!(after["process_id"], before["process_id"]);
    assert_eq!(after["restarts"], 0);
    server.stop().await;
}

async fn assert_page_loads(client: &Legacy, site: &Site, name: &str) {
    let url = site.url(&format!("/named?name={name}"));
    let page = client.call("browser_navigate", json!({"url": url})).await;
    assert_eq!(heading_of(&page), format!("This is {name}"));
}
