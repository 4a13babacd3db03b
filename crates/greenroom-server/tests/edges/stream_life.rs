//! How calls and streams end, and what broken input does to them.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::double::{Event, Stage};
use crate::support::stream::StreamClient;
use crate::support::{call, initialize, modern, request, text};
use greenroom_server::identity::ConnectionId;
use greenroom_server::mcp::StreamEnd;
use serde_json::{Value, json};

const FIRST: ConnectionId = ConnectionId(1);

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_never_answered_in_either_era() {
    for era in [|message| message, modern] {
        let mut stage = Stage::new();
        let mut client = StreamClient::silent(&stage);
        if era(json!({}))["params"].is_null() {
            client.ask(&initialize("2025-11-25")).await;
        }
        client.send(&era(call(1, "hang", json!({})))).await;
        stage.expect(&[Event::Opened(FIRST), Event::Started]).await;
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        client.send(&cancel).await;
        stage.expect_at_once(&[Event::Dropped]).await;
        let next = client
            .ask(&era(call(2, "echo", json!({"text": "on"}))))
            .await;
        assert_eq!(next["id"], 2, "the first answer is to the second call");
    }
}

#[tokio::test]
async fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    client.send(&call(1, "gate", json!({}))).await;
    stage.expect(&[Event::Opened(FIRST), Event::Started]).await;
    client.hang_up().await;
    stage.double.gate.add_permits(1);
    let (rest, end) = client.end().await;
    assert_eq!(end, StreamEnd::Peer);
    let answer: Value = serde_json::from_str(rest.last().expect("an answer")).unwrap();
    assert_eq!(answer["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_input_drops_calls_that_never_end_then_closes_the_connection_then_ends() {
    let mut stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    client.send(&call(1, "hang", json!({}))).await;
    stage.expect(&[Event::Opened(FIRST), Event::Started]).await;
    client.hang_up().await;
    stage.expect(&[Event::Dropped, Event::Closed(FIRST)]).await;
    let (_, end) = client.end().await;
    assert_eq!(end, StreamEnd::Peer);
    assert!(stage.is_quiet());
}

#[tokio::test]
async fn a_stream_that_says_nothing_opens_and_closes() {
    let mut stage = Stage::new();
    let mut client = StreamClient::silent(&stage);
    client.hang_up().await;
    let (rest, end) = client.end().await;
    assert_eq!((rest.len(), end), (0, StreamEnd::Peer));
    stage
        .expect(&[Event::Opened(FIRST), Event::Closed(FIRST)])
        .await;
}

#[tokio::test]
async fn draining_lets_the_call_in_flight_finish_and_reads_no_more() {
    let mut stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    client.send(&call(1, "gate", json!({}))).await;
    stage.expect(&[Event::Opened(FIRST), Event::Started]).await;
    client.shutdown.drain();
    client.send(&call(2, "echo", json!({"text": "late"}))).await;
    stage.double.gate.add_permits(1);
    let (rest, end) = client.end().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].contains("through"));
    assert_eq!(end, StreamEnd::Shutdown);
    stage.expect(&[Event::Closed(FIRST)]).await;
}

#[tokio::test]
async fn cancelling_drops_the_call_in_flight() {
    let mut stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    client.send(&call(1, "hang", json!({}))).await;
    stage.expect(&[Event::Opened(FIRST), Event::Started]).await;
    client.shutdown.cancel();
    stage
        .expect_at_once(&[Event::Dropped, Event::Closed(FIRST)])
        .await;
    assert_eq!(client.end().await.1, StreamEnd::Shutdown);
}

#[tokio::test]
async fn a_call_that_panics_is_answered_and_harms_no_other() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    let answer = client.call(1, "boom", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("outcome is unknown"));
    assert_eq!(
        text(&client.call(2, "echo", json!({"text": "on"})).await),
        "on"
    );
}

#[tokio::test]
async fn progress_reaches_the_client_before_the_result() {
    let mut stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    let mut asking = call(1, "progress", json!({}));
    asking["params"]["_meta"] = json!({"progressToken": "p"});
    client.send(&asking).await;
    let first = client.receive().await;
    assert_eq!(first["method"], "notifications/progress");
    assert_eq!(
        first["params"],
        json!({"progressToken": "p", "progress": 1.0, "total": 3.0, "message": "step 1"})
    );
    stage.double.gate.add_permits(1);
    assert_eq!(client.receive().await["params"]["progress"], 3.0);
    assert_eq!(text(&client.receive().await), "done");
    assert_eq!(stage.event().await, Event::Opened(FIRST));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_under_its_id_and_the_stream_goes_on() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    let filler = "x".repeat(16 * 1024 * 1024);
    let id_first = format!("{}\n", call(7, "echo", json!({"text": filler})));
    let id_last = format!(
        "{{\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"{filler}\"}}}},\"jsonrpc\":\"2.0\",\"id\":\"last\"}}\n"
    );
    for (line, id) in [(id_first, json!(7)), (id_last, json!("last"))] {
        let (answer, mut back) = {
            let mut writing = client;
            let task = tokio::spawn(async move {
                writing.send_bytes(line.as_bytes()).await;
                let answer = writing.receive().await;
                (answer, writing)
            });
            task.await.unwrap()
        };
        assert_eq!(answer["id"], id);
        assert_eq!(answer["error"]["code"], -32600);
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("16777216")
        );
        assert_eq!(
            text(&back.call(8, "echo", json!({"text": "on"})).await),
            "on"
        );
        client = back;
    }
}

#[tokio::test]
async fn noise_is_ignored_and_what_can_be_answered_is() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    client
        .send_bytes(b"npm warn\n\n\xEF\xBB\xBF\r\n\xff\xfe\n{\"half\": \n")
        .await;
    let deep = "[".repeat(100_000);
    let hopeless = [
        (
            format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"params\":{deep}\n"),
            json!(5),
            -32700,
        ),
        (
            format!("{}\n", json!({"jsonrpc": "2.0", "id": 6})),
            json!(6),
            -32600,
        ),
        (
            format!(
                "{}\n",
                json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
            ),
            Value::Null,
            -32600,
        ),
    ];
    for (line, id, code) in hopeless {
        client.send_bytes(line.as_bytes()).await;
        let answer = client.receive().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code))
        );
    }
    client
        .send(&json!({"jsonrpc": "2.0", "method": "$/odd", "params": 3}))
        .await;
    let mut with_bom = b"\xEF\xBB\xBF".to_vec();
    with_bom.extend_from_slice(format!("{}\r\n", request(9, "ping", json!({}))).as_bytes());
    client.send_bytes(&with_bom).await;
    assert_eq!(client.receive().await["id"], 9);
}

#[tokio::test]
async fn a_notification_before_the_introduction_does_not_end_the_stream() {
    let stage = Stage::new();
    let mut client = StreamClient::silent(&stage);
    client
        .ask(&modern(request(1, "server/discover", json!({}))))
        .await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    let answer = client.ask(&initialize("2025-11-25")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn answers_longer_than_every_buffer_arrive_whole_and_unmixed() {
    let stage = Stage::new();
    let mut client = StreamClient::legacy(&stage).await;
    for id in 0..20 {
        client
            .send(&call(id, "big", json!({"bytes": 300_000})))
            .await;
    }
    let mut answered: Vec<u64> = Vec::new();
    for _ in 0..20 {
        let answer = client.receive().await;
        assert_eq!(text(&answer).len(), 300_000);
        answered.push(answer["id"].as_u64().unwrap());
    }
    answered.sort_unstable();
    assert_eq!(answered, (0..20).collect::<Vec<_>>());
}
