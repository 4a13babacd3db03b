//! Looking up, listing, paging and searching, each within one principal.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::{Fixture, ada, call, done, eve, session, snapshot, store_page};
use greenroom_store::{
    CallFilter, Content, Finish, Outcome, PageRequest, PageStart, RefId, Response, SearchRequest,
    StoreError,
};

#[tokio::test]
async fn a_call_is_known_from_its_start_to_its_only_end() {
    let store = Fixture::new().await;
    let call = call().place("DEFAULT", "0").arguments("{\"x\":1}");
    let ref_id = call.ref_id;
    store.call_started(&call);
    // Whatever was queued before a commit is committed with it or earlier.
    store_page(&store, "other").await;
    assert_eq!(
        store.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Running
    );

    let response = snapshot("page").page("https://example.org/", "Example");
    let finish = Finish::new(Outcome::Error, Duration::from_micros(1500)).response(response);
    store.call_finished(call.clone(), finish).await.unwrap();
    let info = store.call(ada(), ref_id).await.unwrap();
    assert_eq!(
        (info.outcome, info.duration),
        (Outcome::Error, Some(Duration::from_micros(1500)))
    );
    assert_eq!(
        (info.pool.as_deref(), info.instance.as_deref()),
        (Some("DEFAULT"), Some("0"))
    );
    let response = info.response.unwrap();
    assert_eq!(response.url.as_deref(), Some("https://example.org/"));
    assert_eq!((response.bytes, response.content_lines), (8, 1));

    let again = store
        .call_finished(call, Finish::new(Outcome::Success, Duration::ZERO))
        .await;
    assert!(matches!(again, Err(StoreError::AlreadyFinished { .. })));
    assert_eq!(
        store.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Error
    );
}

#[tokio::test]
async fn an_end_without_a_start_carries_everything() {
    let store = Fixture::new().await;
    let call = call().arguments("{}");
    let ref_id = call.ref_id;
    store
        .call_finished(call, Finish::new(Outcome::Unknown, Duration::ZERO))
        .await
        .unwrap();
    let info = store.call(ada(), ref_id).await.unwrap();
    assert_eq!(
        (info.outcome, info.tool.as_str()),
        (Outcome::Unknown, "browser_snapshot")
    );
    assert!(info.response.is_none());
    assert!(matches!(
        store.result(ada(), ref_id).await,
        Err(StoreError::NotFound { .. })
    ));
}

#[tokio::test]
async fn calls_are_listed_newest_first_by_session_tool_and_page() {
    let store = Fixture::new().await;
    let mut refs = Vec::new();
    for n in 0..6 {
        let mut call = call().session(session(if n % 2 == 0 { "even" } else { "odd" }));
        call.tool = if n < 3 { "early".into() } else { "late".into() };
        refs.push(call.ref_id);
        store
            .call_finished(call, done(snapshot("x")))
            .await
            .unwrap();
    }
    let listed = |filter: CallFilter| {
        let (store, refs) = (store.clone(), refs.clone());
        async move {
            let calls = store.calls(ada(), filter).await.unwrap();
            let at = |id: RefId| refs.iter().position(|known| *known == id).unwrap();
            calls
                .into_iter()
                .map(|call| at(call.ref_id))
                .collect::<Vec<_>>()
        }
    };
    let all = CallFilter {
        limit: 100,
        ..CallFilter::default()
    };
    assert_eq!(listed(all.clone()).await, [5, 4, 3, 2, 1, 0]);
    let even = CallFilter {
        session: Some(session("even")),
        ..all.clone()
    };
    assert_eq!(listed(even.clone()).await, [4, 2, 0]);
    assert_eq!(
        listed(CallFilter {
            tool: Some("late".into()),
            ..even
        })
        .await,
        [4]
    );
    let page = CallFilter {
        before: Some(refs[4]),
        limit: 2,
        ..all.clone()
    };
    assert_eq!(listed(page).await, [3, 2]);
    assert!(store.calls(eve(), all).await.unwrap().is_empty());
}

#[tokio::test]
async fn fifty_megabytes_are_read_back_in_pages() {
    let store = Fixture::new().await;
    let line = "  - listitem \"A line of a very long page\" [ref=e1]\n";
    let text = line.repeat((50 << 20) / line.len());
    let lines = (text.len() / line.len()) as u64;
    let call = call();
    let ref_id = call.ref_id;
    let response = Response::new(vec![7; 1000]).content(Content::snapshot(text.clone()));
    store.call_finished(call, done(response)).await.unwrap();
    for settled in [false, true] {
        if settled {
            store.settle().await.unwrap();
        }
        let mut next = Some(0);
        let mut read = 0;
        while let Some(byte) = next {
            let start = PageStart::Byte(byte);
            let request = PageRequest {
                start,
                max_lines: None,
                max_bytes: 8 << 20,
            };
            let page = store.page(ada(), ref_id, request).await.unwrap();
            assert_eq!(
                (page.total_bytes, page.total_lines),
                (text.len() as u64, lines)
            );
            assert!(page.text == text[read..read + page.text.len()]);
            read += page.text.len();
            next = page.next_byte;
        }
        assert_eq!(read, text.len(), "settled: {settled}");
        let last = PageRequest {
            start: PageStart::Line(lines - 1),
            max_lines: None,
            max_bytes: 99,
        };
        assert_eq!(store.page(ada(), ref_id, last).await.unwrap().text, line);
    }
    let used = store.sizes().await.unwrap().used_bytes;
    assert!(used < 5 << 20, "{used} bytes are used");
}

#[tokio::test]
async fn past_the_end_and_without_a_hit_the_answer_is_empty() {
    let store = Fixture::new().await;
    let page = store_page(&store, "one\ntwo").await;
    for start in [
        PageStart::Line(2),
        PageStart::Line(999),
        PageStart::Byte(7),
        PageStart::Byte(999),
    ] {
        let request = PageRequest {
            start,
            max_lines: None,
            max_bytes: 100,
        };
        let piece = store.page(ada(), page, request).await.unwrap();
        assert_eq!(
            (piece.text.as_str(), piece.next_byte, piece.total_lines),
            ("", None, 2)
        );
    }
    let search = SearchRequest {
        needle: "three".into(),
        before: 2,
        after: 2,
        max_hits: 5,
    };
    let matches = store.search_in(ada(), page, search).await.unwrap();
    assert_eq!((matches.hits, matches.blocks.len()), (0, 0));
    assert_eq!(store.result_range(ada(), page, 4, 2).await.unwrap(), b"tw");
    assert!(
        store
            .result_range(ada(), page, 999, 2)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn what_belongs_to_others_is_not_found_like_what_does_not_exist() {
    let store = Fixture::new().await;
    let page = store_page(&store, "secret").await;
    let own = store_page(&store, "own").await;
    let piece = PageRequest {
        start: PageStart::Line(0),
        max_lines: None,
        max_bytes: 100,
    };
    let search = SearchRequest {
        needle: "s".into(),
        before: 0,
        after: 0,
        max_hits: 5,
    };
    let mut answers = Vec::new();
    for (who, what) in [(eve(), page), (ada(), RefId::new())] {
        let list = CallFilter {
            before: Some(what),
            limit: 1,
            ..CallFilter::default()
        };
        answers.push([
            store.call(who.clone(), what).await.unwrap_err().to_string(),
            store
                .arguments(who.clone(), what)
                .await
                .unwrap_err()
                .to_string(),
            store
                .result(who.clone(), what)
                .await
                .unwrap_err()
                .to_string(),
            store
                .result_range(who.clone(), what, 0, 1)
                .await
                .unwrap_err()
                .to_string(),
            store
                .console(who.clone(), what, None)
                .await
                .unwrap_err()
                .to_string(),
            store
                .page(who.clone(), what, piece)
                .await
                .unwrap_err()
                .to_string(),
            store
                .search_in(who.clone(), what, search.clone())
                .await
                .unwrap_err()
                .to_string(),
            store
                .diff(who.clone(), what, own)
                .await
                .unwrap_err()
                .to_string(),
            store
                .calls(who.clone(), list)
                .await
                .unwrap_err()
                .to_string(),
        ]);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(
        answers[0]
            .iter()
            .all(|text| text.starts_with("no such ref_id")),
        "{answers:?}"
    );
}

#[tokio::test]
async fn a_response_that_is_too_large_is_refused_by_its_size() {
    let options = greenroom_store::Options {
        max_value_bytes: 1000,
        ..Default::default()
    };
    let store = Fixture::with(options).await;
    let refused = store
        .call_finished(call(), done(Response::new(vec![0; 1001])))
        .await;
    assert!(matches!(
        refused,
        Err(StoreError::TooLarge {
            size: 1001,
            limit: 1000,
            ..
        })
    ));
}
