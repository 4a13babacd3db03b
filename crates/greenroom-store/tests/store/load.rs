//! Many callers at once: nothing is lost, nobody waits for ever, and memory stays bounded.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::victim::Victim;
use crate::support::{Fixture, ada, call, done, items, snapshot};
use greenroom_store::{Options, Outcome, Store};

const CALLERS: usize = 8;
const ANSWERS: usize = 100;

/// Memory of this process that is in use, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .next()
        .unwrap()
        .parse::<u64>()
        .unwrap()
        << 10
}

/// Stores answers of about 100 KB one after the other.
async fn caller(store: Store, page: String) {
    for _ in 0..ANSWERS {
        let call = call();
        store.call_started(&call);
        store
            .call_finished(call, done(snapshot(&page)))
            .await
            .unwrap();
    }
}

async fn run(store: &Store) {
    let page = items(2500, None);
    assert!(page.len() > 100_000);
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| tokio::spawn(caller(store.clone(), page.clone())))
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_callers_store_large_answers_in_bounded_memory() {
    let store = Fixture::new().await;
    let idle = memory();
    run(&store).await;
    store.settle().await.unwrap();
    let grown = memory() - idle;
    assert!(grown < 64 << 20, "memory grew by {} MB", grown >> 20);
    let sizes = store.sizes().await.unwrap();
    assert_eq!(
        (sizes.calls, sizes.unsettled),
        ((CALLERS * ANSWERS) as u64, 0)
    );
    assert_eq!(store.activity().queue_depth, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_of_one_is_slow_and_loses_nothing() {
    let options = Options {
        queue_writes: 1,
        queue_bytes: 1,
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    run(&store).await;
    let sizes = store.sizes().await.unwrap();
    assert_eq!(sizes.calls, (CALLERS * ANSWERS) as u64);
}

#[tokio::test]
async fn writes_that_come_while_one_is_committed_share_the_next_commit() {
    let store = Fixture::new().await;
    let mut holder = Victim::start("lock", store.path());
    assert_eq!(holder.line().unwrap(), "locked");
    let before = store.activity().commits;
    let writes: Vec<_> = (0..50)
        .map(|n| {
            let (store, page) = ((*store).clone(), format!("page {n}"));
            tokio::spawn(async move { store.call_finished(call(), done(snapshot(&page))).await })
        })
        .collect();
    while store.activity().queue_depth < 50 {
        tokio::task::yield_now().await;
    }
    holder.finish();
    for write in writes {
        write.await.unwrap().unwrap();
    }
    let commits = store.activity().commits - before;
    assert!(commits < 10, "50 writes took {commits} commits");
}

#[tokio::test]
async fn a_started_call_never_waits_and_its_end_carries_everything() {
    let options = Options {
        queue_writes: 2,
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    let mut holder = Victim::start("lock", store.path());
    assert_eq!(holder.line().unwrap(), "locked");
    let calls: Vec<_> = (0..10).map(|_| call()).collect();
    for call in &calls {
        store.call_started(call);
    }
    assert_eq!(store.activity().dropped_starts, 8);
    assert_eq!(store.activity().queue_depth, 2);
    holder.finish();
    for call in calls {
        let ref_id = call.ref_id;
        store
            .call_finished(call, done(snapshot("x")))
            .await
            .unwrap();
        assert_eq!(
            store.call(ada(), ref_id).await.unwrap().outcome,
            Outcome::Success
        );
    }
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_its_write_behind() {
    let store = Fixture::new().await;
    let mut holder = Victim::start("lock", store.path());
    assert_eq!(holder.line().unwrap(), "locked");
    let call = call();
    let ref_id = call.ref_id;
    let write = {
        let store = (*store).clone();
        tokio::spawn(async move {
            store
                .call_finished(call, done(snapshot(&items(1000, None))))
                .await
        })
    };
    while store.activity().queue_depth < 1 {
        tokio::task::yield_now().await;
    }
    write.abort();
    assert!(write.await.unwrap_err().is_cancelled());
    holder.finish();
    store.close().await;
    let store = Store::open(store.path(), Options::default()).await.unwrap();
    assert_eq!(
        store.result(ada(), ref_id).await.unwrap(),
        items(1000, None).as_bytes()
    );
}

#[tokio::test]
async fn a_closed_store_says_so() {
    let store = Fixture::new().await;
    store.close().await;
    store.close().await;
    let refused = store
        .call_finished(call(), done(snapshot("late")))
        .await
        .unwrap_err();
    assert!(
        refused.to_string().contains("the store is closed"),
        "{refused}"
    );
    assert!(store.settle().await.is_err());
    assert!(store.sizes().await.is_err());
}
