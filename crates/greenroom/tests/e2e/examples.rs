//! The files in `examples/`, each started: with real browsers where a machine for tests has them,
//! with a fake upstream that writes down its arguments for Edge, WebKit and whatever has a window.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{Launch, Legacy, Setup, TestServer, heading_of, text_of};
use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::Script;
use serde_json::{Value, json};

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(examples.join(name)).unwrap()
}

fn dotenv(name: &str) -> Setup {
    Setup::new().file(".env", &example(name))
}

/// Starts the example and waits for all its instances.
async fn start(setup: Setup, instances: u64) -> (TestServer, Legacy, Value) {
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let status = server
        .until(&client, |status| {
            status["summary"]["healthy_instances"] == instances
        })
        .await;
    assert_eq!(status["summary"]["total_instances"], instances);
    (server, client, status)
}

fn pool<'a>(status: &'a Value, name: &str) -> &'a Value {
    let mut pools = status["pools"].as_array().unwrap().iter();
    pools.find(|pool| pool["name"] == name).unwrap()
}

fn instances(pool: &Value) -> &[Value] {
    pool["instances"].as_array().unwrap()
}

/// What the status says of a pool that nobody uses yet.
fn assert_fresh(pool: &Value, is_default: bool, count: usize, description: &str) {
    assert_eq!(pool["is_default"], is_default, "{pool:#}");
    assert_eq!(pool["description"], description);
    for (field, expected) in [
        ("total_instances", count),
        ("healthy_instances", count),
        ("available_instances", count),
        ("leased_instances", 0),
    ] {
        assert_eq!(pool[field], expected, "{field} in {pool:#}");
    }
    assert_eq!(instances(pool).len(), count);
}

fn assert_world(instance: &Value, browser: &str, headless: bool, alias: Option<&str>) {
    let told = (&instance["browser"], &instance["headless"]);
    assert_eq!(told, (&json!(browser), &json!(headless)), "{instance:#}");
    assert_eq!(instance["alias"], json!(alias));
}

/// The upstream's own limits stay below the deadline of a call.
fn assert_limits(launch: &Launch, navigation: &str) {
    assert_eq!(launch.value("--timeout-navigation"), navigation);
    assert_eq!(launch.value("--timeout-action"), "5000");
    assert_eq!(launch.value("--idle-timeout"), "0");
}

/// Every instance has a profile directory of its own.
fn assert_own_profiles(launches: &[Launch]) {
    let profiles: BTreeSet<&str> = launches
        .iter()
        .map(|launch| launch.value("--user-data-dir"))
        .collect();
    assert_eq!(profiles.len(), launches.len(), "{profiles:?}");
    assert!(launches.iter().all(|launch| !launch.has("--isolated")));
}

async fn navigate(client: &Legacy, mut arguments: Value, url: &str) -> Value {
    arguments["url"] = url.into();
    client.call("browser_navigate", arguments).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_pool_starts_three_headless_chromiums_and_a_call_takes_one() {
    let site = Site::start().await;
    let (server, client, status) = start(dotenv("single-pool.env"), 3).await;
    let default = pool(&status, "DEFAULT");
    assert_fresh(default, true, 3, "");
    let launches: Vec<Launch> = instances(default).iter().map(Launch::of).collect();
    for (instance, launch) in instances(default).iter().zip(&launches) {
        assert_world(instance, "chromium", true, None);
        assert!(launch.is_headless_chromium(), "{launch:?}");
    }
    assert_own_profiles(&launches);
    let seen = navigate(&client, json!({}), &site.url("/named?name=one")).await;
    assert_eq!(heading_of(&seen), "This is one");
    let after = server.until(&client, |_| true).await;
    assert_eq!(after["summary"]["leased_instances"], 1);
    assert_eq!(after["summary"]["available_instances"], 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_that_differs_starts_beside_one_that_inherits() {
    let site = Site::start().await;
    let setup = dotenv("pool-overrides.env").upstream("_ISOLATED", Script::default());
    let (server, client, status) = start(setup, 7).await;
    let sessionless = pool(&status, "SESSIONLESS");
    assert_fresh(sessionless, true, 5, "");
    let launches: Vec<Launch> = instances(sessionless).iter().map(Launch::of).collect();
    for (instance, launch) in instances(sessionless).iter().zip(&launches) {
        assert_world(instance, "chromium", true, None);
        assert!(launch.is_headless_chromium(), "{launch:?}");
    }
    assert_own_profiles(&launches);

    let isolated = pool(&status, "ISOLATED");
    assert_fresh(isolated, false, 2, "");
    let journal = server.setup.journal("_ISOLATED");
    for instance in instances(isolated) {
        assert_world(instance, "firefox", false, None);
        let launch = Launch::told(&journal, instance);
        // A Firefox that is not Playwright's own build is driven over BiDi.
        assert_eq!(launch.value("--browser"), "moz-firefox");
        assert!(launch.has("--isolated") && !launch.has("--user-data-dir"));
        assert!(!launch.has("--headless") && !launch.config_is_headless());
        assert_limits(&launch, "28000");
    }

    let url = site.url("/named?name=both");
    let seen = navigate(&client, json!({}), &url).await;
    assert_eq!(heading_of(&seen), "This is both");
    let faked = navigate(&client, json!({"browser_pool": "ISOLATED"}), &url).await;
    assert!(text_of(&faked).contains("visit 1"), "{faked:#}");
    assert_eq!(site.visits("/named").len(), 1, "the fake one loads nothing");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_differs_from_its_pool_is_called_by_its_alias() {
    three_levels(dotenv("three-levels.env")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_in_toml_starts_the_same() {
    let setup = Setup::new().file("greenroom.toml", &example("three-levels.toml"));
    three_levels(setup).await;
}

async fn three_levels(setup: Setup) {
    let site = Site::start().await;
    let setup = setup
        .script("microsoft-edge-stable", "exit 1")
        .upstream("_BROWSERS__0", Script::default())
        .upstream("_BROWSERS__1", Script::default());
    let (server, client, status) = start(setup, 3).await;
    let browsers = pool(&status, "BROWSERS");
    assert_fresh(browsers, true, 3, "");
    let [edge, firefox, chromium] = instances(browsers) else {
        panic!("{browsers:#}");
    };
    assert_world(edge, "msedge", true, Some("edge_main"));
    assert_world(firefox, "firefox", false, Some("firefox_debug"));
    assert_world(chromium, "chromium", true, None);
    let launches = [
        Launch::told(&server.setup.journal("_BROWSERS__0"), edge),
        Launch::told(&server.setup.journal("_BROWSERS__1"), firefox),
        Launch::of(chromium),
    ];
    assert!(launches[2].is_headless_chromium(), "{launches:?}");
    let wanted = [("msedge", true), ("moz-firefox", false)];
    for (launch, (browser, headless)) in launches.iter().zip(wanted) {
        assert_eq!(launch.value("--browser"), browser);
        assert_eq!(launch.has("--headless"), headless, "{launch:?}");
        assert_eq!(launch.config_is_headless(), headless);
        assert_limits(launch, "28000");
    }
    assert_own_profiles(&launches);

    for (key, id) in [("edge_main", "0"), ("firefox_debug", "1"), ("2", "2")] {
        let url = site.url(&format!("/named?name={key}"));
        let seen = navigate(&client, json!({"browser_instance": key}), &url).await;
        assert!(text_of(&seen).contains(&url), "{seen:#}");
        // The id and the alias are one instance: the page is still there.
        let again = client.call("browser_snapshot", json!({"browser_instance": id}));
        assert!(text_of(&again.await).contains(&url), "{key}");
    }
    assert_eq!(site.visits("/named?name=2").len(), 1);
    assert_eq!(site.visits("/named").len(), 1, "the fake ones load nothing");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_for_each_kind_of_browser_tells_what_it_is_for() {
    let site = Site::start().await;
    let setup = dotenv("many-browsers.env")
        .webkit()
        .upstream("_WEBKIT", Script::default());
    let (server, client, status) = start(setup, 10).await;

    let kinds = [
        (
            "CHROMIUM",
            "chromium",
            None,
            5,
            "Everyday browsing and scraping",
        ),
        (
            "FIREFOX",
            "firefox",
            Some("moz-firefox"),
            3,
            "Does it work in Firefox too?",
        ),
        (
            "WEBKIT",
            "webkit",
            Some("webkit"),
            2,
            "Safari's engine, for mobile pages",
        ),
    ];
    assert_eq!(status["summary"]["total_pools"], 3);
    let journal = server.setup.journal("_WEBKIT");
    for (name, browser, option, count, description) in kinds {
        let pool = pool(&status, name);
        assert_fresh(pool, name == "CHROMIUM", count, description);
        let launch_of = |instance: &Value| match name {
            "WEBKIT" => Launch::told(&journal, instance),
            _ => Launch::of(instance),
        };
        let launches: Vec<Launch> = instances(pool).iter().map(launch_of).collect();
        for (instance, launch) in instances(pool).iter().zip(&launches) {
            assert_world(instance, browser, true, None);
            let Some(option) = option else {
                assert!(launch.is_headless_chromium(), "{launch:?}");
                continue;
            };
            assert_eq!(launch.value("--browser"), option);
            assert!(launch.has("--headless"));
            assert_limits(launch, "58000");
        }
        assert_own_profiles(&launches);
        let url = site.url(&format!("/named?name={name}"));
        let seen = navigate(&client, json!({"browser_pool": name}), &url).await;
        assert!(text_of(&seen).contains(&url), "{seen:#}");
    }
    let loaded: Vec<String> = site.visits("/named").into_iter().map(|v| v.path).collect();
    assert_eq!(loaded, ["/named?name=CHROMIUM", "/named?name=FIREFOX"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commented_file_as_it_stands_starts_the_built_in_pool() {
    let setup = Setup::new().file("greenroom.toml", &example("greenroom.toml"));
    let (server, client, status) = start(setup, 2).await;
    let default = pool(&status, "DEFAULT");
    assert_eq!(default["is_default"], true);
    for instance in instances(default) {
        assert_world(instance, "chromium", true, None);
        assert_eq!(instance["engine"], "native");
        assert!(Launch::of(instance).is_headless_chromium());
        assert_eq!(
            instance["process_id"],
            instances(default)[0]["process_id"],
            "they share one browser"
        );
    }
    let value = client
        .call("browser_evaluate", json!({"function": "() => 6 * 7"}))
        .await;
    assert!(text_of(&value).contains("42"), "{value:#}");
    server.stop().await;
}
