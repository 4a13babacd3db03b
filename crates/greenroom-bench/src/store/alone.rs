use std::io;

use greenroom_store::{
    Call, Content, Finish, Options, Outcome, Principal, RefId, Response, SessionId, Store,
    Timestamp,
};

use super::{CALLERS, page};
use crate::measure::{clock, median};

const ROUNDS: usize = 3;
const CALLS: usize = 100;

/// What storing adds to a call at the median, in milliseconds: the same calls with it and without it,
/// in turns.
pub(super) fn measure() -> io::Result<f64> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let dir = tempfile::tempdir()?;
        let store = Store::open(dir.path().join("bench.db"), Options::default());
        let store = store.await.map_err(io::Error::other)?;
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            without.extend(all_at_once(None).await?);
            with.extend(all_at_once(Some(&store)).await?);
        }
        store.close().await;
        Ok(median(with) - median(without))
    })
}

async fn all_at_once(store: Option<&Store>) -> io::Result<Vec<f64>> {
    let callers: Vec<_> = (0..CALLERS)
        .map(|number| tokio::spawn(caller(store.cloned(), number)))
        .collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await??);
    }
    Ok(times)
}

async fn caller(store: Option<Store>, number: usize) -> io::Result<Vec<f64>> {
    let page = page();
    let session = SessionId::new(format!("caller-{number}"));
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let began = clock();
        // As an upstream answers with a page: a result that names it, and the page.
        let answer = br#"{"content":[{"type":"text","text":"[Snapshot](page.yml)"}]}"#.to_vec();
        let principal = Principal::new("bench");
        let now = Timestamp::now();
        let call = Call::new(RefId::new(), principal, "browser_snapshot", now);
        let call = call.session(session.clone());
        let response = Response::new(answer).content(Content::snapshot(page.clone()));
        if let Some(store) = &store {
            store.call_started(&call);
            let end = Finish::new(Outcome::Success, began.elapsed()).response(response);
            let stored = store.call_finished(call, end).await;
            stored.map_err(io::Error::other)?;
        }
        times.push(began.elapsed().as_secs_f64() * 1e3);
        tokio::task::yield_now().await;
    }
    Ok(times)
}
