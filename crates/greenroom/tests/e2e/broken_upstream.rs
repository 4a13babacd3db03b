//! Upstreams that misbehave in every way: what callers, siblings and other pools see of it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{Legacy, Setup, Stdio, TestServer, error_of, meta, text_of};
use greenroom_testkit::upstream::{
    CallRule, Entry, Era, Grandchild, Noise, Reply, Script, Start, ToolChanges, Wire,
};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::Instant;

/// A script with one rule for one tool.
fn on(tool: &str, reply: Reply) -> Script {
    Script::for_calls(CallRule {
        tool: Some(tool.to_owned()),
        reply,
        ..CallRule::default()
    })
}

/// A pool `P` of one instance with this upstream.
fn one(script: Script) -> Setup {
    Setup::per_call(1).upstream("_P", script)
}

async fn navigate(client: &Legacy, more: Value) -> Value {
    let mut arguments = json!({"url": "http://a.test/"});
    let fields = more.as_object().unwrap().clone();
    arguments.as_object_mut().unwrap().extend(fields);
    client.call("browser_navigate", arguments).await
}

/// The page loads, in the words of the fake upstream.
async fn assert_serves(client: &Legacy, more: Value) {
    let result = navigate(client, more).await;
    assert!(text_of(&result).contains("http://a.test/"), "{result:#}");
    assert_eq!(meta(&result, "outcome"), "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_call_ends_at_its_deadline_and_neither_its_instance_nor_a_sibling_suffers() {
    const TIMEOUT: Duration = Duration::from_secs(2);
    // The answer comes when nobody waits for it any more.
    let late = |tool: &str| {
        Script::for_calls(CallRule {
            tool: Some(tool.to_owned()),
            delay_ms: 2500,
            ignore_cancel: true,
            ..CallRule::default()
        })
    };
    let setup = Setup::per_call(3)
        .set("_P_TIMEOUT", "2s")
        .upstream("_P__0", late("browser_snapshot"))
        .upstream("_P__1", late("browser_click"))
        .upstream("_P__2", Script::default());
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 3).await;
    let before = server.until(&client, |_| true).await;

    let begun = Instant::now();
    let hung = async {
        let snapshot = json!({"browser_instance": "0"});
        let click = json!({"browser_instance": "1", "target": "e1"});
        let both = tokio::join!(
            client.call("browser_snapshot", snapshot),
            client.call("browser_click", click),
        );
        (both, begun.elapsed())
    };
    let sibling = async {
        server.setup.called("_P__0", "browser_snapshot").await;
        assert_serves(&client, json!({"browser_instance": "2"})).await;
        begun.elapsed()
    };
    let (((snapshot, click), waited), sibling) = tokio::join!(hung, sibling);
    assert!(
        (TIMEOUT..TIMEOUT * 2).contains(&waited),
        "answered after {waited:?}"
    );
    assert!(sibling < TIMEOUT, "the sibling waited {sibling:?}");
    for (result, outcome) in [(&snapshot, "error"), (&click, "unknown")] {
        let text = error_of(result);
        assert!(text.contains("TIMEOUT of pool 'P'"), "{text}");
        assert!(text.contains(&format!("outcome: {outcome}")), "{text}");
        assert_eq!(meta(result, "outcome"), outcome);
    }

    // They only were slow, so they were kept, and their late answers are taken for no others.
    for (id, n) in [("0", 0), ("1", 1)] {
        assert_serves(&client, json!({"browser_instance": id})).await;
        let after = server.instance(&client, "P", id).await;
        let before = &before["pools"][0]["instances"][n];
        assert_eq!(after["process_id"], before["process_id"]);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_falls_silent_in_mid_line_is_replaced() {
    let setup = one(on("browser_snapshot", Reply::HalfLineThenSilence)).set("_P_TIMEOUT", "300ms");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let before = server.instance(&client, "P", "0").await;
    let silent = client.call("browser_snapshot", json!({})).await;
    let text = error_of(&silent);
    assert!(text.contains("was lost during browser_snapshot"), "{text}");
    // The call waits for the new one.
    assert_serves(&client, json!({})).await;
    let after = server.instance(&client, "P", "0").await;
    assert_ne!(after["process_id"], before["process_id"]);
    assert_eq!(after["restarts"], 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_dies_in_mid_line_is_named_with_its_last_words_and_replaced() {
    let dying = Script {
        start: Start {
            stderr: "low on memory\n".to_owned(),
            ..Start::default()
        },
        ..on("browser_click", Reply::HalfLineThenExit(7))
    };
    let server = TestServer::start(one(dying)).await;
    let client = Legacy::connect(&server.url).await;
    let begun = Instant::now();
    let died = client.call("browser_click", json!({"target": "e1"})).await;
    let waited = begun.elapsed();
    let text = error_of(&died);
    for part in [
        "exited with code 7",
        "in the middle of a line",
        "low on memory",
        "outcome: unknown",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    assert_eq!(meta(&died, "outcome"), "unknown");
    assert!(waited < Duration::from_secs(1), "told after {waited:?}");
    assert_serves(&client, json!({})).await;
    let after = server.instance(&client, "P", "0").await;
    assert_eq!(after["restarts"], 1);
    let reason = after["last_failure"]["reason"].as_str().unwrap();
    assert!(reason.contains("exited with code 7"), "{reason}");
    assert_eq!(server.setup.starts("_P"), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn noise_and_odd_writes_do_not_keep_answers_from_their_callers() {
    let noise = Noise::once("Listening on nothing\n\n{\"half\": \n\u{feff}");
    let script = Script {
        start: Start {
            noise: vec![noise.clone()],
            stderr_flood_mb: 3,
            ..Start::default()
        },
        wire: Wire {
            crlf: true,
            one_byte_writes: true,
            noise_between: Some(noise),
        },
        calls: vec![
            CallRule {
                tool: Some("browser_snapshot".to_owned()),
                reply: Reply::Twice,
                stderr_flood_mb: 3,
                ..CallRule::default()
            },
            CallRule {
                tool: Some("browser_navigate".to_owned()),
                reply: Reply::WithNotification,
                ..CallRule::default()
            },
        ],
        ..Script::default()
    };
    let server = TestServer::start(one(script)).await;
    let client = Legacy::connect(&server.url).await;
    for _ in 0..3 {
        assert_serves(&client, json!({})).await;
        let snapshot = client.call("browser_snapshot", json!({})).await;
        assert!(
            text_of(&snapshot).contains("http://a.test/"),
            "{snapshot:#}"
        );
    }
    let instance = server.instance(&client, "P", "0").await;
    assert_eq!(instance["restarts"], 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_floods_its_output_is_replaced() {
    let flood = Script {
        start: Start {
            noise: vec![Noise {
                text: format!("{}\n", "n".repeat(1023)),
                times: 2048,
            }],
            ..Start::default()
        },
        ..Script::default()
    };
    let setup = one(flood)
        .set("_P_HEALTH_CHECK_INTERVAL", "100ms")
        .set("_P_HEALTH_CHECK_TIMEOUT", "100ms")
        .set("_P_HEALTH_STRIKES", "1")
        .set("_P_MAX_RESTART_ATTEMPTS", "0");
    let server = TestServer::start_listening(setup).await;
    let client = Legacy::connect(&server.url).await;
    let failed = server
        .instance_until(&client, ("P", "0"), |instance| {
            instance["status"] == "failed"
        })
        .await;
    let reason = failed["last_failure"]["reason"].as_str().unwrap();
    assert!(reason.contains("floods its output"), "{reason}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_50_mb_arrives_and_one_beyond_the_bound_fails_alone() {
    let mut script = on("browser_snapshot", Reply::HugeMb(50));
    script
        .calls
        .extend(on("browser_evaluate", Reply::HugeMb(70)).calls);
    let server = TestServer::start(one(script)).await;
    let client = Legacy::connect(&server.url).await;
    let before = server.instance(&client, "P", "0").await;
    let inline = json!({"response_mode": "inline"});
    let huge = client.call("browser_snapshot", inline).await;
    assert_eq!(huge["isError"], false);
    let length = text_of(&huge).len();
    assert!(length >= 50 << 20, "{length} bytes arrived");

    let evaluate = json!({"function": "() => 1"});
    let beyond = client.call("browser_evaluate", evaluate).await;
    let text = error_of(&beyond);
    assert!(
        text.contains("too large") || text.contains("limit"),
        "{text}"
    );
    assert_serves(&client, json!({})).await;
    let after = server.instance(&client, "P", "0").await;
    assert_eq!(after["process_id"], before["process_id"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_always_exits_is_started_a_bounded_number_of_times() {
    let broken = Script {
        start: Start {
            exit: Some(3),
            stderr: "no such browser\n".to_owned(),
            ..Start::default()
        },
        ..Script::default()
    };
    let setup = one(broken)
        .set("_P_MAX_RESTART_ATTEMPTS", "2")
        .set("_GOOD_INSTANCES", "1")
        .set("_GOOD_ISOLATED", "true")
        .set("_GOOD_STICKY", "call")
        .upstream("_GOOD", Script::default());
    let server = TestServer::start_listening(setup).await;
    let client = Legacy::connect(&server.url).await;
    // It is answered as soon as nothing more is due, long before its own deadline.
    let refused = navigate(&client, json!({}));
    let good = assert_serves(&client, json!({"browser_pool": "GOOD"}));
    let (refused, ()) = tokio::join!(refused, good);
    let text = error_of(&refused);
    for part in [
        "Default pool 'P' has no healthy instances. Specify explicit pool or restart failed instances.",
        "exited with code 3",
        "no such browser",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    let begun = Instant::now();
    error_of(&navigate(&client, json!({})).await);
    assert!(begun.elapsed() < Duration::from_secs(1), "refused at once");
    assert_eq!(server.setup.starts("_P"), 3, "one start and two restarts");
    let instance = server.instance(&client, "P", "0").await;
    assert_eq!(instance["status"], "failed");
    assert!(
        instance["health_check"]["error"]
            .as_str()
            .unwrap()
            .contains("code 3")
    );
    assert_serves(&client, json!({"browser_pool": "GOOD"})).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_dies_in_every_call_is_started_a_bounded_number_of_times() {
    let setup = one(on("browser_snapshot", Reply::Exit(9))).set("_P_MAX_RESTART_ATTEMPTS", "2");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    for _ in 0..3 {
        let died = client.call("browser_snapshot", json!({})).await;
        assert!(error_of(&died).contains("exited with code 9"), "{died:#}");
    }
    let refused = client.call("browser_snapshot", json!({})).await;
    assert!(
        error_of(&refused).contains("has no healthy instances"),
        "{refused:#}"
    );
    assert_eq!(server.setup.starts("_P"), 3, "one start and two restarts");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_whose_upstream_never_answers_the_handshake_says_so_and_stops_no_other() {
    let silent = Script {
        never_initialize: true,
        ..Script::default()
    };
    let setup = one(silent)
        .set("_P_MAX_RESTART_ATTEMPTS", "0")
        .set("_P_LEASE_TIMEOUT", "300ms")
        .set("_GOOD_INSTANCES", "1")
        .set("_GOOD_ISOLATED", "true")
        .set("_GOOD_STICKY", "call")
        .upstream("_GOOD", Script::default());
    let server = TestServer::start_listening(setup).await;
    let client = Legacy::connect(&server.url).await;
    assert_serves(&client, json!({"browser_pool": "GOOD"})).await;
    let begun = Instant::now();
    let early = navigate(&client, json!({})).await;
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert!(error_of(&early).contains("'P'"), "{early:#}");

    server
        .instance_until(&client, ("P", "0"), |instance| {
            instance["status"] == "failed"
        })
        .await;
    let text = error_of(&navigate(&client, json!({})).await);
    for part in [
        "Default pool 'P' has no healthy instances. Specify explicit pool or restart failed instances.",
        "the MCP handshake",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_that_heeds_nothing_does_not_hold_up_the_end() {
    const SHUTDOWN: Duration = Duration::from_secs(2);
    let stubborn = Script {
        ignore_sigterm: true,
        ignore_eof: true,
        grandchild: Some(Grandchild {
            ignore_sigterm: true,
            ..Grandchild::default()
        }),
        calls: vec![
            CallRule {
                tool: Some("browser_snapshot".to_owned()),
                reply: Reply::Never,
                ignore_cancel: true,
                ..CallRule::default()
            },
            CallRule {
                tool: Some("browser_close".to_owned()),
                reply: Reply::Never,
                ignore_cancel: true,
                ..CallRule::default()
            },
        ],
        ..Script::default()
    };
    let setup = one(stubborn).set("SHUTDOWN_TIMEOUT", "2s");
    let mut server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let hung = tokio::spawn(async move { client.call("browser_snapshot", json!({})).await });
    server.setup.called("_P", "browser_snapshot").await;
    let begun = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.wait().await.code(), Some(0), "{}", server.log());
    server.assert_clean().await;
    let took = begun.elapsed();
    assert!(
        took < SHUTDOWN + Duration::from_secs(2),
        "it took {took:?}:\n{}",
        server.log()
    );
    let text = error_of(&hung.await.unwrap());
    assert!(
        text.contains("shutting down and cut off browser_snapshot"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_tool_list_is_reported_by_name_and_costs_only_what_changed() {
    let script = Script {
        tools: ToolChanges {
            rename: [
                ("browser_drag", "browser_pull"),
                ("browser_hover", "browser_float"),
            ]
            .map(|(old, new)| (old.to_owned(), new.to_owned()))
            .into(),
            remove: vec!["browser_resize".to_owned()],
            break_schema: vec!["browser_hover".to_owned(), "browser_press_key".to_owned()],
        },
        ..Script::default()
    };
    let server = TestServer::start(one(script)).await;
    let client = Legacy::connect(&server.url).await;
    let log = server.log();
    for name in [
        "browser_drag",
        "browser_pull",
        "browser_hover",
        "browser_float",
        "browser_resize",
        "browser_press_key",
    ] {
        assert!(log.contains(name), "{name} is not in:\n{log}");
    }
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap();
    let find = |name: &str| tools.iter().find(|tool| tool["name"] == name);
    let pull = find("browser_pull").expect("an extra tool is listed");
    assert!(pull["inputSchema"]["properties"]["session_id"].is_object());
    assert!(
        find("browser_float").is_none(),
        "its schema would choke a client"
    );
    assert!(find("browser_press_key").is_some_and(|tool| tool["inputSchema"]["type"] == "object"));

    let arguments = json!({"startTarget": "e1", "endTarget": "e2", "anything": {"at": "all"}});
    let pulled = client.call("browser_pull", arguments).await;
    assert_eq!(meta(&pulled, "outcome"), "success", "{pulled:#}");
    assert_serves(&client, json!({})).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_of_either_era_is_served_and_its_questions_in_mid_call_are_answered() {
    let asking = |era| Script {
        era,
        ..Script::for_calls(CallRule {
            tool: Some("browser_navigate".to_owned()),
            ask: Some("roots/list".to_owned()),
            ..CallRule::default()
        })
    };
    let setup = Setup::per_call(2)
        .upstream("_P__0", asking(Era::Old))
        .upstream("_P__1", asking(Era::New));
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    for (id, level) in [("0", "_P__0"), ("1", "_P__1")] {
        assert_serves(&client, json!({"browser_instance": id})).await;
        let answered = |entry: &Entry| {
            matches!(
                entry,
                Entry::Asked {
                    answer: Some(_),
                    ..
                }
            )
        };
        let journal = server.setup.journal(level);
        assert!(journal.iter().any(answered), "{journal:#?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_are_greeted_at_once_and_a_call_waits_for_the_first_browser() {
    const START: Duration = Duration::from_secs(4);
    let slow = || Script {
        start: Start {
            delay_ms: START.as_millis().try_into().unwrap(),
            ..Start::default()
        },
        ..Script::default()
    };
    let begun = Instant::now();
    let server = TestServer::start_listening(one(slow())).await;
    let client = Legacy::connect(&server.url).await;
    let listed = client.request("tools/list", json!({})).await;
    let greeted = begun.elapsed();
    assert!(greeted < START / 2, "greeted after {greeted:?}");
    assert!(listed["tools"].as_array().unwrap().len() > 25);
    let instance = server.instance(&client, "P", "0").await;
    assert_eq!(instance["status"], "starting");
    assert_serves(&client, json!({})).await;
    assert!(begun.elapsed() >= START);
    server.stop().await;

    let setup = one(slow());
    let begun = Instant::now();
    let mut piped = Stdio::start(&setup).await;
    piped.request("tools/list", json!({})).await;
    let greeted = begun.elapsed();
    assert!(greeted < START / 2, "greeted after {greeted:?}");
    let result = piped
        .call("browser_navigate", json!({"url": "http://a.test/"}))
        .await;
    assert_eq!(meta(&result, "outcome"), "success");
    assert_eq!(piped.close().await.code(), Some(0));
}
