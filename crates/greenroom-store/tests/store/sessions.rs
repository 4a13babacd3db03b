//! Sessions outlive processes, and belong to one of them at a time.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Fixture, ada, call, done, eve, session, snapshot};
use greenroom_store::{NewSession, Options, SessionId, SessionState, Store, StoreError, Timestamp};

fn new(id: &SessionId) -> NewSession {
    let (principal, pool) = (ada(), "DEFAULT".to_owned());
    NewSession {
        principal,
        id: id.clone(),
        pool,
        label: Some("shopping".into()),
    }
}

async fn state(store: &Store, id: &SessionId) -> SessionState {
    store.session(ada(), id.clone()).await.unwrap().state
}

#[tokio::test]
async fn a_session_is_made_parked_resumed_and_closed() {
    let store = Fixture::new().await;
    let id = session("dark-mode");
    store.create_session(new(&id)).await.unwrap();
    assert_eq!(state(&store, &id).await, SessionState::Active);
    let again = store.create_session(new(&id)).await;
    assert!(matches!(again, Err(StoreError::SessionExists { .. })));

    let saved = b"cookies ".repeat(1000);
    store
        .park_session(ada(), id.clone(), saved.clone())
        .await
        .unwrap();
    assert_eq!(state(&store, &id).await, SessionState::Parked);
    let back = store.activate_session(ada(), id.clone()).await.unwrap();
    assert!(back == Some(saved));
    assert_eq!(state(&store, &id).await, SessionState::Active);

    store.end_session(ada(), id.clone(), false).await.unwrap();
    assert_eq!(state(&store, &id).await, SessionState::Closed);
    let closed = store.activate_session(ada(), id.clone()).await;
    assert!(matches!(closed, Err(StoreError::NotFound { .. })));
    assert!(store.sessions(ada(), false).await.unwrap().is_empty());
    assert_eq!(store.sessions(ada(), true).await.unwrap().len(), 1);

    store.create_session(new(&id)).await.unwrap();
    let fresh = store.activate_session(ada(), id).await.unwrap();
    assert_eq!(fresh, None, "the name is used again, what was saved is not");
}

#[tokio::test]
async fn a_session_that_could_not_be_brought_back_keeps_what_it_saved() {
    let store = Fixture::new().await;
    let id = session("s");
    store.create_session(new(&id)).await.unwrap();
    store
        .park_session(ada(), id.clone(), b"state".to_vec())
        .await
        .unwrap();
    store.end_session(ada(), id.clone(), true).await.unwrap();
    assert_eq!(state(&store, &id).await, SessionState::Error);
    assert_eq!(
        store.activate_session(ada(), id).await.unwrap().unwrap(),
        b"state"
    );
}

#[tokio::test]
async fn a_session_comes_back_parked_after_a_restart() {
    let fixture = Fixture::new().await;
    let id = session("s");
    fixture.create_session(new(&id)).await.unwrap();
    let fixture = fixture.reopened(Options::default()).await;
    let found = fixture.session(ada(), id).await.unwrap();
    assert_eq!(
        (found.state, found.label.as_deref()),
        (SessionState::Parked, Some("shopping"))
    );
}

#[tokio::test]
async fn a_session_that_is_active_in_another_live_process_is_refused() {
    let fixture = Fixture::new().await;
    let other = Store::open(fixture.path(), Options::default())
        .await
        .unwrap();
    let id = session("s");
    fixture.create_session(new(&id)).await.unwrap();
    let refused = other.activate_session(ada(), id.clone()).await.unwrap_err();
    assert!(
        matches!(refused, StoreError::ActiveElsewhere { pid, .. } if pid == std::process::id())
    );
    assert!(refused.is_retryable());
    fixture
        .park_session(ada(), id.clone(), Vec::new())
        .await
        .unwrap();
    other.activate_session(ada(), id.clone()).await.unwrap();
    assert!(fixture.activate_session(ada(), id).await.is_err());
}

#[tokio::test]
async fn sessions_of_others_are_not_found() {
    let store = Fixture::new().await;
    let id = session("s");
    store.create_session(new(&id)).await.unwrap();
    let unknown = store
        .session(ada(), session("nobody's"))
        .await
        .unwrap_err()
        .to_string();
    for answer in [
        store.session(eve(), id.clone()).await.unwrap_err(),
        store.activate_session(eve(), id.clone()).await.unwrap_err(),
        store
            .park_session(eve(), id.clone(), Vec::new())
            .await
            .unwrap_err(),
        store
            .end_session(eve(), id.clone(), false)
            .await
            .unwrap_err(),
        store.touch_session(eve(), id.clone()).await.unwrap_err(),
    ] {
        assert_eq!(answer.to_string(), unknown);
    }
    assert_eq!(state(&store, &id).await, SessionState::Active);
    store
        .create_session(NewSession {
            principal: eve(),
            ..new(&id)
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn only_parked_sessions_that_nobody_used_expire() {
    let store = Fixture::new().await;
    let (parked, active) = (session("parked"), session("active"));
    for id in [&parked, &active] {
        store.create_session(new(id)).await.unwrap();
    }
    store
        .park_session(ada(), parked.clone(), b"x".to_vec())
        .await
        .unwrap();
    let used = store
        .session(ada(), parked.clone())
        .await
        .unwrap()
        .last_used_at;
    assert!(store.expire_sessions(used).await.unwrap().is_empty());
    let later = Timestamp::from_millis(used.as_millis() + 1);
    assert_eq!(
        store.expire_sessions(later).await.unwrap(),
        [(ada(), parked.clone())]
    );
    assert_eq!(state(&store, &parked).await, SessionState::Closed);
    assert_eq!(state(&store, &active).await, SessionState::Active);
}

#[tokio::test]
async fn the_end_of_a_call_uses_its_session() {
    let store = Fixture::new().await;
    let id = session("s");
    store.create_session(new(&id)).await.unwrap();
    let before = store.session(ada(), id.clone()).await.unwrap().last_used_at;
    while Timestamp::now() <= before {
        tokio::task::yield_now().await;
    }
    store
        .call_finished(call(), done(snapshot("x")))
        .await
        .unwrap();
    assert!(store.session(ada(), id).await.unwrap().last_used_at > before);
}
