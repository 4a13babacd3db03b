//! The connection against a scripted browser.

use std::time::Duration;

use crate::peer::Peer;
use greenroom_browser::call::{Death, Stage};
use greenroom_browser::native::CdpError;
use greenroom_browser::native::conn::{Notice, Session, SessionId};
use greenroom_browser::native::protocol::browser::GetVersion;
use greenroom_browser::native::protocol::page::{self, JavascriptDialogOpening};
use greenroom_browser::native::protocol::runtime::Evaluate;
use serde_json::json;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(10);

/// Room for whole conversations.
const WIDE: usize = 1 << 20;

/// A session that the peer has told of.
async fn attached(peer: &mut Peer, browser: &Session, name: &str) -> Session {
    let mut heard = browser.events();
    peer.attach(name).await;
    heard.next().await.unwrap();
    browser.sibling(SessionId::from(name))
}

fn version() -> serde_json::Value {
    json!({"protocolVersion": "1.3", "product": "Fake/1", "revision": "", "userAgent": "",
        "jsVersion": "", "added": "later"})
}

#[tokio::test]
async fn replies_find_their_callers_in_whatever_order_they_come() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let calls: Vec<_> = (0..50)
        .map(|n| {
            let browser = browser.clone();
            let script = Evaluate::value_of(n.to_string());
            tokio::spawn(async move { browser.call(script).await.unwrap().result.read() })
        })
        .collect();
    let mut commands = Vec::new();
    for _ in 0..50 {
        commands.push(peer.command().await);
    }
    commands.reverse();
    for command in &commands {
        let value: i64 = command["params"]["expression"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let result = json!({"result": {"type": "number", "value": value}});
        peer.answer(command, result).await;
    }
    for (expected, call) in calls.into_iter().enumerate() {
        let value: usize = call.await.unwrap().unwrap();
        assert_eq!(value, expected);
    }
    assert_eq!(connection.pending(), 0);
}

#[tokio::test]
async fn commands_polled_together_go_out_in_order_before_any_reply() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let page = attached(&mut peer, &browser, "S").await;
    let three = async {
        tokio::try_join!(
            page.call(page::Enable {}),
            page.call(page::SetLifecycleEventsEnabled { enabled: true }),
            page.call(page::StopLoading {}),
        )
    };
    let script = async {
        let mut commands = Vec::new();
        for _ in 0..3 {
            commands.push(peer.command().await);
        }
        let methods: Vec<_> = commands
            .iter()
            .map(|command| command["method"].clone())
            .collect();
        assert_eq!(
            methods,
            [
                "Page.enable",
                "Page.setLifecycleEventsEnabled",
                "Page.stopLoading"
            ]
        );
        assert!(commands.iter().all(|command| command["sessionId"] == "S"));
        for command in &commands {
            peer.answer(command, json!({})).await;
        }
    };
    let (done, ()) = tokio::join!(three, script);
    done.unwrap();
}

#[tokio::test]
async fn a_refusal_is_told_with_its_reason_and_a_strange_answer_is_an_error() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let (refused, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        let error = json!({"code": -32000, "message": "no such thing", "data": "at all"});
        peer.say(&json!({"id": command["id"], "error": error}))
            .await;
    });
    let refused = refused.unwrap_err();
    assert!(refused.refused_with("no such thing"), "{refused}");
    let (strange, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        peer.answer(&command, json!({"product": 5})).await;
    });
    assert!(
        matches!(strange, Err(CdpError::Malformed { .. })),
        "{strange:?}"
    );
    let (known, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        peer.answer(&command, version()).await;
    });
    assert_eq!(known.unwrap().product, "Fake/1");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_leaves_nothing_behind_and_a_late_reply_meets_nobody() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let late = browser
        .call_within(Duration::from_millis(50), GetVersion {})
        .await;
    let Err(CdpError::Timeout { stage, .. }) = late else {
        panic!("{late:?}");
    };
    assert_eq!(stage, Stage::Answering);
    assert_eq!(connection.pending(), 0);
    let forgotten = peer.command().await;
    peer.answer(&forgotten, json!({"product": "late"})).await;
    let (next, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        assert_ne!(command["id"], forgotten["id"]);
        peer.answer(&command, version()).await;
    });
    assert_eq!(next.unwrap().product, "Fake/1");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_does_not_read_is_told_apart_from_one_that_does_not_answer() {
    let (connection, mut peer) = Peer::connect(16);
    let browser = connection.browser(PATIENCE);
    // The first blocks in the middle of its text, and counts as sent; the others wait behind it.
    let script = || Evaluate::value_of("x".repeat(1000));
    let first = tokio::spawn({
        let browser = browser.clone();
        async move { browser.call_within(Duration::from_secs(1), script()).await }
    });
    peer.beginning_of_a_command().await;
    let second = browser
        .call_within(Duration::from_millis(500), GetVersion {})
        .await;
    let Err(CdpError::Timeout { stage, .. }) = second else {
        panic!("{second:?}");
    };
    assert_eq!(stage, Stage::Sending);
    let Err(CdpError::Timeout { stage, .. }) = first.await.unwrap() else {
        panic!("it has no answer");
    };
    assert_eq!(stage, Stage::Answering);
    assert_eq!(connection.pending(), 0);
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_the_table_and_disturbs_nobody() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let call = tokio::spawn({
        let browser = browser.clone();
        async move { browser.call(GetVersion {}).await }
    });
    let command = peer.command().await;
    assert_eq!(connection.pending(), 1);
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(connection.pending(), 0);
    peer.answer(&command, version()).await;
    let (next, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        peer.answer(&command, version()).await;
    });
    next.unwrap();
}

#[tokio::test]
async fn the_end_of_the_process_fails_all_that_wait_at_once_with_its_reason() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let page = attached(&mut peer, &browser, "S").await;
    let mut events = page.events();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let page = page.clone();
            tokio::spawn(async move { page.call(page::StopLoading {}).await })
        })
        .collect();
    for _ in 0..20 {
        peer.command().await;
    }
    // The streams end first, as they do when a process is killed.
    let obituary = peer.hang_up();
    obituary
        .send(Death::new("it was ended by signal 9 (SIGKILL)"))
        .unwrap();
    for call in calls {
        let Err(CdpError::Ended { death, sent }) = call.await.unwrap() else {
            panic!("it cannot have an answer");
        };
        assert!(sent && death.how.contains("SIGKILL"), "{death}");
    }
    assert_eq!(events.next().await, None);
    let later = browser.call(GetVersion {}).await.unwrap_err();
    assert!(matches!(later, CdpError::Ended { sent: false, .. }));
    assert!(connection.ended().await.how.contains("SIGKILL"));
}

#[tokio::test]
async fn what_a_page_was_saying_is_not_in_the_news_of_a_death_which_all_pages_get() {
    let (connection, mut peer) = Peer::connect(WIDE);
    peer.write(b"{\"id\":1,\"secret").await;
    drop(peer);
    let death = timeout(PATIENCE, connection.ended()).await.unwrap();
    assert!(!death.to_string().contains("secret"), "{death}");
}

#[tokio::test]
async fn closing_tells_whoever_waits() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let (ended, ()) = tokio::join!(browser.call(GetVersion {}), async {
        peer.command().await;
        connection.close();
    });
    let ended = ended.unwrap_err();
    assert!(
        ended
            .to_string()
            .contains("Greenroom closed the connection"),
        "{ended}"
    );
}

#[tokio::test]
async fn a_page_that_closes_or_crashes_ends_its_own_commands_and_no_others() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let closes = attached(&mut peer, &browser, "closes").await;
    let crashes = attached(&mut peer, &browser, "crashes").await;
    let stays = attached(&mut peer, &browser, "stays").await;
    let script = async {
        let mut commands = Vec::new();
        for _ in 0..3 {
            commands.push(peer.command().await);
        }
        peer.detach("closes").await;
        peer.event(Some("crashes"), "Inspector.targetCrashed", json!({}))
            .await;
        let of_stays = commands
            .iter()
            .find(|command| command["sessionId"] == "stays")
            .unwrap();
        peer.answer(of_stays, json!({})).await;
        peer
    };
    let (closed, crashed, stayed, _peer) = tokio::join!(
        closes.call(page::StopLoading {}),
        crashes.call(page::StopLoading {}),
        stays.call(page::StopLoading {}),
        script,
    );
    assert!(matches!(closed, Err(CdpError::Detached { sent: true, .. })));
    assert!(matches!(crashed, Err(CdpError::Crashed { sent: true })));
    stayed.unwrap();
    // Whoever comes later is told at once, without a word to the browser.
    let closed = closes.call(page::StopLoading {}).await.unwrap_err();
    assert!(matches!(closed, CdpError::Detached { sent: false, .. }));
    let crashed = crashes.call(page::StopLoading {}).await.unwrap_err();
    assert!(matches!(crashed, CdpError::Crashed { sent: false }));
    assert_eq!(connection.pending(), 0);
}

#[tokio::test]
async fn a_listener_that_does_not_listen_holds_up_neither_replies_nor_other_sessions() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let noisy = attached(&mut peer, &browser, "noisy").await;
    let calm = attached(&mut peer, &browser, "calm").await;
    let mut deaf = noisy.events();
    let mut listening = calm.events();
    let dialog = json!({"url": "", "message": "hello", "type": "alert", "frameId": "F"});
    let script = async {
        peer.event(
            Some("noisy"),
            "Page.javascriptDialogOpening",
            dialog.clone(),
        )
        .await;
        for n in 0..20_000 {
            let params = json!({"requestId": n.to_string(), "text": "x".repeat(100)});
            peer.event(Some("noisy"), "Network.dataReceived", params)
                .await;
        }
        peer.event(Some("calm"), "Page.javascriptDialogOpening", dialog)
            .await;
        let command = peer.command().await;
        peer.answer(&command, json!({})).await;
    };
    let (done, (), heard) = tokio::join!(
        noisy.call(page::StopLoading {}),
        script,
        listening.find(|dialog: JavascriptDialogOpening| Some(dialog.message)),
    );
    done.unwrap();
    assert_eq!(heard.as_deref(), Some("hello"));
    // The deaf one is told what it missed, and its dialog is not among it.
    let Some(Notice::Missed(missed)) = deaf.next().await else {
        panic!("it must be told first");
    };
    assert!(missed.chatter > 3_000 && missed.vital == 0, "{missed:?}");
    let message = deaf
        .find(|dialog: JavascriptDialogOpening| Some(dialog.message))
        .await;
    assert_eq!(message.as_deref(), Some("hello"));
}

#[tokio::test]
async fn noise_between_messages_costs_nobody_an_answer() {
    let (connection, mut peer) = Peer::connect(WIDE);
    let browser = connection.browser(PATIENCE);
    let (answered, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        peer.write(b"not json\0\0{\"id\":999,\"result\":{}}\0[1]\0\xff\xfe\0")
            .await;
        peer.answer(&command, version()).await;
    });
    answered.unwrap();
    let (unreadable, ()) = tokio::join!(browser.call(GetVersion {}), async {
        let command = peer.command().await;
        let broken = format!("{{\"id\":{},\"result\":oops}}\0", command["id"]);
        peer.write(broken.as_bytes()).await;
    });
    assert!(
        matches!(unreadable, Err(CdpError::Malformed { .. })),
        "{unreadable:?}"
    );
}
