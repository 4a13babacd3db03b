//! Searching what the pages of a session said.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Fixture, ada, call, done, eve, items, session, snapshot, store_page};
use greenroom_store::{HistoryQuery, Hit, Options, RefId, Response, Retention, Store, Timestamp};

fn query(text: &str) -> HistoryQuery {
    let session = Some(session("s"));
    HistoryQuery {
        principal: ada(),
        session,
        text: text.to_owned(),
        limit: 10,
        lines: 3,
    }
}

async fn refs(store: &Store, query: HistoryQuery) -> Vec<RefId> {
    let hits: Vec<Hit> = store.history(query).await.unwrap();
    hits.into_iter().map(|hit| hit.ref_id).collect()
}

#[tokio::test]
async fn pages_with_all_the_words_are_found_newest_first_indexed_or_not() {
    let store = Fixture::new().await;
    let cart = store_page(&store, "- button \"Add to cart\" [ref=e1]\n- text: Größe\n").await;
    let pay = store_page(
        &store,
        "- button \"Pay\" [ref=e1]\n- link \"Back to cart\"\n",
    )
    .await;
    for settled in [false, true] {
        if settled {
            store.settle().await.unwrap();
        }
        let table: [(&str, &[RefId]); 9] = [
            ("cart", &[pay, cart]),
            ("CART to", &[pay, cart]),
            ("add cart", &[cart]),
            ("cart größe", &[cart]),
            ("pay add", &[]),
            ("car", &[]),
            ("e1", &[]),
            ("\"cart\" OR pay*", &[]),
            ("!?", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(
                refs(&store, query(text)).await,
                expected,
                "{text} settled: {settled}"
            );
        }
    }
}

#[tokio::test]
async fn a_hit_shows_the_lines_with_all_the_words_or_else_with_some() {
    let store = Fixture::new().await;
    let call = call();
    let response = snapshot("- one: red\n- two: red blue\n- three: blue\n").page("http://x/", "X");
    store.call_finished(call, done(response)).await.unwrap();
    let lines = |text: &str| {
        let (store, query) = (store.clone(), query(text));
        async move {
            let hit = store.history(query).await.unwrap().remove(0);
            assert_eq!(
                (hit.url.as_deref(), hit.title.as_deref()),
                (Some("http://x/"), Some("X"))
            );
            hit.lines
                .into_iter()
                .map(|line| (line.number, line.text))
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(lines("blue red").await, [(1, "- two: red blue".to_owned())]);
    let some = [
        (0, "- one: red".to_owned()),
        (2, "- three: blue".to_owned()),
    ];
    assert_eq!(lines("one three").await, some);
}

#[tokio::test]
async fn other_sessions_other_principals_and_answers_that_are_no_pages_are_not_searched() {
    let store = Fixture::new().await;
    let own = store_page(&store, "needle").await;
    let elsewhere = [
        call().session(session("other")),
        greenroom_store::Call {
            principal: eve(),
            ..call()
        },
        greenroom_store::Call {
            session: None,
            ..call()
        },
    ];
    for call in elsewhere {
        store
            .call_finished(call, done(snapshot("needle")))
            .await
            .unwrap();
    }
    let text = greenroom_store::Content::text("needle");
    store
        .call_finished(call(), done(Response::new(vec![]).content(text)))
        .await
        .unwrap();
    for settled in [false, true] {
        if settled {
            store.settle().await.unwrap();
        }
        assert_eq!(
            refs(&store, query("needle")).await,
            [own],
            "settled: {settled}"
        );
        let outside = HistoryQuery {
            session: None,
            ..query("needle")
        };
        assert_eq!(refs(&store, outside).await.len(), 1);
    }
}

#[tokio::test]
async fn what_retention_removed_is_found_no_more() {
    let retention = Retention {
        max_age: std::time::Duration::ZERO,
        ..Retention::default()
    };
    let options = Options {
        retention: Some(retention),
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    store_page(&store, &items(100, None)).await;
    store.settle().await.unwrap();
    assert_eq!(refs(&store, query("item number")).await.len(), 1);
    store
        .retain(Timestamp::from_millis(i64::MAX))
        .await
        .unwrap();
    assert!(refs(&store, query("item number")).await.is_empty());
    let again = store_page(&store, &items(100, None)).await;
    store.settle().await.unwrap();
    assert_eq!(refs(&store, query("item number")).await, [again]);
}

#[tokio::test]
async fn an_index_that_was_rewritten_after_removals_finds_what_is_left() {
    let week = std::time::Duration::from_secs(7 * 86_400);
    let retention = Retention {
        max_age: week,
        ..Retention::default()
    };
    let options = Options {
        retention: Some(retention),
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    let mut kept = Vec::new();
    for n in 0..200 {
        let mut call = call();
        if n % 4 == 0 {
            kept.insert(0, call.ref_id);
        } else {
            call.started_at = Timestamp::from_millis(n);
        }
        store
            .call_finished(call, done(snapshot(&format!("needle {n}"))))
            .await
            .unwrap();
        if n % 20 == 0 {
            store.settle().await.unwrap();
        }
    }
    store.settle().await.unwrap();
    assert_eq!(store.retain(Timestamp::now()).await.unwrap().calls, 150);
    let all = HistoryQuery {
        limit: 1000,
        ..query("needle")
    };
    assert_eq!(refs(&store, all).await, kept);
    assert_eq!(refs(&store, query("needle 4")).await.len(), 1);
    assert!(refs(&store, query("needle 5")).await.is_empty());
}
