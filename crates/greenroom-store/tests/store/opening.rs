//! What is found at open: new, old, killed, damaged, newer, foreign.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::support::victim::Victim;
use crate::support::{Fixture, ada, call, items, session, store_page};
use greenroom_store::{Check, Options, Outcome, SessionState, Store, StoreError, quarantine};

async fn open(path: &Path) -> Result<Store, StoreError> {
    Store::open(path, Options::default()).await
}

/// A database with some rows, closed.
async fn closed_database() -> (tempfile::TempDir, PathBuf) {
    let Fixture { store, dir } = Fixture::new().await;
    for n in 0..20 {
        store_page(&store, &items(400, Some(n))).await;
    }
    store.settle().await.unwrap();
    store.close().await;
    let path = store.path().to_owned();
    (dir, path)
}

fn corrupt(error: &StoreError) -> String {
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    error.to_string()
}

#[tokio::test]
async fn files_are_for_their_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data").join("g.db");
    let store = open(&path).await.unwrap();
    store_page(&store, &items(2000, None)).await;
    let mut seen = 0;
    let mut to_look_at = vec![dir.path().join("data")];
    while let Some(path) = to_look_at.pop() {
        let meta = fs::metadata(&path).unwrap();
        assert_eq!(meta.permissions().mode() & 0o077, 0, "{}", path.display());
        seen += 1;
        if meta.is_dir() {
            to_look_at.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    assert!(seen > 6, "database, log, run, spool and blobs");
}

#[tokio::test]
async fn a_loose_file_is_made_private_and_a_shared_directory_is_left_alone() {
    let (dir, path) = closed_database().await;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    open(&path).await.unwrap().close().await;
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777,
        0o755
    );
}

#[tokio::test]
async fn after_a_clean_end_everything_is_as_it_was_and_nothing_is_left_beside() {
    let (dir, path) = closed_database().await;
    let left: Vec<String> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with("-wal") || name.ends_with("-shm"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let options = Options {
        check: Check::Always,
        ..Options::default()
    };
    let store = Store::open(&path, options).await.unwrap();
    assert_eq!(store.sizes().await.unwrap().calls, 20);
}

#[tokio::test]
async fn a_close_ends_what_still_runs() {
    let fixture = Fixture::new().await;
    let call = call();
    let ref_id = call.ref_id;
    fixture.store.call_started(&call);
    let new = greenroom_store::NewSession {
        principal: ada(),
        id: session("s"),
        pool: "DEFAULT".into(),
        label: None,
    };
    fixture.store.create_session(new).await.unwrap();
    let fixture = fixture.reopened(Options::default()).await;
    assert_eq!(
        fixture.store.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Unknown
    );
    let state = fixture
        .store
        .session(ada(), session("s"))
        .await
        .unwrap()
        .state;
    assert_eq!(state, SessionState::Parked);
}

#[tokio::test]
async fn a_live_process_keeps_what_runs_in_it() {
    let fixture = Fixture::new().await;
    let call = call();
    let ref_id = call.ref_id;
    fixture.store.call_started(&call);
    store_page(&fixture.store, "committed with it").await;
    let other = open(fixture.store.path()).await.unwrap();
    assert_eq!(
        other.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Running
    );
    other.close().await;
    assert_eq!(
        fixture.store.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Running
    );
}

#[tokio::test]
async fn a_damaged_file_is_named_with_the_way_to_set_it_aside() {
    let (_dir, path) = closed_database().await;
    let sound = fs::read(&path).unwrap();
    let table: [(&str, Vec<u8>); 4] = [
        ("cut to half", sound[..sound.len() / 2].to_vec()),
        ("cut within a page", sound[..sound.len() - 100].to_vec()),
        (
            "no database",
            b"this is a letter to my aunt, not a database at all".repeat(99),
        ),
        ("a torn header", [&[0xAA; 64][..], &sound[64..]].concat()),
    ];
    for (what, bytes) in table {
        fs::write(&path, bytes).unwrap();
        let text = corrupt(&open(&path).await.unwrap_err());
        assert!(text.contains(path.to_str().unwrap()), "{what}: {text}");
        assert!(text.contains("--quarantine-database"), "{what}: {text}");
    }
}

#[tokio::test]
async fn damage_in_the_middle_is_found_by_the_check() {
    let (_dir, path) = closed_database().await;
    let mut bytes = fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    // The header of a page in the middle of the file.
    bytes[pages / 2 * 4096..][..64].fill(0xA5);
    fs::write(&path, bytes).unwrap();
    let options = Options {
        check: Check::Always,
        ..Options::default()
    };
    corrupt(&Store::open(&path, options).await.unwrap_err());
}

#[tokio::test]
async fn a_killed_run_has_the_file_checked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("g.db");
    let mut victim = Victim::start("load", &path);
    for _ in 0..200 {
        victim.line().unwrap();
    }
    victim.kill();
    // Folds the log, so that the damage is not covered by it, without ending the run.
    let fold = rusqlite::Connection::open(&path).unwrap();
    fold.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(fold);
    let mut bytes = fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    for page in pages / 2..pages {
        bytes[page * 4096..][..64].fill(0xA5);
    }
    fs::write(&path, bytes).unwrap();
    corrupt(&open(&path).await.unwrap_err());
}

#[tokio::test]
async fn an_emptied_file_whose_log_is_left_is_damage_and_not_a_new_database() {
    let fixture = Fixture::new().await;
    store_page(&fixture.store, "in the log").await;
    let copy = fixture.dir.path().join("copy.db");
    fs::copy(
        fixture.dir.path().join("g.db-wal"),
        fixture.dir.path().join("copy.db-wal"),
    )
    .unwrap();
    fs::write(&copy, "").unwrap();
    corrupt(&open(&copy).await.unwrap_err());
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_untouched() {
    let (_dir, path) = closed_database().await;
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let before = fs::read(&path).unwrap();
    let error = open(&path).await.unwrap_err();
    assert!(
        matches!(error, StoreError::NewerSchema { found: 99, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("use the newer program"));
    assert!(fs::read(&path).unwrap() == before);
}

#[tokio::test]
async fn the_database_of_another_program_is_refused_and_left_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("theirs.db");
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch("CREATE TABLE bookmarks (url)").unwrap();
    drop(conn);
    let before = fs::read(&path).unwrap();
    assert!(matches!(
        open(&path).await.unwrap_err(),
        StoreError::Foreign { .. }
    ));
    assert!(fs::read(&path).unwrap() == before);
}

#[tokio::test]
async fn a_quarantined_database_is_kept_aside_and_a_new_one_begun() {
    let (_dir, path) = closed_database().await;
    fs::write(&path, b"damaged").unwrap();
    let aside = quarantine(&path).unwrap();
    assert!(aside.to_str().unwrap().contains("g.db.corrupt-"));
    assert_eq!(fs::read(&aside).unwrap(), b"damaged");
    let store = open(&path).await.unwrap();
    assert_eq!(store.sizes().await.unwrap().calls, 0);
    assert!(
        matches!(quarantine(&path), Err(StoreError::InUse { .. })),
        "while it is open"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_may_begin_one_database_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("g.db");
    let opening: Vec<_> = (0..6)
        .map(|_| {
            let path = path.clone();
            tokio::spawn(async move {
                let store = open(&path).await?;
                Ok::<_, StoreError>((store_page(&store, "hello").await, store))
            })
        })
        .collect();
    let mut stores = Vec::new();
    for opened in opening {
        stores.push(opened.await.unwrap().unwrap());
    }
    for (page, _) in &stores {
        assert_eq!(stores[0].1.result(ada(), *page).await.unwrap(), b"hello");
    }
}
