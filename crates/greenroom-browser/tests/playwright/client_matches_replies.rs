use std::sync::Arc;
use std::time::Duration;

use crate::peer::{LONG, connected, pair};
use greenroom_browser::call::{EngineError, Stage};
use greenroom_browser::playwright::{ClientOptions, Health};
use serde_json::json;
use tokio::sync::mpsc;

#[tokio::test]
async fn interleaved_replies_reach_their_own_callers_with_exact_bytes() {
    let (client, mut peer) = connected();
    let answer_backwards = async {
        let (first, params) = peer.asked("tools/call").await;
        assert_eq!(params, json!({"name": "a"}));
        let (second, _) = peer.asked("tools/call").await;
        peer.say(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{second},\"result\":{{ \"b\": 2.0 }}}}\n"
        ))
        .await;
        peer.say(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{first},\"result\":[1]}}\n"
        ))
        .await;
    };
    let (a, b) = (json!({"name": "a"}), json!({"name": "b"}));
    let (first, second, ()) = tokio::join!(
        client.call("tools/call", &a, LONG),
        client.call("tools/call", &b, LONG),
        answer_backwards
    );
    assert_eq!(first.unwrap(), "[1]");
    assert_eq!(second.unwrap(), "{ \"b\": 2.0 }");
}

#[tokio::test]
async fn a_message_in_many_writes_and_many_messages_in_one_write_are_the_same() {
    let (client, mut peer) = pair(1, &ClientOptions::default());
    let script = async {
        let (id, _) = peer.asked("ping").await;
        peer.say(format!(
            "\u{feff}\r\n\n{{\"id\":{id},\"result\":\"ж\u{2028}\"}}\r\n"
        ))
        .await;
        let (id, _) = peer.asked("ping").await;
        peer.say(format!(
            "{{\"method\":\"notifications/x\"}}\n{{\"id\":{id},\"result\":2}}\n"
        ))
        .await;
    };
    let params = json!({});
    let calls = async {
        let first = client.call("ping", &params, LONG).await.unwrap();
        (first, client.call("ping", &params, LONG).await.unwrap())
    };
    let ((first, second), ()) = tokio::join!(calls, script);
    assert_eq!(first, "\"ж\u{2028}\"");
    assert_eq!(second, "2");
}

#[tokio::test]
async fn a_dropped_request_is_cancelled_and_its_late_reply_harms_nobody() {
    let (client, mut peer) = connected();
    let client = Arc::new(client);
    let caller = tokio::spawn({
        let client = client.clone();
        async move { client.call("tools/list", &json!({}), LONG).await }
    });
    let (slow, _) = peer.asked("tools/list").await;
    caller.abort();
    let cancelled = peer.heard().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], slow);
    assert!(cancelled.get("id").is_none());
    assert_eq!(client.abandoned(), 1);
    client.settled().await;

    let script = async {
        let (next, _) = peer.asked("ping").await;
        peer.answer(slow, json!("late")).await;
        peer.answer(next, json!("mine")).await;
    };
    let params = json!({});
    let (answer, ()) = tokio::join!(client.call("ping", &params, LONG), script);
    assert_eq!(answer.unwrap(), "\"mine\"");
    assert_eq!((client.stats().late, client.abandoned()), (1, 0));
}

#[tokio::test]
async fn a_dropped_tool_is_not_cancelled_and_settles_with_its_late_reply() {
    let (client, mut peer) = connected();
    let client = Arc::new(client);
    let caller = tokio::spawn({
        let client = client.clone();
        async move {
            client
                .call("tools/call", &json!({"name": "slow"}), LONG)
                .await
        }
    });
    let (slow, _) = peer.asked("tools/call").await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    assert_eq!(client.abandoned(), 1);
    assert!(
        tokio::time::timeout(Duration::ZERO, client.settled())
            .await
            .is_err()
    );
    client.notify("notifications/after", None);
    assert_eq!(peer.heard().await["method"], "notifications/after");

    let script = async {
        let (next, _) = peer.asked("ping").await;
        peer.answer(slow, json!("late")).await;
        peer.answer(next, json!("mine")).await;
    };
    let params = json!({});
    let (answer, ()) = tokio::join!(client.call("ping", &params, LONG), script);
    assert_eq!(answer.unwrap(), "\"mine\"");
    assert_eq!((client.stats().late, client.abandoned()), (1, 0));
}

#[tokio::test]
async fn unknown_and_repeated_ids_are_dropped_and_counted() {
    let (client, mut peer) = connected();
    let script = async {
        let (first, _) = peer.asked("ping").await;
        peer.answer(9999, json!("unknown")).await;
        peer.say_line(&json!({"id": "a-string", "result": {}}))
            .await;
        peer.answer(first, json!("right")).await;
        peer.answer(first, json!("again")).await;
        let (second, _) = peer.asked("ping").await;
        peer.answer(second, json!("second")).await;
    };
    let params = json!({});
    let calls = async {
        let first = client.call("ping", &params, LONG).await.unwrap();
        (first, client.call("ping", &params, LONG).await.unwrap())
    };
    let ((first, second), ()) = tokio::join!(calls, script);
    assert_eq!((first, second), ("\"right\"".into(), "\"second\"".into()));
    assert_eq!(client.stats().stray, 3);
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_an_answer_ends_at_its_deadline_and_runs_on() {
    let (client, mut peer) = connected();
    let params = json!({"name": "browser_click"});
    let error = client
        .call("tools/call", &params, Duration::from_secs(3))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            EngineError::Timeout {
                stage: Stage::Answering,
                ..
            }
        ),
        "{error}"
    );
    assert!(
        error.to_string().contains("browser_click within 3000 ms"),
        "{error}"
    );
    assert!(error.outcome_unknown_for_actions() && !error.poisons_instance());
    let (id, _) = peer.asked("tools/call").await;
    let (settled, ()) = tokio::join!(client.settled(), async {
        assert_eq!(client.abandoned(), 1);
        peer.answer(id, json!("late")).await;
    });
    assert_eq!((settled, client.stats().late), ((), 1));
}

#[tokio::test(start_paused = true)]
async fn initialize_is_never_cancelled() {
    let (client, mut peer) = connected();
    let params = json!({});
    let error = client
        .call("initialize", &params, Duration::from_secs(3))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), "timeout");
    peer.asked("initialize").await;
    client.notify("notifications/after", None);
    assert_eq!(peer.heard().await["method"], "notifications/after");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_does_not_read_costs_its_callers_no_more_than_their_deadline() {
    let (client, mut peer) = pair(64, &ClientOptions::default());
    let params = json!({"text": "x".repeat(1000)});
    let calls = (0..20).map(|_| client.call("big", &params, Duration::from_secs(2)));
    let mut stages = Vec::new();
    for outcome in futures_join(calls).await {
        let EngineError::Timeout { stage, .. } = outcome.unwrap_err() else {
            panic!("expected a timeout");
        };
        stages.push(stage);
    }
    let stuck = stages
        .iter()
        .filter(|stage| **stage == Stage::Answering)
        .count();
    assert_eq!(
        stuck, 1,
        "one request was begun, the others never left: {stages:?}"
    );
    // The begun line is finished when the peer reads again, and those behind it are not sent.
    let (id, _) = peer.asked("big").await;
    let cancelled = peer.heard().await;
    assert_eq!(cancelled["params"]["requestId"], id);
    client.notify("notifications/after", None);
    assert_eq!(peer.heard().await["method"], "notifications/after");
}

async fn futures_join<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut ready = true;
        for (future, output) in &mut futures {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(value) => *output = Some(value),
                    std::task::Poll::Pending => ready = false,
                }
            }
        }
        if ready {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    futures
        .into_iter()
        .map(|(_, output)| output.unwrap())
        .collect()
}

#[tokio::test]
async fn the_peer_s_own_requests_are_answered_while_a_call_waits() {
    let (client, mut peer) = connected();
    let script = async {
        let (id, _) = peer.asked("tools/call").await;
        peer.say_line(&json!({"jsonrpc": "2.0", "id": "p1", "method": "ping"}))
            .await;
        assert_eq!(
            peer.heard().await,
            json!({"jsonrpc": "2.0", "id": "p1", "result": {}})
        );
        peer.say_line(&json!({"jsonrpc": "2.0", "id": 0, "method": "roots/list"}))
            .await;
        assert_eq!(peer.heard().await["result"]["roots"], json!([]));
        peer.say_line(&json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create"}))
            .await;
        assert_eq!(peer.heard().await["error"]["code"], -32601);
        peer.answer(id, json!(true)).await;
    };
    let params = json!({});
    let (answer, ()) = tokio::join!(client.call("tools/call", &params, LONG), script);
    assert_eq!(answer.unwrap(), "true");
    assert_eq!(client.stats().peer_requests, 3);
}

#[tokio::test]
async fn a_peer_that_asks_without_end_and_does_not_read_fills_no_memory() {
    let (client, mut peer) = pair(256, &ClientOptions::default());
    for id in 0..1000 {
        peer.say_line(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}))
            .await;
    }
    peer.exit().await;
    client.ended().await;
    let stats = client.stats();
    assert_eq!(stats.peer_requests, 1000);
    assert!(stats.answers_dropped > 900, "{stats:?}");
}

#[tokio::test]
async fn progress_reaches_the_caller_that_asked_for_it() {
    let (client, mut peer) = connected();
    let (sink, mut progress) = mpsc::channel(4);
    let script = async {
        let (id, params) = peer.asked("tools/call").await;
        assert_eq!(params["_meta"]["progressToken"], id);
        assert_eq!(params["_meta"]["kept"], true);
        for (token, done) in [(id, 0.5), (9999, 9.0), (id, 1.0)] {
            let params = json!({"progressToken": token, "progress": done, "message": "on it"});
            peer.say_line(&json!({"method": "notifications/progress", "params": params}))
                .await;
        }
        peer.say_line(&json!({"method": "notifications/tools/list_changed"}))
            .await;
        peer.answer(id, json!({})).await;
    };
    let params = json!({"_meta": {"kept": true}});
    let call = client.call_with_progress("tools/call", &params, LONG, Some(sink));
    let (answer, ()) = tokio::join!(call, script);
    answer.unwrap();
    assert_eq!(progress.recv().await.unwrap().progress, 0.5);
    assert_eq!(progress.recv().await.unwrap().progress, 1.0);
    assert!(progress.recv().await.is_none());
    assert_eq!(client.stats().tool_changes, 1);
}

#[tokio::test]
async fn noise_is_skipped_and_counted_and_a_flood_of_it_is_a_sickness() {
    let (client, mut peer) = connected();
    let params = json!({});
    let script = async {
        let (id, _) = peer.asked("ping").await;
        peer.say("npm warn deprecated\n{\"jsonrpc\":\"2.0\"\n[1,2]\n")
            .await;
        peer.answer(id, json!(1)).await;
        peer
    };
    let (answer, mut peer) = tokio::join!(client.call("ping", &params, LONG), script);
    assert_eq!(answer.unwrap(), "1");
    assert_eq!(
        (client.stats().noise_lines, client.health()),
        (3, Health::Well)
    );

    let script = async {
        let (id, _) = peer.asked("ping").await;
        for _ in 0..11 {
            peer.say(format!("{}\n", "x".repeat(100_000))).await;
        }
        peer.answer(id, json!(2)).await;
    };
    let (answer, ()) = tokio::join!(client.call("ping", &params, LONG), script);
    assert_eq!(
        answer.unwrap(),
        "2",
        "even a noisy peer's answers are taken"
    );
    assert_eq!(client.health(), Health::Noisy);
}
