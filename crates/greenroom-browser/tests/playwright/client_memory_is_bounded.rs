use crate::peer::{LONG, Peer, pair};
use greenroom_browser::playwright::ClientOptions;
use serde_json::json;

const MEGABYTE: usize = 1024 * 1024;

/// The most memory that this process ever held.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<usize>()
        .unwrap()
        * 1024
}

async fn answer_hugely(peer: &mut Peer, megabytes: usize) {
    let (id, _) = peer.asked("huge").await;
    peer.say("{\"result\":\"").await;
    let chunk = vec![b'x'; MEGABYTE / 16];
    for _ in 0..megabytes * 16 {
        peer.say(&chunk).await;
    }
    peer.say(format!("\",\"jsonrpc\":\"2.0\",\"id\":{id}}}\n"))
        .await;
}

/// One test, so that nothing else in this process moves the peak.
#[tokio::test]
async fn a_huge_line_is_refused_without_being_held_and_taken_whole_within_the_limit() {
    let params = json!({});
    let (client, mut peer) = pair(
        MEGABYTE,
        &ClientOptions {
            line_limit: MEGABYTE,
        },
    );
    let before = peak();
    let (outcome, ()) = tokio::join!(
        client.call("huge", &params, LONG),
        answer_hugely(&mut peer, 50)
    );
    assert_eq!(outcome.unwrap_err().kind(), "response_too_large");
    let grown = peak() - before;
    assert!(grown < 8 * MEGABYTE, "refusing 50 MB took {grown} bytes");

    let (client, mut peer) = pair(MEGABYTE, &ClientOptions::default());
    let (outcome, ()) = tokio::join!(
        client.call("huge", &params, LONG),
        answer_hugely(&mut peer, 50)
    );
    assert_eq!(outcome.unwrap().len(), 50 * MEGABYTE + 2);
    let grown = peak() - before;
    assert!(grown < 2 * 64 * MEGABYTE, "taking 50 MB took {grown} bytes");
}
