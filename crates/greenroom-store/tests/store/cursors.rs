//! A page is paid for once, and then only what changed.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Fixture, ada, call, done, eve, items, session, snapshot, store_page};
use greenroom_store::{
    Content, Mode, Options, PageRequest, PageStart, ReadRequest, Reader, Reading, RefId, Response,
    Retention, SearchRequest, StoreError, Timestamp, WhyFull,
};

fn reader() -> Reader {
    Reader::new("chat")
}

fn request(ref_id: RefId) -> ReadRequest {
    ReadRequest::new(ada(), reader(), ref_id)
}

fn full(text: &str, why: WhyFull) -> Reading {
    Reading::Full {
        text: text.to_owned(),
        why,
    }
}

#[tokio::test]
async fn the_first_read_gives_everything_and_the_second_nothing() {
    let store = Fixture::new().await;
    let page = store_page(&store, "- heading\n").await;
    for mode in [Mode::Changed, Mode::Diff] {
        let read = || store.read(request(page).mode(mode).reset());
        assert_eq!(read().await.unwrap(), full("- heading\n", WhyFull::First));
        let again = store.read(request(page).mode(mode)).await.unwrap();
        assert_eq!(again, Reading::Unchanged, "{mode:?}");
    }
}

#[tokio::test]
async fn what_a_read_gives_depends_on_what_was_seen_and_on_the_mode() {
    use Mode::{Changed, Diff, Full};
    let (long, other) = (items(30, None), items(30, Some(7)));
    let diff = "@@ -7,5 +7,5 @@\n   - listitem \"Item number 5\" [ref=e5]\n   \
                - listitem \"Item number 6\" [ref=e6]\n-  - listitem \"Item number 7\" [ref=e7]\n\
                +  - listitem \"Item number 7\" [checked] [ref=e7]\n   \
                - listitem \"Item number 8\" [ref=e8]\n   - listitem \"Item number 9\" [ref=e9]\n";
    let table: [(&str, &str, Mode, bool, Reading); 8] = [
        (&long, &long, Changed, false, Reading::Unchanged),
        (&long, &long, Diff, false, Reading::Unchanged),
        (&long, &long, Full, false, full(&long, WhyFull::Asked)),
        (&long, &other, Changed, false, full(&other, WhyFull::Asked)),
        (&long, &other, Full, false, full(&other, WhyFull::Asked)),
        (&long, &long, Changed, true, full(&long, WhyFull::First)),
        (&long, &other, Diff, true, full(&other, WhyFull::First)),
        (
            &long,
            "short\n",
            Diff,
            false,
            full("short\n", WhyFull::Shorter),
        ),
    ];
    let store = Fixture::new().await;
    for (seen, now, mode, reset, expected) in table {
        let first = store_page(&store, seen).await;
        store.read(request(first).reset()).await.unwrap();
        let second = store_page(&store, now).await;
        let request = ReadRequest {
            reset,
            ..request(second).mode(mode)
        };
        assert_eq!(
            store.read(request).await.unwrap(),
            expected,
            "{mode:?} reset {reset}"
        );
    }
    let first = store_page(&store, &long).await;
    store.read(request(first).reset()).await.unwrap();
    let second = store_page(&store, &other).await;
    let changed = store.read(request(second).mode(Diff)).await.unwrap();
    assert_eq!(
        changed,
        Reading::Diff {
            text: diff.to_owned(),
            since: first
        }
    );
    let after = store.read(request(second).mode(Diff)).await.unwrap();
    assert_eq!(after, Reading::Unchanged, "the difference moved the cursor");
}

#[tokio::test]
async fn one_changed_item_of_nine_hundred_costs_less_than_two_percent() {
    let store = Fixture::new().await;
    let first = store_page(&store, &items(900, None)).await;
    store.read(request(first)).await.unwrap();
    let page = items(900, Some(451));
    let second = store_page(&store, &page).await;
    let Reading::Diff { text, since } = store.read(request(second).mode(Mode::Diff)).await.unwrap()
    else {
        panic!("expected a difference");
    };
    assert_eq!(since, first);
    assert!(
        text.len() * 50 < page.len(),
        "{} of {} bytes",
        text.len(),
        page.len()
    );
    assert!(
        text.contains("[checked] [ref=e451]"),
        "the changed line can be acted upon"
    );
}

#[tokio::test]
async fn readers_tabs_and_sessions_have_cursors_of_their_own() {
    let store = Fixture::new().await;
    let page = store_page(&store, "same").await;
    store.read(request(page)).await.unwrap();

    let other_reader = ReadRequest {
        reader: Reader::new("other"),
        ..request(page)
    };
    assert_eq!(
        store.read(other_reader.clone()).await.unwrap(),
        full("same", WhyFull::First)
    );
    assert_eq!(store.read(other_reader).await.unwrap(), Reading::Unchanged);

    let elsewhere = [
        (call(), snapshot("same").tab("t2")),
        (call().session(session("s2")), snapshot("same")),
        (
            greenroom_store::Call {
                session: None,
                ..call()
            },
            snapshot("same"),
        ),
    ];
    for (call, response) in elsewhere {
        let ref_id = call.ref_id;
        store.call_finished(call, done(response)).await.unwrap();
        let read = store.read(request(ref_id)).await.unwrap();
        assert_eq!(read, full("same", WhyFull::First));
    }
    assert_eq!(store.read(request(page)).await.unwrap(), Reading::Unchanged);
}

#[tokio::test]
async fn a_cursor_spans_responses_and_restarts() {
    let fixture = Fixture::new().await;
    let first = store_page(&fixture.store, "same").await;
    fixture.store.read(request(first)).await.unwrap();
    let second = store_page(&fixture.store, "same").await;
    assert_eq!(
        fixture.store.read(request(second)).await.unwrap(),
        Reading::Unchanged
    );
    let fixture = fixture.reopened(Options::default()).await;
    assert_eq!(
        fixture.store.read(request(second)).await.unwrap(),
        Reading::Unchanged
    );
}

#[tokio::test]
async fn pages_searches_and_differences_leave_the_cursor_alone() {
    let store = Fixture::new().await;
    let page = store_page(&store, "one\ntwo\n").await;
    let piece = PageRequest {
        start: PageStart::Line(1),
        max_lines: Some(1),
        max_bytes: 100,
    };
    assert_eq!(store.page(ada(), page, piece).await.unwrap().text, "two\n");
    let search = SearchRequest {
        needle: "ONE".into(),
        before: 0,
        after: 0,
        max_hits: 5,
    };
    assert_eq!(store.search_in(ada(), page, search).await.unwrap().hits, 1);
    assert_eq!(store.diff(ada(), page, page).await.unwrap(), "");
    let read = store.read(request(page)).await.unwrap();
    assert_eq!(
        read,
        full("one\ntwo\n", WhyFull::First),
        "still the first read"
    );
}

#[tokio::test]
async fn an_answer_that_is_no_page_is_read_whole_and_moves_nothing() {
    let store = Fixture::new().await;
    let page = store_page(&store, "page").await;
    store.read(request(page)).await.unwrap();
    let call = call();
    let answer = call.ref_id;
    let text = Response::new(b"42".to_vec())
        .content(Content::text("42"))
        .tab("t1");
    store.call_finished(call, done(text)).await.unwrap();
    for _ in 0..2 {
        let read = store.read(request(answer)).await.unwrap();
        assert_eq!(read, full("42", WhyFull::NotAPage));
    }
    assert_eq!(store.read(request(page)).await.unwrap(), Reading::Unchanged);
}

#[tokio::test]
async fn a_response_without_text_has_no_content() {
    let store = Fixture::new().await;
    let call = call();
    let ref_id = call.ref_id;
    store
        .call_finished(call, done(Response::new(vec![0xff, 0x00])))
        .await
        .unwrap();
    assert_eq!(
        store.read(request(ref_id)).await.unwrap(),
        Reading::NoContent
    );
}

#[tokio::test]
async fn where_the_text_that_was_read_is_gone_everything_is_given() {
    let retention = Retention {
        max_age: std::time::Duration::ZERO,
        ..Retention::default()
    };
    let options = Options {
        retention: Some(retention),
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    let first = store_page(&store, &items(50, None)).await;
    store.read(request(first)).await.unwrap();
    // Later than the call and not later than the cursor, which is as old as the reading.
    let call_time = store.call(ada(), first).await.unwrap().started_at;
    store
        .retain(Timestamp::from_millis(call_time.as_millis() + 1))
        .await
        .unwrap();
    assert!(matches!(
        store.call(ada(), first).await,
        Err(StoreError::NotFound { .. })
    ));
    let second = store_page(&store, &items(50, Some(1))).await;
    let read = store.read(request(second).mode(Mode::Diff)).await.unwrap();
    assert!(matches!(
        read,
        Reading::Full {
            why: WhyFull::NothingToCompare | WhyFull::First,
            ..
        }
    ));
}

#[tokio::test]
async fn a_foreign_response_is_not_found_and_moves_nothing() {
    let store = Fixture::new().await;
    let page = store_page(&store, "secret").await;
    let foreign = ReadRequest {
        principal: eve(),
        ..request(page)
    };
    let unknown = ReadRequest {
        ref_id: RefId::new(),
        ..foreign.clone()
    };
    let (foreign, unknown) = (store.read(foreign).await, store.read(unknown).await);
    assert_eq!(
        foreign.unwrap_err().to_string(),
        unknown.unwrap_err().to_string()
    );
    assert_eq!(
        store.read(request(page)).await.unwrap(),
        full("secret", WhyFull::First)
    );
}
