//! Fifty agents at once, each with a world of its own in one of two browsers.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{Legacy, Setup, TestServer, heading_of, text_of};
use greenroom_testkit::site::Site;
use serde_json::{Value, json};

const WORLDS: usize = 50;
const WORLDS_PER_BROWSER: usize = 25;

/// How often each agent navigates and looks.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a test takes is no configuration"
)]
fn rounds() -> usize {
    if std::env::var_os("GREENROOM_SOAK").is_some() {
        10
    } else {
        2
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_agents_at_once_each_see_only_their_own_page_in_two_browsers() {
    let site = Arc::new(Site::start().await);
    let setup = Setup::new()
        .set("_P_INSTANCES", &WORLDS.to_string())
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
        .set("_P_ENGINE", "native")
        .set("_P_CONTEXTS_PER_BROWSER", &WORLDS_PER_BROWSER.to_string());
    let server = TestServer::start(setup).await;
    let watcher = Legacy::connect(&server.url).await;
    server.all_healthy(&watcher, WORLDS as u64).await;

    let working: Vec<_> = (0..WORLDS)
        .map(|n| tokio::spawn(agent(n, server.url.clone(), site.clone())))
        .collect();
    let mut clients = Vec::new();
    for worked in working {
        clients.push(worked.await.unwrap());
    }

    let status = server.until(&watcher, |_| true).await;
    let held = worlds_by_browser(&status);
    assert_eq!(held, [WORLDS_PER_BROWSER; 2], "{status:#}");
    assert_eq!(status["summary"]["healthy_instances"], WORLDS, "{status:#}");
    for client in clients {
        client.disconnect().await;
    }
    server.stop().await;
}

/// One agent with pages that nobody else has. Its session stays until the last has finished, so
/// that all fifty worlds are held at once.
async fn agent(n: usize, url: String, site: Arc<Site>) -> Legacy {
    let client = Legacy::connect(&url).await;
    for round in 0..rounds() {
        let name = format!("agent-{n}-round-{round}");
        let page = site.url(&format!("/named?name={name}"));
        let there = client.call("browser_navigate", json!({"url": page})).await;
        let seen = client.call("browser_snapshot", json!({})).await;
        for answer in [there, seen] {
            assert_ne!(answer["isError"], true, "{}", text_of(&answer));
            assert_eq!(heading_of(&answer), format!("This is {name}"));
        }
    }
    client
}

/// How many instances each browser process has, of all pools.
fn worlds_by_browser(status: &Value) -> Vec<usize> {
    let mut held = BTreeMap::<i64, usize>::new();
    let pools = status["pools"].as_array().unwrap();
    let instances = pools.iter().flat_map(|pool| pool["instances"].as_array());
    for instance in instances.flatten() {
        let pid = instance["process_id"].as_i64();
        *held.entry(pid.unwrap()).or_default() += 1;
    }
    held.into_values().collect()
}
