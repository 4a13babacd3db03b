//! What is old or too much goes, in small steps, without anyone waiting for it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{Fixture, ada, call, done, items, session, snapshot, store_page};
use greenroom_store::{
    CallFilter, NewBlob, NewSession, Options, RefId, Response, Retention, Store, Timestamp,
};

const DAY: i64 = 24 * 3600 * 1000;

fn keeping(max_age: Duration, max_bytes: u64) -> Options {
    let retention = Retention {
        max_age,
        max_bytes,
        every: Duration::from_secs(3600),
    };
    Options {
        retention: Some(retention),
        ..Options::default()
    }
}

/// Stores a page as of some day.
async fn on_day(store: &Store, day: i64, session_name: &str, response: Response) -> RefId {
    let mut call = call().session(session(session_name));
    call.started_at = Timestamp::from_millis(day * DAY);
    let ref_id = call.ref_id;
    store.call_finished(call, done(response)).await.unwrap();
    ref_id
}

async fn left(store: &Store) -> Vec<RefId> {
    let all = CallFilter {
        limit: usize::MAX,
        ..CallFilter::default()
    };
    let calls = store.calls(ada(), all).await.unwrap();
    calls.into_iter().rev().map(|call| call.ref_id).collect()
}

async fn make_session(store: &Store, name: &str) {
    let (principal, id, pool) = (ada(), session(name), "DEFAULT".to_owned());
    store
        .create_session(NewSession {
            principal,
            id,
            pool,
            label: None,
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn what_is_older_than_allowed_goes_and_the_rest_stays() {
    let store = Fixture::with(keeping(Duration::from_secs(7 * 86_400), u64::MAX)).await;
    let mut refs = Vec::new();
    for day in 0..20 {
        refs.push(on_day(&store, day, "s", snapshot(&format!("day {day}"))).await);
    }
    let report = store
        .retain(Timestamp::from_millis(20 * DAY))
        .await
        .unwrap();
    assert_eq!(report.calls, 13);
    assert_eq!(left(&store).await, refs[13..]);
    assert_eq!(
        store
            .retain(Timestamp::from_millis(20 * DAY))
            .await
            .unwrap()
            .calls,
        0
    );
}

#[tokio::test]
async fn sessions_that_may_go_on_keep_their_newest_response_and_page() {
    let store = Fixture::with(keeping(Duration::ZERO, u64::MAX)).await;
    for name in ["active", "parked", "closed"] {
        make_session(&store, name).await;
    }
    let mut kept = Vec::new();
    for name in ["active", "parked", "closed", "never made"] {
        on_day(&store, 1, name, snapshot("first page")).await;
        let page = on_day(&store, 2, name, snapshot("last page")).await;
        on_day(&store, 3, name, Response::new(b"answer".to_vec())).await;
        let last = on_day(&store, 4, name, Response::new(b"last answer".to_vec())).await;
        if name == "active" || name == "parked" {
            kept.extend([page, last]);
        }
    }
    store
        .park_session(ada(), session("parked"), Vec::new())
        .await
        .unwrap();
    store
        .end_session(ada(), session("closed"), false)
        .await
        .unwrap();
    let report = store
        .retain(Timestamp::from_millis(i64::MAX))
        .await
        .unwrap();
    assert_eq!(report.calls, 12);
    assert_eq!(left(&store).await, kept);
}

#[tokio::test]
async fn beyond_the_size_the_oldest_go_until_it_fits() {
    let limit = 3 << 20;
    let store = Fixture::with(keeping(Duration::from_secs(u64::MAX >> 20), limit)).await;
    let mut refs = Vec::new();
    for _ in 0..60 {
        // Noise, which does not become smaller by compression.
        let noise = noise(100_000);
        refs.push(on_day(&store, 1, "s", Response::new(noise)).await);
    }
    store.settle().await.unwrap();
    assert!(store.sizes().await.unwrap().used_bytes > limit);
    let report = store.retain(Timestamp::from_millis(DAY)).await.unwrap();
    let sizes = store.sizes().await.unwrap();
    assert!(sizes.used_bytes <= limit, "{sizes:?}");
    assert!(report.calls > 10 && report.calls < 60, "{report:?}");
    assert_eq!(
        left(&store).await,
        refs[report.calls as usize..],
        "the newest stay"
    );
    store.close().await;
    let file = std::fs::metadata(store.path()).unwrap().len();
    assert!(file < limit + (1 << 20), "pages are given back: {file}");
}

#[tokio::test]
async fn uploads_that_are_newer_than_every_call_go_too_when_it_is_too_much() {
    let limit = 1 << 20;
    let store = Fixture::with(keeping(Duration::from_secs(u64::MAX >> 20), limit)).await;
    on_day(&store, 1, "s", Response::new(noise(1000))).await;
    let upload = || NewBlob {
        principal: ada(),
        mime: "application/octet-stream".to_owned(),
        named_by: None,
    };
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(store.put_blob(upload(), &*noise(400_000)).await.unwrap());
    }
    store.retain(Timestamp::now()).await.unwrap();
    let sizes = store.sizes().await.unwrap();
    assert!(sizes.used_bytes + sizes.blob_bytes <= limit, "{sizes:?}");
    assert!(store.blob(ada(), ids[0]).await.is_err(), "the oldest went");
    assert!(store.blob(ada(), ids[4]).await.is_ok(), "the newest stays");
}

fn noise(bytes: usize) -> Vec<u8> {
    use std::hash::{BuildHasher, RandomState};
    let state = RandomState::new();
    (0..bytes as u64 / 8)
        .flat_map(|n| state.hash_one(n).to_le_bytes())
        .collect()
}

#[tokio::test]
async fn many_rows_go_in_many_small_steps_while_callers_store() {
    let store = Fixture::with(keeping(Duration::from_secs(86_400), u64::MAX)).await;
    let mut writes = Vec::new();
    for n in 0..3000 {
        let mut call = call();
        call.started_at = Timestamp::from_millis(n);
        let response = snapshot(&format!("page {n}"));
        let store = (*store).clone();
        writes.push(tokio::spawn(async move {
            store.call_finished(call, done(response)).await
        }));
    }
    for write in writes {
        write.await.unwrap().unwrap();
    }
    store.settle().await.unwrap();
    let removing = {
        let store = (*store).clone();
        tokio::spawn(async move { store.retain(Timestamp::now()).await })
    };
    let mut newer = Vec::new();
    while !removing.is_finished() {
        newer.push(store_page(&store, &items(20, None)).await);
    }
    let report = removing.await.unwrap().unwrap();
    assert_eq!(report.calls, 3000);
    assert!(report.steps >= 3000 / 64, "{report:?}");
    assert!(!newer.is_empty());
    assert_eq!(left(&store).await, newer);
}

#[tokio::test]
async fn a_call_that_runs_stays_however_old_it_is() {
    let store = Fixture::with(keeping(Duration::ZERO, u64::MAX)).await;
    let mut running = call();
    running.started_at = Timestamp::from_millis(0);
    store.call_started(&running);
    on_day(&store, 1, "s", snapshot("done")).await;
    store.retain(Timestamp::now()).await.unwrap();
    assert_eq!(left(&store).await, [running.ref_id]);
}

#[tokio::test]
async fn without_rules_everything_stays() {
    let options = Options {
        retention: None,
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    let page = on_day(&store, 0, "s", snapshot("old")).await;
    store
        .retain(Timestamp::from_millis(i64::MAX))
        .await
        .unwrap();
    assert_eq!(left(&store).await, [page]);
    assert_eq!(store.result(ada(), page).await.unwrap(), b"old");
}
