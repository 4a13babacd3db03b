//! Fills a store with many small responses and a few large ones, and prints how long it takes to
//! list, look up, search and clear it, with a caller storing all the while.
//!
//! `cargo run --release --example big_store [small responses] [large responses] [directory]`

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use greenroom_store::{
    Call, CallFilter, Content, Finish, HistoryQuery, Options, Outcome, Principal, RefId, Response,
    Retention, SessionId, Store, Timestamp,
};
use tokio::time::Instant;

type Anything<T> = Result<T, Box<dyn Error + Send + Sync>>;

const SESSIONS: usize = 200;
const AT_ONCE: usize = 64;
const LARGE_BYTES: usize = 5 << 20;
const REPEATS: usize = 50;

#[tokio::main]
async fn main() -> Anything<()> {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().map_or(Ok(default), |arg| arg.parse::<usize>());
    let (small, large) = (number(100_000)?, number(20)?);
    let dir = match args.next() {
        Some(parent) => tempfile::tempdir_in(parent)?,
        None => tempfile::tempdir()?,
    };
    let retention = Retention {
        max_age: Duration::from_secs(3600),
        // Not by itself: what is to be listed and searched must still be there by then.
        every: Duration::from_secs(86_400),
        ..Retention::default()
    };
    let options = Options {
        retention: Some(retention),
        ..Options::default()
    };
    let store = Store::open(dir.path().join("big.db"), options).await?;
    let mut out = std::io::stdout();

    let begun = Instant::now();
    let refs = fill(&store, small, large).await?;
    writeln!(
        out,
        "stored {small} small and {large} large responses in {:.1?}",
        begun.elapsed()
    )?;
    let begun = Instant::now();
    store.settle().await?;
    writeln!(out, "settled the rest of them in {:.1?}", begun.elapsed())?;
    sizes(&mut out, &store).await?;
    reads(&mut out, &store, &refs).await?;
    clear(&mut out, &store).await?;
    sizes(&mut out, &store).await?;
    store.close().await;
    Ok(())
}

/// All but a few are as old as to be removed.
async fn fill(store: &Store, small: usize, large: usize) -> Anything<Vec<RefId>> {
    let mut refs = Vec::with_capacity(small);
    let every = (small / large.max(1)).max(1);
    for first in (0..small).step_by(AT_ONCE) {
        let mut writes = Vec::new();
        for n in first..small.min(first + AT_ONCE) {
            let is_large = n % every == 0 && large > 0;
            let text = page(
                n,
                if is_large {
                    LARGE_BYTES
                } else {
                    1500 + n % 3000
                },
            );
            let old = Timestamp::from_millis(n as i64);
            let when = if n + 500 < small {
                old
            } else {
                Timestamp::now()
            };
            let (call, finish) = call(n, when, text);
            refs.push(call.ref_id);
            let store = store.clone();
            writes.push(tokio::spawn(async move {
                store.call_finished(call, finish).await
            }));
        }
        for write in writes {
            write.await??;
        }
    }
    Ok(refs)
}

fn call(n: usize, when: Timestamp, text: String) -> (Call, Finish) {
    let session = SessionId::new(format!("session-{}", n % SESSIONS));
    let call = Call::new(
        RefId::new(),
        Principal::new("big"),
        "browser_snapshot",
        when,
    );
    let response = Response::new(format!("{{\"page\":{n}}}").into_bytes())
        .content(Content::snapshot(text))
        .page(format!("https://example.org/{n}"), format!("Page {n}"));
    let finish = Finish::new(Outcome::Success, Duration::from_millis(20)).response(response);
    (call.session(session), finish)
}

fn page(n: usize, bytes: usize) -> String {
    let things = [
        "cart", "order", "invoice", "profile", "search", "basket", "review", "help",
    ];
    let mut text = format!("- heading \"Page {n}\" [ref=e1]\n");
    for line in 0.. {
        if text.len() >= bytes {
            break;
        }
        let thing = things[(n * 7 + line * 3) % things.len()];
        text.push_str(&format!(
            "  - link \"{thing} {} of {n}\" [ref=e{line}]\n",
            line % 97
        ));
    }
    text
}

async fn sizes(out: &mut impl Write, store: &Store) -> Anything<()> {
    let begun = Instant::now();
    let sizes = store.sizes().await?;
    writeln!(
        out,
        "{} calls; {} MB used in a file of {} MB, log {} MB (counted in {:.1?})",
        sizes.calls,
        sizes.used_bytes >> 20,
        sizes.file_bytes >> 20,
        sizes.log_bytes >> 20,
        begun.elapsed()
    )?;
    Ok(())
}

async fn reads(out: &mut impl Write, store: &Store, refs: &[RefId]) -> Anything<()> {
    let big = || Principal::new("big");
    let some_session = |n: usize| Some(SessionId::new(format!("session-{}", n * 31 % SESSIONS)));
    let mut looked_up = Vec::new();
    let mut listed = Vec::new();
    let mut by_session = Vec::new();
    let mut searched = Vec::new();
    let mut rare = Vec::new();
    for n in 0..REPEATS {
        let begun = Instant::now();
        store.call(big(), refs[n * 7919 % refs.len()]).await?;
        looked_up.push(begun.elapsed());

        let filter = CallFilter {
            limit: 50,
            ..CallFilter::default()
        };
        let begun = Instant::now();
        store.calls(big(), filter.clone()).await?;
        listed.push(begun.elapsed());

        let begun = Instant::now();
        store
            .calls(
                big(),
                CallFilter {
                    session: some_session(n),
                    ..filter
                },
            )
            .await?;
        by_session.push(begun.elapsed());

        let query = |text: &str| HistoryQuery {
            principal: big(),
            session: some_session(n),
            text: text.to_owned(),
            limit: 20,
            lines: 3,
        };
        let begun = Instant::now();
        store.history(query("invoice order")).await?;
        searched.push(begun.elapsed());
        let begun = Instant::now();
        store
            .history(query(&format!("page {}", n * 31 % SESSIONS)))
            .await?;
        rare.push(begun.elapsed());
    }
    for (what, times) in [
        ("look up one call", looked_up),
        ("list the newest 50", listed),
        ("list 50 of a session", by_session),
        ("search a session for two common words, 20 hits", searched),
        ("search a session for one page", rare),
    ] {
        report(out, what, times)?;
    }
    Ok(())
}

/// Clears the store while a caller stores pages of 20 KB, and prints what the caller felt.
async fn clear(out: &mut impl Write, store: &Store) -> Anything<()> {
    let alone = caller(store, 200).await?;
    let clearing = {
        let store = store.clone();
        tokio::spawn(async move { store.retain(Timestamp::now()).await })
    };
    let begun = Instant::now();
    let mut beside = Vec::new();
    while !clearing.is_finished() {
        beside.extend(caller(store, 10).await?);
    }
    let removed = clearing.await??;
    let longest = store.activity().longest_retention_step;
    writeln!(
        out,
        "removed {} calls in {} steps and {:.1?}; the longest step took {longest:.1?}",
        removed.calls,
        removed.steps,
        begun.elapsed()
    )?;
    report(out, "a caller before that", alone)?;
    report(out, "a caller meanwhile", beside)
}

async fn caller(store: &Store, answers: usize) -> Anything<Vec<Duration>> {
    let mut times = Vec::new();
    for n in 0..answers {
        let (call, finish) = call(n, Timestamp::now(), page(n, 20_000));
        let begun = Instant::now();
        store.call_finished(call, finish).await?;
        times.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(times)
}

fn report(out: &mut impl Write, what: &str, mut times: Vec<Duration>) -> Anything<()> {
    times.sort();
    let at = |percent| {
        times
            .get(times.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    };
    let longest = times.last().copied().unwrap_or_default();
    writeln!(
        out,
        "{what}: p50 {:.1?}, p99 {:.1?}, longest {longest:.1?}",
        at(50),
        at(99)
    )?;
    Ok(())
}
