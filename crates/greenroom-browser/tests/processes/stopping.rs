//! A stopped child is gone, however it feels about it.

use std::time::Duration;

use crate::support::{Client, GRACE, PATIENCE, Stage, is_running};
use greenroom_browser::process::Ended;
use greenroom_testkit::upstream::{Entry, Grandchild, Script};
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::{Instant, timeout};

#[tokio::test]
async fn a_well_behaved_child_ends_by_itself_within_its_grace() {
    let stage = Stage::open().await;
    let child = stage.start(Script::default());
    let mut client = Client::of(&child);
    client.ping().await;
    let exit = child.stop(PATIENCE).await.unwrap();
    assert_eq!((exit.ended, exit.asked), (Ended::Code(0), true));
    assert!(stage.journal().contains(&Entry::Signal { number: 15 }));
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn closing_stdin_is_part_of_a_stop_when_nobody_took_it() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        ignore_sigterm: true,
        ..Script::default()
    });
    let exit = child.stop(PATIENCE).await.unwrap();
    assert!(
        matches!(exit.ended, Ended::Code(0) | Ended::Signal(15)),
        "{exit}"
    );
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_child_that_ignores_sigterm_is_killed_after_its_grace() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        ignore_sigterm: true,
        ignore_eof: true,
        ..Script::default()
    });
    Client::of(&child).ping().await;
    let begun = Instant::now();
    let exit = child.stop(GRACE).await.unwrap();
    assert_eq!(exit.ended, Ended::Signal(9));
    assert!(begun.elapsed() >= GRACE);
    assert!(stage.journal().contains(&Entry::Signal { number: 15 }));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_frozen_child_is_killed_too() {
    let stage = Stage::open().await;
    let child = stage.start(Script::default());
    let mut client = Client::of(&child);
    client.ping().await;
    kill_process(Pid::from_raw(child.root().pid).unwrap(), Signal::STOP).unwrap();
    let exit = child.stop(GRACE).await.unwrap();
    assert_eq!(exit.ended, Ended::Signal(9));
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_second_stop_with_less_patience_shortens_the_first() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        ignore_sigterm: true,
        ignore_eof: true,
        ..Script::default()
    });
    Client::of(&child).ping().await;
    let hour = Duration::from_secs(3600);
    let both = async { tokio::join!(child.stop(hour), child.stop(GRACE)) };
    let (first, second) = timeout(PATIENCE, both).await.unwrap();
    assert_eq!(first.unwrap(), second.unwrap());
    stage.strike().await;
}

#[tokio::test]
async fn dropping_the_handle_stops_the_tree_in_the_background() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        ignore_sigterm: true,
        ignore_eof: true,
        grandchild: Some(Grandchild::default()),
        ..Script::default()
    });
    Client::of(&child).ping().await;
    let mut watch = child.watch();
    drop(child);
    let exit = timeout(PATIENCE, watch.exited()).await.unwrap();
    assert_eq!((exit.ended, exit.asked), (Ended::Signal(9), true));
    assert!(!is_running(stage.grandchildren()[0]));
    stage.strike().await;
}

#[tokio::test]
async fn a_stop_goes_on_when_nobody_waits_for_it_any_more() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        ignore_sigterm: true,
        ignore_eof: true,
        ..Script::default()
    });
    Client::of(&child).ping().await;
    let abandoned = timeout(Duration::from_millis(1), child.stop(GRACE)).await;
    assert!(abandoned.is_err());
    assert_eq!(
        timeout(PATIENCE, child.gone())
            .await
            .unwrap()
            .unwrap()
            .ended,
        Ended::Signal(9)
    );
    stage.strike().await;
}

#[tokio::test]
async fn closing_the_supervisor_stops_every_child_and_starts_no_other() {
    let stage = Stage::open().await;
    let children: Vec<_> = (0..3).map(|_| stage.start(Script::default())).collect();
    let mut clients: Vec<_> = children.iter().map(Client::of).collect();
    for client in &mut clients {
        client.ping().await;
    }
    let spare = stage.supervisor.scratch("LATE-0").unwrap();
    stage.supervisor.close(PATIENCE).await.unwrap();
    assert!(children.iter().all(|child| child.try_exited().is_some()));
    assert_eq!(stage.supervisor.live(), 0);
    let late = crate::support::fake(Script::default(), stage.journal_path());
    let refused = stage.supervisor.spawn(late, spare).unwrap_err();
    assert!(refused.to_string().contains("shutting down"), "{refused}");
    drop((clients, children));
    stage.strike().await;
}

#[test]
fn a_runtime_that_ends_takes_its_children_with_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (stage, child, grandchild) = runtime.block_on(async {
        let stage = Stage::open().await;
        let child = stage.start(Script {
            grandchild: Some(Grandchild::default()),
            ignore_eof: true,
            ..Script::default()
        });
        Client::of(&child).ping().await;
        let grandchild = stage.grandchildren()[0];
        (stage, child, grandchild)
    });
    let root = child.root();
    drop(runtime);
    let next = tokio::runtime::Runtime::new().unwrap();
    next.block_on(async {
        let error = child.gone().await.unwrap_err();
        assert!(error.to_string().contains("owner was cancelled"), "{error}");
        drop(child);
        stage.strike().await;
    });
    assert!(!root.is_running() && !is_running(grandchild));
}
