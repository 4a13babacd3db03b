//! Locks, full disks and failing writes: callers are told, nothing acknowledged is lost, and the
//! store goes on by itself.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::victim::{Victim, program};
use crate::support::{Fixture, ada, call, done, pages, snapshot, store_page};
use greenroom_store::{Options, Outcome, Reason, Retention, StoreError, Timestamp};
use rustix::process::{Pid, Resource, Rlimit, prlimit};

fn impatient() -> Options {
    Options {
        busy_timeout: Duration::from_millis(50),
        persist_timeout: Duration::from_millis(200),
        ..Options::default()
    }
}

fn reason<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> Reason {
    match outcome {
        Err(StoreError::NotPersisted { reason }) => reason,
        other => panic!("expected a write that is not persisted, got {other:?}"),
    }
}

#[tokio::test]
async fn a_lock_of_another_process_is_waited_for_a_bounded_time_and_then_told() {
    let fixture = Fixture::with(impatient()).await;
    let before = store_page(&fixture.store, "before").await;
    let mut holder = Victim::start("lock", fixture.store.path());
    assert_eq!(holder.line().unwrap(), "locked");

    let refused = fixture
        .store
        .call_finished(call(), done(snapshot("during")))
        .await;
    assert_eq!(reason(refused), Reason::Locked);
    assert_eq!(fixture.store.activity().not_persisted[&Reason::Locked], 1);
    assert_eq!(
        fixture.store.result(ada(), before).await.unwrap(),
        b"before",
        "reads go on"
    );

    holder.finish();
    let after = store_page(&fixture.store, "after").await;
    assert_eq!(fixture.store.result(ada(), after).await.unwrap(), b"after");
}

#[tokio::test]
async fn a_write_that_waits_for_a_lock_is_committed_when_the_lock_goes() {
    let options = Options {
        busy_timeout: Duration::from_millis(20),
        persist_timeout: Duration::from_secs(60),
        ..Options::default()
    };
    let fixture = Fixture::with(options).await;
    let mut holder = Victim::start("lock", fixture.store.path());
    assert_eq!(holder.line().unwrap(), "locked");

    let (store, call) = (fixture.store.clone(), call());
    let ref_id = call.ref_id;
    let waiting = tokio::spawn(async move { store.call_finished(call, done(snapshot("x"))).await });
    while fixture.store.activity().failed_attempts < 2 {
        tokio::task::yield_now().await;
    }
    holder.finish();
    waiting.await.unwrap().unwrap();
    assert_eq!(
        fixture.store.call(ada(), ref_id).await.unwrap().outcome,
        Outcome::Success
    );
}

#[tokio::test]
async fn a_full_database_is_told_at_once_and_goes_on_when_space_returns() {
    let options = Options {
        max_file_bytes: Some(1 << 20),
        retention: Some(Retention {
            max_age: Duration::ZERO,
            ..Retention::default()
        }),
        ..Options::default()
    };
    let fixture = Fixture::with(options).await;
    let noise = |n: u64| pages::result_of(greenroom_store::RefId::new(), 20_000 + n as usize);
    let mut stored = Vec::new();
    let refused = loop {
        let call = call();
        let (ref_id, bytes) = (call.ref_id, noise(stored.len() as u64));
        let response = greenroom_store::Response::new(bytes.clone());
        match fixture.store.call_finished(call, done(response)).await {
            Ok(_) => stored.push((ref_id, bytes)),
            refused => break refused,
        }
    };
    assert_eq!(reason(refused), Reason::DiskFull);
    assert!(stored.len() > 10, "{} fitted", stored.len());
    for (ref_id, bytes) in &stored {
        assert!(fixture.store.result(ada(), *ref_id).await.unwrap() == *bytes);
    }

    let report = fixture
        .store
        .retain(Timestamp::from_millis(i64::MAX))
        .await
        .unwrap();
    assert!(report.calls > 0);
    let after = store_page(&fixture.store, "after").await;
    let fixture = fixture.reopened(Options::default()).await;
    assert_eq!(fixture.store.result(ada(), after).await.unwrap(), b"after");
}

/// A small disk of its own, which needs no rights beyond those that user namespaces give.
#[test]
fn a_full_disk_is_told_and_goes_on_when_space_returns() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join("disk").join("g.db");
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let victim = program("obey", &database);
    let mut small_disk = std::process::Command::new("unshare");
    small_disk.args(["-Urm", "sh", "-c"]);
    small_disk.arg("mount -t tmpfs -o size=8m none \"$1\" && shift && exec \"$@\"");
    small_disk.arg("sh").arg(dir.path().join("disk"));
    small_disk.arg(victim.get_program()).args(victim.get_args());
    let mut victim = Victim::spawn(small_disk);
    assert_eq!(
        victim.line().as_deref(),
        Some("ready"),
        "unshare and mount must be allowed"
    );

    assert_eq!(victim.ask("ballast 5000000"), "done");
    for bytes in [20_000, 300_000] {
        let refused = loop {
            let answer = victim.ask(&format!("store {bytes}"));
            if !answer.starts_with("ack ") {
                break answer;
            }
        };
        assert_eq!(refused, "DiskFull");
    }
    assert_eq!(victim.ask("free"), "done");
    assert!(
        victim.ask("store 20000").starts_with("ack "),
        "it goes on by itself"
    );
    assert!(
        victim.ask("store 300000").starts_with("ack "),
        "with files too"
    );
    assert_eq!(victim.ask("verify"), "ok");
    victim.finish();
}

/// A limit on file sizes makes writes fail with an error that is not "disk full".
#[test]
fn after_an_io_error_the_database_is_opened_anew_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join("g.db");
    let victim = program("obey", &database);
    // The signal of this limit would end the process; it is ignored, and that is inherited.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]);
    shell.arg(victim.get_program()).args(victim.get_args());
    let mut victim = Victim::spawn(shell);
    assert_eq!(victim.line().as_deref(), Some("ready"));
    let kept = victim.ask("store 20000");

    let limit = |bytes| {
        let pid = Pid::from_raw(victim.id() as i32);
        let limits = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(pid, Resource::Fsize, limits).unwrap();
    };
    limit(Some(100_000));
    let refused = loop {
        let answer = victim.ask("store 20000");
        if !answer.starts_with("ack ") {
            break answer;
        }
    };
    assert_eq!(refused, "DiskError");
    let pid = Pid::from_raw(victim.id() as i32);
    prlimit(
        pid,
        Resource::Fsize,
        Rlimit {
            current: None,
            maximum: None,
        },
    )
    .unwrap();
    assert!(
        victim.ask("store 20000").starts_with("ack "),
        "it goes on by itself"
    );
    assert_eq!(victim.ask("verify"), "ok");
    victim.finish();

    let ref_id = kept.split(' ').nth(1).unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = greenroom_store::Store::open(database, Options::default())
            .await
            .unwrap();
        assert!(store.result(ada(), ref_id).await.unwrap() == pages::result_of(ref_id, 20_000));
    });
}
