//! Large values are files for a while: moved, swept, and missed when a power loss took them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Fixture, ada, items, store_page};
use greenroom_store::{Durability, Options, Outcome, RefId, Store, StoreError};

fn files(database: &Path) -> Vec<PathBuf> {
    let runs = fs::read_dir(format!("{}-spool", database.display())).unwrap();
    let files = runs.flat_map(|run| fs::read_dir(run.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

/// A closed store whose last response is still a file. The keeper may be quicker; then another
/// response is tried.
async fn closed_with_a_file() -> (Fixture, RefId, PathBuf) {
    let mut fixture = Fixture::new().await;
    loop {
        let page = store_page(&fixture, &items(3000, None)).await;
        fixture.close().await;
        if let [file] = &files(fixture.path())[..] {
            let file = file.clone();
            return (fixture, page, file);
        }
        fixture = fixture.reopened(Options::default()).await;
    }
}

async fn reopen(fixture: &Fixture) -> Store {
    Store::open(fixture.path(), Options::default())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_large_response_is_in_a_file_until_it_is_settled_and_then_in_the_database() {
    for durability in [Durability::Normal, Durability::Full] {
        let fixture = Fixture::with(Options {
            durability,
            ..Options::default()
        })
        .await;
        let text = items(3000, None);
        let page = store_page(&fixture, &text).await;
        assert!(fixture.result(ada(), page).await.unwrap() == text.as_bytes());
        fixture.settle().await.unwrap();
        assert!(files(fixture.path()).is_empty());
        assert!(fixture.result(ada(), page).await.unwrap() == text.as_bytes());
        let used = fixture.sizes().await.unwrap().used_bytes;
        assert!(used < 2 * text.len() as u64, "compressed: {used}");
    }
}

#[tokio::test]
async fn what_one_run_had_no_time_to_settle_the_next_one_does() {
    let (fixture, page, file) = closed_with_a_file().await;
    let store = reopen(&fixture).await;
    store.settle().await.unwrap();
    assert!(!file.exists());
    assert!(store.result(ada(), page).await.unwrap() == items(3000, None).as_bytes());
}

#[tokio::test]
async fn a_response_whose_file_a_power_loss_took_is_gone_and_its_call_unknown() {
    for damage in ["cut", "changed", "gone"] {
        let (fixture, page, file) = closed_with_a_file().await;
        let mut bytes = fs::read(&file).unwrap();
        match damage {
            "cut" => fs::write(&file, &bytes[..bytes.len() - 1]).unwrap(),
            "changed" => {
                bytes[5000] ^= 1;
                fs::write(&file, bytes).unwrap();
            }
            _ => fs::remove_file(&file).unwrap(),
        }
        let store = reopen(&fixture).await;
        store.settle().await.unwrap();
        let call = store.call(ada(), page).await.unwrap();
        assert_eq!(
            (call.outcome, call.response),
            (Outcome::Unknown, None),
            "{damage}"
        );
        assert!(matches!(
            store.result(ada(), page).await,
            Err(StoreError::NotFound { .. })
        ));
        assert!(files(store.path()).is_empty());
    }
}

#[tokio::test]
async fn files_of_dead_runs_go_once_everything_is_settled() {
    let (fixture, page, file) = closed_with_a_file().await;
    let orphan = file.with_file_name("99");
    fs::write(&orphan, "its rows were never committed").unwrap();
    let store = reopen(&fixture).await;
    store.settle().await.unwrap();
    assert!(!orphan.exists());
    assert!(store.result(ada(), page).await.is_ok());
}
