//! What the record keeps of calls and sessions when their client, or the server, goes.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{
    Legacy, Setup, Stateless, Stdio, TestServer, all_calls, error_of, local, meta, ref_of,
    session_of, text_of,
};
use greenroom_store::{CallInfo, ContentKind, Outcome, Principal, Store, StoreError, Timestamp};
use greenroom_testkit::upstream::{CallRule, Reply, Script};
use serde_json::{Value, json};

const ANN: &str = "correct-horse-battery-staple";
const BEN: &str = "another-long-secret-of-ben";

/// A pool `P` of so many fake browsers, for two people beside the user of this machine.
fn guarded(instances: usize) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", &instances.to_string())
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
        .set("AUTH_TOKENS", &format!("ann:{ANN},ben:{BEN}"))
        .upstream("_P", Script::default())
}

fn page(session: &str) -> Value {
    json!({"url": "http://a.test/", "session_id": session})
}

/// The sessions of a client, as `id state`.
async fn sessions(client: &Legacy) -> Vec<String> {
    let listed = client.call("list_sessions", json!({})).await;
    let listed = listed["structuredContent"]["sessions"].clone();
    let word = |session: &Value, name: &str| session[name].as_str().unwrap().to_owned();
    let mut found: Vec<String> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|session| format!("{} {}", word(session, "session_id"), word(session, "state")))
        .collect();
    found.sort();
    found
}

/// What `greenroom sessions` prints.
async fn printed(setup: &Setup) -> String {
    let output = setup.command(&["sessions"]).output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_an_earlier_run_are_parked_go_on_by_id_and_belong_to_their_principal() {
    let server = TestServer::start(guarded(3)).await;
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let opened = ann
        .call("create_new_session", json!({"label": "shop"}))
        .await;
    let minted = opened["structuredContent"]["session_id"].as_str().unwrap();
    let minted = minted.to_owned();
    for session in [minted.as_str(), "named", "over"] {
        let used = ann.call("browser_navigate", page(session)).await;
        assert_eq!(meta(&used, "outcome"), "success", "{used:#}");
    }
    ann.call("close_session", json!({"session_id": "over"}))
        .await;
    let mut mine = Stdio::start(&server.setup).await;
    mine.call("browser_navigate", page("mine")).await;
    assert!(printed(&server.setup).await.contains("mine  active"));
    mine.close().await;
    let setup = server.stop_for_now().await;

    let without_server = printed(&setup).await;
    assert_eq!(without_server.lines().count(), 1, "{without_server}");
    assert!(
        without_server.starts_with("mine  parked  pool P"),
        "{without_server}"
    );

    let server = TestServer::start(setup).await;
    let with_server = printed(&server.setup).await;
    assert!(
        with_server.starts_with("mine  parked  pool P"),
        "{with_server}"
    );
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let ben = Legacy::connect_as(&server.url, BEN).await;
    let parked = [format!("{minted} parked"), "named parked".to_owned()];
    assert_eq!(sessions(&ann).await, parked);
    assert_eq!(sessions(&ben).await, Vec::<String>::new());

    // To others it is as unknown as one that never was.
    let never = format!("gr-{}", "a".repeat(26));
    for (client, id) in [(&ben, &minted), (&ann, &never)] {
        let look = json!({"session_id": id});
        for tool in ["browser_snapshot", "close_session"] {
            let text = error_of(&client.call(tool, look.clone()).await);
            assert!(text.contains("unknown session_id"), "{tool}: {text}");
        }
    }

    let goes_on = ann.call("browser_navigate", page(&minted)).await;
    assert_eq!(session_of(&goes_on), minted);
    assert_eq!(meta(&goes_on, "state_lost"), true);
    assert!(text_of(&goes_on).contains("started anew"), "{goes_on:#}");
    let told_once = ann.call("browser_navigate", page(&minted)).await;
    assert_eq!(meta(&told_once, "state_lost"), Value::Null);
    let closed = ann
        .call("close_session", json!({"session_id": "named"}))
        .await;
    assert_eq!(closed["structuredContent"]["state"], "closed", "{closed:#}");
    assert_eq!(sessions(&ann).await, [format!("{minted} active")]);
    server.stop().await;
}

/// Waits until the only recorded call of this tool has ended, and gives it.
async fn ended(store: &Store, principal: Principal, tool: &str) -> CallInfo {
    let waiting = async {
        loop {
            let calls = all_calls(store, principal.clone(), tool).await;
            assert!(calls.len() <= 1, "{calls:#?}");
            match calls.into_iter().next() {
                Some(call) if call.outcome != Outcome::Running => return call,
                _ => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(10), waiting).await;
    in_time.unwrap_or_else(|_| panic!("{tool} still runs in the record"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_client_cancels_or_leaves_has_an_end_in_the_record() {
    let never = |tool: &str| CallRule {
        tool: Some(tool.to_owned()),
        reply: Reply::Never,
        ..CallRule::default()
    };
    let script = Script {
        calls: vec![never("browser_click"), never("browser_hover")],
        ..Script::default()
    };
    let server = TestServer::start(Setup::per_call(2).upstream("_P", script)).await;
    let store = server.setup.record().await;

    let leaver = Stateless::new(&server.url);
    let click = leaver.request("browser_click", json!({"target": "e5"}));
    let click = tokio::spawn(click.send());
    server.setup.called("_P", "browser_click").await;
    click.abort();
    let left = ended(&store, local(), "browser_click").await;
    assert_eq!(left.outcome, Outcome::Unknown, "{left:#?}");

    let canceller = Legacy::connect(&server.url).await;
    let hover = canceller.call_if_alive("browser_hover", json!({"target": "e5"}));
    let cancelling = async {
        server.setup.called("_P", "browser_hover").await;
        canceller.cancel_last().await;
        ended(&store, local(), "browser_hover").await
    };
    let (answer, cancelled) = tokio::join!(hover, cancelling);
    assert_eq!(answer, None, "a cancelled call has no answer");
    assert_eq!(cancelled.outcome, Outcome::Unknown, "{cancelled:#?}");
    assert!(cancelled.duration.is_some() && cancelled.response.is_none());
    store.close().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_recorded_with_who_where_what_when_and_how_it_ended() {
    let begun = Timestamp::now();
    let server = TestServer::start(guarded(1)).await;
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let asked = json!({"url": "http://a.test/shop", "session_id": "shop"});
    let answered = ann.call("browser_navigate", asked.clone()).await;
    let refused = ann
        .call("browser_click", json!({"session_id": "shop"}))
        .await;
    error_of(&refused);
    let setup = server.stop_for_now().await;
    let finished = Timestamp::now();

    let store = setup.record().await;
    let principal = Principal::new("ann");
    let ref_id = ref_of(&answered);
    let call = store.call(principal.clone(), ref_id).await.unwrap();
    assert_eq!(call.tool, "browser_navigate");
    assert_eq!(call.session.unwrap().as_str(), "shop");
    assert_eq!(call.pool.as_deref(), Some("P"));
    assert_eq!(call.instance.as_deref(), Some("0"));
    assert!(call.started_at >= begun && call.started_at <= finished);
    assert!(call.duration.unwrap() > Duration::ZERO);
    assert_eq!(call.outcome, Outcome::Success);
    let response = call.response.unwrap();
    assert_eq!(response.content, Some(ContentKind::Snapshot));
    assert_eq!(response.url.as_deref(), Some("http://a.test/shop"));
    assert_eq!(response.title.as_deref(), Some("Fake"));
    // A tab of the session, on whichever instance it is.
    assert_eq!(response.tab.as_deref(), Some("0"));
    let arguments = store.arguments(principal.clone(), ref_id).await.unwrap();
    assert_eq!(arguments, asked.to_string());
    let of_ben = store.call(Principal::new("ben"), ref_id).await;
    assert!(matches!(of_ben, Err(StoreError::NotFound { .. })));

    let call = store.call(principal, ref_of(&refused)).await.unwrap();
    assert_eq!(call.outcome, Outcome::Error);
    assert_eq!((call.tool.as_str(), call.instance), ("browser_click", None));
    assert!(
        call.response.is_some(),
        "why it was refused can be read again"
    );
    store.close().await;
}
