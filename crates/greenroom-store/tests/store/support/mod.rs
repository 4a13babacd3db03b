//! What the tests share.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod pages;
pub(crate) mod victim;

use std::ops::Deref;
use std::time::Duration;

use greenroom_store::{
    Call, Content, Finish, Options, Outcome, Principal, RefId, Response, SessionId, Store,
    Timestamp,
};
use tempfile::TempDir;

pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) dir: TempDir,
}

impl Deref for Fixture {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path().join("g.db"), options).await.unwrap();
        Self { store, dir }
    }

    /// Closes the store and opens it anew.
    pub(crate) async fn reopened(self, options: Options) -> Self {
        self.store.close().await;
        let store = Store::open(self.dir.path().join("g.db"), options)
            .await
            .unwrap();
        Self {
            store,
            dir: self.dir,
        }
    }
}

pub(crate) fn ada() -> Principal {
    Principal::new("ada")
}

pub(crate) fn eve() -> Principal {
    Principal::new("eve")
}

pub(crate) fn session(name: &str) -> SessionId {
    SessionId::new(name)
}

pub(crate) fn call() -> Call {
    Call::new(RefId::new(), ada(), "browser_snapshot", Timestamp::now()).session(session("s"))
}

pub(crate) fn done(response: Response) -> Finish {
    Finish::new(Outcome::Success, Duration::from_millis(5)).response(response)
}

pub(crate) fn snapshot(text: &str) -> Response {
    Response::new(text.as_bytes().to_vec())
        .content(Content::snapshot(text))
        .tab("t1")
}

/// Stores a page of ada's session `s`.
pub(crate) async fn store_page(store: &Store, text: &str) -> RefId {
    let call = call();
    let ref_id = call.ref_id;
    store
        .call_finished(call, done(snapshot(text)))
        .await
        .unwrap();
    ref_id
}

/// A page with so many items, one of them special.
pub(crate) fn items(count: usize, special: Option<usize>) -> String {
    let item = |n: usize| {
        let state = if special == Some(n) { " [checked]" } else { "" };
        format!("  - listitem \"Item number {n}\"{state} [ref=e{n}]\n")
    };
    std::iter::once("- list:\n".to_owned())
        .chain((0..count).map(item))
        .collect()
}
