//! Leases as callers of a real pool of Chromium see them: how many run at once, in which order, and
//! what is said when a name is wrong.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Legacy, Setup, TestServer, error_of, heading_of, text_of};
use greenroom_testkit::site::{Site, Visit};
use serde_json::json;

fn overlap(a: &Visit, b: &Visit) -> bool {
    a.began < b.ended.unwrap() && b.began < a.ended.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_of_four_callers_run_at_once_and_the_fourth_when_the_first_ends() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::per_call(3)).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 3).await;
    let urls: Vec<String> = (0..4)
        .map(|n| site.url(&format!("/slow?ms=2000&n={n}")))
        .collect();
    let calls = urls
        .iter()
        .map(|url| client.call("browser_navigate", json!({"url": url})));
    let results = futures::future::join_all(calls).await;
    for result in &results {
        assert_eq!(heading_of(result), "At last");
    }
    let visits = site.visits("/slow");
    assert_eq!(visits.len(), 4);
    let (first_three, fourth) = visits.split_at(3);
    assert!(overlap(&first_three[0], &first_three[1]) && overlap(&first_three[1], &first_three[2]));
    let first_end = first_three
        .iter()
        .filter_map(|visit| visit.ended)
        .min()
        .unwrap();
    assert!(
        fourth[0].began >= first_end,
        "four pages loaded at once on three browsers"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keyed_caller_waits_for_its_instance_while_others_go_on() {
    let site = Site::start().await;
    let setup = Setup::per_call(2).set("_P__1_ALIAS", "main");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    let slow = client.call(
        "browser_navigate",
        json!({"url": site.url("/slow?ms=2500"), "browser_instance": "1"}),
    );
    let keyed = async {
        site.visited("/slow", 1).await;
        // The alias and the id are one instance: this waits for the slow page.
        client
            .call(
                "browser_navigate",
                json!({"url": site.url("/named?name=keyed"), "browser_instance": "main"}),
            )
            .await
    };
    let plain = async {
        site.visited("/slow", 1).await;
        client
            .call(
                "browser_navigate",
                json!({"url": site.url("/named?name=plain")}),
            )
            .await
    };
    let (_, keyed, plain) = tokio::join!(slow, keyed, plain);
    assert_eq!(heading_of(&keyed), "This is keyed");
    assert_eq!(heading_of(&plain), "This is plain");
    let slow_end = site.visits("/slow")[0].ended.unwrap();
    assert!(site.visits("/named?name=keyed")[0].began >= slow_end);
    assert!(site.visits("/named?name=plain")[0].began < slow_end);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_calls_take_the_instance_that_came_back_earliest() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::per_call(3)).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 3).await;
    // Each navigation marks its instance; two rounds visit the three in the same order.
    for round in 0..2 {
        for n in 0..3 {
            let url = site.url(&format!("/named?name=i{n}"));
            if round == 0 {
                client.call("browser_navigate", json!({"url": url})).await;
            } else {
                let snapshot = client.call("browser_snapshot", json!({})).await;
                assert_eq!(heading_of(&snapshot), format!("This is i{n}"));
            }
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_names_are_refused_at_once_with_what_exists() {
    let setup = Setup::per_call(1)
        .set("_P__0_ALIAS", "main")
        .set("_OTHER_INSTANCES", "1")
        .set("_OTHER_ISOLATED", "true");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let wrong_pool = client
        .call("browser_snapshot", json!({"browser_pool": "NOPE"}))
        .await;
    let text = error_of(&wrong_pool);
    assert!(
        text.contains("'NOPE'") && text.contains("OTHER, P"),
        "{text}"
    );
    for key in ["7", "mian"] {
        let wrong = client
            .call("browser_snapshot", json!({"browser_instance": key}))
            .await;
        let text = error_of(&wrong);
        assert!(text.contains(key) && text.contains("0 (main)"), "{text}");
    }
    let nowhere = client
        .call("browser_pool_status", json!({"pool_name": "NOPE"}))
        .await;
    assert!(error_of(&nowhere).contains("OTHER, P"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiter_learns_who_holds_and_a_full_queue_refuses_at_once() {
    let site = Site::start().await;
    let setup = Setup::per_call(1)
        .set("_P_LEASE_TIMEOUT", "700")
        .set("_P_MIN_HOLD", "0")
        .set("_P_MAX_QUEUE", "1");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let slow = client.call(
        "browser_navigate",
        json!({"url": site.url("/slow?ms=4000")}),
    );
    let others = async {
        site.visited("/slow", 1).await;
        let queued = client.call("browser_snapshot", json!({}));
        let refused = async {
            server.waiting(&client, 1).await;
            client.call("browser_snapshot", json!({})).await
        };
        tokio::join!(queued, refused)
    };
    let (slow, (queued, refused)) = tokio::join!(slow, others);
    assert_eq!(heading_of(&slow), "At last");
    let text = error_of(&queued);
    assert!(
        text.contains("timed out") && text.contains("browser_navigate"),
        "{text}"
    );
    let text = error_of(&refused);
    assert!(
        text.contains("queue is full") && text.contains("retry in"),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bulk_runs_on_one_lease_and_reports_what_ran() {
    let site = Site::start().await;
    let server = TestServer::start(Setup::per_call(2)).await;
    let client = Legacy::connect(&server.url).await;
    let done = client
        .call(
            "browser_execute_bulk",
            json!({"commands": [
                {"tool": "browser_navigate", "args": {"url": site.url("/button")}},
                {"tool": "browser_click", "args": {"target": "button"}},
                {"tool": "browser_snapshot", "args": {}, "return_result": true},
            ]}),
        )
        .await;
    let data = &done["structuredContent"];
    assert_eq!(data["completed"], 3, "{data:#}");
    assert!(data["results"][0].get("result").is_none());
    let snapshot = data["results"][2]["result"]["content"][0]["text"]
        .as_str()
        .unwrap();
    assert!(snapshot.contains("clicked 1"), "{snapshot}");

    let failed = client
        .call(
            "browser_execute_bulk",
            json!({"commands": [
                {"tool": "browser_navigate", "args": {"url": site.url("/button")}},
                {"tool": "browser_click", "args": {"target": "#missing"}},
                {"tool": "browser_snapshot", "args": {}},
            ]}),
        )
        .await;
    assert_eq!(failed["isError"], true);
    let statuses: Vec<&str> = failed["structuredContent"]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["success", "error", "not_run"]);

    // Everything is checked before anything runs, the rule about addresses included.
    let visits = site.visits("/").len();
    let invalid = client
        .call(
            "browser_execute_bulk",
            json!({"commands": [
                {"tool": "browser_navigate", "args": {"url": site.url("/button")}},
                {"tool": "browser_navigate", "args": {"url": "file:///etc/passwd"}},
            ]}),
        )
        .await;
    let text = error_of(&invalid);
    assert!(
        text.contains("commands[1]") && text.contains("file:"),
        "{text}"
    );
    assert_eq!(site.visits("/").len(), visits);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn code_outside_the_page_is_refused_unless_a_pool_allows_it() {
    let setup = Setup::per_call(1)
        .set("_OPEN_INSTANCES", "1")
        .set("_OPEN_ISOLATED", "true")
        .set("_OPEN_STICKY", "call")
        .set("_OPEN_ENGINE", "playwright")
        .set("_OPEN_ALLOW_RUN_CODE", "true");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let code = "async (page) => 6 * 7";
    let refused = client
        .call("browser_run_code_unsafe", json!({"code": code}))
        .await;
    let text = error_of(&refused);
    assert!(
        text.contains("OPEN") && text.contains("ALLOW_RUN_CODE")
            || text.contains("Pools that allow it: OPEN"),
        "{text}"
    );
    let bulk = json!({"commands": [{"tool": "browser_run_code_unsafe", "args": {"code": code}}]});
    assert!(error_of(&client.call("browser_execute_bulk", bulk).await).contains("OPEN"));
    let allowed = client
        .call(
            "browser_run_code_unsafe",
            json!({"code": code, "browser_pool": "OPEN"}),
        )
        .await;
    assert!(text_of(&allowed).contains("42"), "{allowed:#}");
    server.stop().await;
}
