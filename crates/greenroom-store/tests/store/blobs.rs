//! Binaries are stored once, named by whoever may read them, and gone with the last name.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Fixture, ada, call, eve};
use greenroom_store::{
    BlobId, Finish, NewBlob, Options, Outcome, Principal, RefId, Retention, Store, StoreError,
    Timestamp,
};
use tokio::io::AsyncReadExt;

fn new(principal: Principal, named_by: Option<RefId>) -> NewBlob {
    NewBlob {
        principal,
        mime: "image/png".into(),
        named_by,
    }
}

/// Every blob file of a store.
fn files(store: &Store) -> Vec<PathBuf> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => walk(&path, found),
                path if path.ends_with("lock") => {}
                path => found.push(path),
            }
        }
    }
    let mut found = Vec::new();
    walk(
        &PathBuf::from(format!("{}-blobs", store.path().display())),
        &mut found,
    );
    found
}

fn forgetful() -> Options {
    let retention = Retention {
        max_age: Duration::ZERO,
        ..Retention::default()
    };
    Options {
        retention: Some(retention),
        ..Options::default()
    }
}

const LATER: Timestamp = Timestamp::from_millis(i64::MAX);

#[tokio::test]
async fn a_blob_is_read_back_whole_in_ranges_and_as_a_stream() {
    let store = Fixture::new().await;
    let bytes: Vec<u8> = (0..300_000u32).map(|n| (n % 251) as u8).collect();
    let id = store.put_blob(new(ada(), None), &bytes[..]).await.unwrap();
    let info = store.blob(ada(), id).await.unwrap();
    assert_eq!(
        (info.size, info.mime.as_str(), info.refs),
        (300_000, "image/png", 1)
    );
    for (offset, length) in [
        (0, 300_000),
        (0, 10),
        (299_990, 100),
        (300_000, 5),
        (999_999, 5),
    ] {
        let read = store.read_blob(ada(), id, offset, length).await.unwrap();
        let from = (offset as usize).min(bytes.len());
        let to = (from + length).min(bytes.len());
        assert!(read == bytes[from..to], "{offset}+{length}");
    }
    let (_, mut file) = store.open_blob(ada(), id).await.unwrap();
    let mut read = Vec::new();
    file.read_to_end(&mut read).await.unwrap();
    assert!(read == bytes);
    assert_eq!(id.to_string().parse::<BlobId>().unwrap(), id);
}

#[tokio::test]
async fn equal_bytes_are_stored_once_and_empty_ones_too() {
    let store = Fixture::new().await;
    let first = store
        .put_blob(new(ada(), None), &b"same"[..])
        .await
        .unwrap();
    let second = store
        .put_blob(new(ada(), Some(RefId::new())), &b"same"[..])
        .await
        .unwrap();
    let empty = store.put_blob(new(ada(), None), &b""[..]).await.unwrap();
    assert_eq!(first, second);
    assert_ne!(first, empty);
    assert_eq!(files(&store).len(), 2);
    assert_eq!(store.blob(ada(), first).await.unwrap().refs, 2);
    assert_eq!(store.blobs(ada(), 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_blob_is_there_only_for_those_who_named_it_and_as_they_named_it() {
    let store = Fixture::new().await;
    let id = store
        .put_blob(new(ada(), None), &b"<svg/>"[..])
        .await
        .unwrap();
    let unknown = store
        .blob(ada(), BlobId::from_text("0"))
        .await
        .unwrap_err()
        .to_string();
    for answer in [
        store.blob(eve(), id).await.map(|_| ()),
        store.read_blob(eve(), id, 0, 9).await.map(|_| ()),
        store.open_blob(eve(), id).await.map(|_| ()),
        store.name_blob(eve(), id, RefId::new()).await,
    ] {
        assert_eq!(answer.unwrap_err().to_string(), unknown);
    }
    assert!(store.blobs(eve(), 10).await.unwrap().is_empty());
    let as_image = NewBlob {
        mime: "image/svg+xml".into(),
        ..new(eve(), None)
    };
    store.put_blob(as_image, &b"<svg/>"[..]).await.unwrap();
    assert_eq!(store.blob(eve(), id).await.unwrap().mime, "image/svg+xml");
    assert_eq!(store.blob(ada(), id).await.unwrap().mime, "image/png");
}

trait FromText {
    fn from_text(digit: &str) -> BlobId;
}

impl FromText for BlobId {
    fn from_text(digit: &str) -> BlobId {
        format!("sha256-{}", digit.repeat(64)).parse().unwrap()
    }
}

#[tokio::test]
async fn a_blob_that_is_too_large_leaves_nothing_behind() {
    let options = Options {
        max_blob_bytes: 1000,
        ..Options::default()
    };
    let store = Fixture::with(options).await;
    let endless = tokio::io::repeat(7);
    let refused = store.put_blob(new(ada(), None), endless).await;
    assert!(matches!(
        refused,
        Err(StoreError::TooLarge { limit: 1000, .. })
    ));
    assert!(files(&store).is_empty());
    assert!(store.blobs(ada(), 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_blob_goes_with_its_last_name() {
    let store = Fixture::with(forgetful()).await;
    let call = call();
    let ref_id = call.ref_id;
    let id = store
        .put_blob(new(ada(), Some(ref_id)), &b"picture"[..])
        .await
        .unwrap();
    let other = RefId::new();
    store.name_blob(ada(), id, other).await.unwrap();
    store
        .call_finished(call, Finish::new(Outcome::Success, Duration::ZERO))
        .await
        .unwrap();
    assert_eq!(store.blob(ada(), id).await.unwrap().refs, 2);

    let report = store.retain(LATER).await.unwrap();
    assert_eq!((report.calls, report.blobs), (1, 1));
    assert!(matches!(
        store.blob(ada(), id).await,
        Err(StoreError::NotFound { .. })
    ));
    assert!(files(&store).is_empty());
}

#[tokio::test]
async fn a_blob_of_a_call_that_stays_stays() {
    let store = Fixture::new().await;
    let call = call();
    let id = store
        .put_blob(new(ada(), Some(call.ref_id)), &b"picture"[..])
        .await
        .unwrap();
    store
        .call_finished(call, Finish::new(Outcome::Success, Duration::ZERO))
        .await
        .unwrap();
    assert_eq!(store.retain(Timestamp::now()).await.unwrap().blobs, 0);
    assert_eq!(store.read_blob(ada(), id, 0, 99).await.unwrap(), b"picture");
}

#[tokio::test]
async fn files_that_nothing_names_are_swept_at_open() {
    let fixture = Fixture::new().await;
    let id = fixture
        .put_blob(new(ada(), None), &b"named"[..])
        .await
        .unwrap();
    let root = PathBuf::from(format!("{}-blobs", fixture.path().display()));
    let orphan = root
        .join("ab")
        .join("cd")
        .join(format!("abcd{}", "0".repeat(60)));
    fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    fs::write(&orphan, "left by a crash").unwrap();
    fs::create_dir_all(root.join("tmp").join("deadrun")).unwrap();
    fs::write(root.join("tmp").join("deadrun").join("0"), "half").unwrap();

    let fixture = fixture.reopened(Options::default()).await;
    // The keeper sweeps before it takes orders.
    fixture.settle().await.unwrap();
    assert!(!orphan.exists());
    assert!(!root.join("tmp").join("deadrun").exists());
    assert_eq!(fixture.read_blob(ada(), id, 0, 99).await.unwrap(), b"named");
}

#[tokio::test]
async fn putting_and_removing_the_same_bytes_at_once_never_leaves_a_name_without_a_file() {
    let store = Fixture::with(forgetful()).await;
    let putting = {
        let store = (*store).clone();
        tokio::spawn(async move {
            for _ in 0..60 {
                let id = store
                    .put_blob(new(ada(), None), &b"contended"[..])
                    .await
                    .unwrap();
                match store.read_blob(ada(), id, 0, 99).await {
                    Ok(bytes) => assert_eq!(bytes, b"contended"),
                    // Removed with its name after it was put.
                    Err(StoreError::NotFound { .. }) => {}
                    Err(StoreError::Io { .. }) => {
                        // Removed between the look at its row and the look at its file: then the
                        // row is gone by now, or another one has both again.
                        assert!(!matches!(
                            store.read_blob(ada(), id, 0, 99).await,
                            Err(StoreError::Io { .. })
                        ));
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
        })
    };
    while !putting.is_finished() {
        store.retain(LATER).await.unwrap();
    }
    putting.await.unwrap();
}
