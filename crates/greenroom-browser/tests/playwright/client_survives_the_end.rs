use crate::peer::{LONG, connected, pair};
use greenroom_browser::call::EngineError;
use greenroom_browser::playwright::ClientOptions;
use serde_json::json;

fn died(error: &EngineError) -> (String, bool) {
    match error {
        EngineError::Died { death, sent } => (death.to_string(), *sent),
        other => panic!("expected a death, got {other}"),
    }
}

#[tokio::test]
async fn the_end_of_the_output_fails_every_waiting_call_at_once() {
    let (client, mut peer) = connected();
    let params = json!({});
    let script = async {
        peer.asked("a").await;
        peer.asked("b").await;
        peer.exit().await;
    };
    let (a, b, ()) = tokio::join!(
        client.call("a", &params, LONG),
        client.call("b", &params, LONG),
        script
    );
    for error in [a.unwrap_err(), b.unwrap_err()] {
        assert_eq!(died(&error), ("its output ended".to_owned(), true));
        assert!(error.poisons_instance() && error.outcome_unknown_for_actions());
    }
    assert!(client.has_ended());
    let later = client.call("c", &params, LONG).await.unwrap_err();
    assert!(!later.outcome_unknown_for_actions(), "it was never sent");
}

#[tokio::test]
async fn half_a_line_is_kept_for_whoever_asks_why() {
    let (client, mut peer) = connected();
    let params = json!({});
    let script = async {
        peer.asked("a").await;
        peer.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"res").await;
        peer.exit().await;
    };
    let (outcome, ()) = tokio::join!(client.call("a", &params, LONG), script);
    let (death, _) = died(&outcome.unwrap_err());
    assert!(
        death.ends_with("in the middle of a line ({\"jsonrpc\":\"2.0\",\"id\":1,\"res)"),
        "{death}"
    );
    assert!(client.ended().await.half_line.is_some());
}

#[tokio::test]
async fn a_last_message_without_a_line_feed_is_still_a_message() {
    let (client, mut peer) = connected();
    let params = json!({});
    let script = async {
        let (id, _) = peer.asked("a").await;
        peer.say(format!("{{\"id\":{id},\"result\":7}}")).await;
        peer.exit().await;
    };
    let (outcome, ()) = tokio::join!(client.call("a", &params, LONG), script);
    assert_eq!(outcome.unwrap(), "7");
    assert_eq!(client.ended().await.half_line, None);
}

#[tokio::test]
async fn a_peer_that_closes_its_input_may_still_answer_what_it_has_read() {
    let (client, mut peer) = connected();
    let params = json!({});
    let script = async {
        let (id, _) = peer.asked("a").await;
        drop(peer.lines);
        client.notify("notifications/unheard", None);
        // Whoever calls now is told at once, though the output is still open.
        let refused = client.call("b", &params, LONG).await.unwrap_err();
        assert!(died(&refused).0.contains("stopped reading"), "{refused}");
        let line = format!("{{\"id\":{id},\"result\":7}}\n");
        tokio::io::AsyncWriteExt::write_all(&mut peer.output, line.as_bytes())
            .await
            .unwrap();
        peer.output
    };
    let (outcome, _output) = tokio::join!(client.call("a", &params, LONG), script);
    assert_eq!(outcome.unwrap(), "7");
}

#[tokio::test]
async fn closing_the_input_lets_a_good_peer_end() {
    let (client, mut peer) = connected();
    client.close_input();
    assert_eq!(peer.lines.next_line().await.unwrap(), None);
    let refused = client.call("a", &json!({}), LONG).await.unwrap_err();
    assert_eq!(died(&refused).0, "its input was closed");
    peer.exit().await;
    assert_eq!(client.ended().await.how, "its output ended");
}

#[tokio::test]
async fn an_over_long_answer_is_an_error_for_its_own_caller_only() {
    let options = ClientOptions { line_limit: 1000 };
    let (client, mut peer) = pair(64 * 1024, &options);
    let params = json!({});
    let script = async {
        let (first, _) = peer.asked("a").await;
        let (second, _) = peer.asked("b").await;
        peer.answer(first, json!("x".repeat(2000))).await;
        peer.answer(second, json!("small")).await;
        // A message that names no id is the answer of the only call that waits.
        let (_, _) = peer.asked("c").await;
        peer.say(format!("{{\"result\":\"{}\"}}\n", "x".repeat(2000)))
            .await;
    };
    let calls = async {
        let pair = tokio::join!(
            client.call("a", &params, LONG),
            client.call("b", &params, LONG)
        );
        (pair, client.call("c", &params, LONG).await)
    };
    let (((first, second), third), ()) = tokio::join!(calls, script);
    assert_eq!(second.unwrap(), "\"small\"");
    for error in [first.unwrap_err(), third.unwrap_err()] {
        assert!(
            matches!(error, EngineError::ResponseTooLarge { limit: 1000, .. }),
            "{error}"
        );
        assert!(!error.poisons_instance());
    }
    assert_eq!(client.stats().too_long, 2);
}
