//! What a child leaves behind goes with it.

use crate::support::{Client, PATIENCE, Stage, is_running};
use greenroom_browser::process::Ended;
use greenroom_testkit::upstream::CallRule;
use greenroom_testkit::upstream::{Grandchild, Reply, Script, Start};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::time::timeout;

fn with_grandchild(grandchild: Grandchild) -> Script {
    Script {
        grandchild: Some(grandchild),
        ..Script::default()
    }
}

#[tokio::test]
async fn a_grandchild_in_its_own_session_goes_when_its_parent_ends_by_itself() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        start: Start {
            exit: Some(0),
            ..Start::default()
        },
        ..with_grandchild(Grandchild {
            ignore_sigterm: true,
            ..Grandchild::default()
        })
    });
    let exit = timeout(PATIENCE, child.gone()).await.unwrap().unwrap();
    assert_eq!((exit.ended, exit.asked), (Ended::Code(0), false));
    assert_eq!(stage.grandchildren().len(), 1);
    assert!(!is_running(stage.grandchildren()[0]));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_grandchild_goes_when_its_parent_crashes_in_a_call() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        calls: vec![CallRule {
            reply: Reply::Exit(9),
            ..CallRule::default()
        }],
        ..with_grandchild(Grandchild::default())
    });
    let mut client = Client::of(&child);
    client
        .call("browser_snapshot", json!({}))
        .await
        .unwrap_err();
    assert_eq!(child.exited().await.ended, Ended::Code(9));
    child.gone().await.unwrap();
    assert!(!is_running(stage.grandchildren()[0]));
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn a_grandchild_without_a_marker_goes_when_its_parent_is_stopped() {
    let stage = Stage::open().await;
    let child = stage.start(with_grandchild(Grandchild {
        clear_env: true,
        ..Grandchild::default()
    }));
    let mut client = Client::of(&child);
    client.ping().await;
    // The parent ends in good order and leaves it alone; it was seen before that.
    child.stop(PATIENCE).await.unwrap();
    assert!(!is_running(stage.grandchildren()[0]));
    drop((client, child));
    stage.strike().await;
}

#[tokio::test]
async fn an_orphan_that_nobody_can_place_goes_when_the_supervisor_closes() {
    let stage = Stage::open().await;
    let child = stage.start(Script {
        start: Start {
            exit: Some(0),
            ..Start::default()
        },
        ..with_grandchild(Grandchild {
            clear_env: true,
            ..Grandchild::default()
        })
    });
    child.gone().await.unwrap();
    let orphan = stage.grandchildren()[0];
    drop(child);
    stage.strike().await;
    assert!(!is_running(orphan));
}

#[tokio::test]
async fn the_tree_of_one_child_goes_and_that_of_its_sibling_stays() {
    let stage = Stage::open().await;
    let doomed = stage.start(with_grandchild(Grandchild::default()));
    let mut doomed_client = Client::of(&doomed);
    doomed_client.ping().await;
    let spared = stage.start(with_grandchild(Grandchild::default()));
    let mut client = Client::of(&spared);
    client.ping().await;
    kill_process(Pid::from_raw(doomed.root().pid).unwrap(), Signal::KILL).unwrap();
    assert_eq!(doomed.gone().await.unwrap().ended, Ended::Signal(9));
    let [first, second] = stage.grandchildren()[..] else {
        panic!("two grandchildren were started");
    };
    assert!(!is_running(first) && is_running(second));
    client.ping().await;
    let memory = spared.memory().await.unwrap();
    assert_eq!(memory.processes, 2);
    assert!(memory.pss > 0 && memory.rss >= memory.pss);
    drop((client, doomed_client, doomed, spared));
    stage.strike().await;
}

#[tokio::test]
async fn directories_of_a_child_are_private_and_go_with_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let stage = Stage::open().await;
    let scratch = stage.supervisor.scratch("POOL-0").unwrap();
    let (root, tmp, profile) = (
        scratch.path().to_owned(),
        scratch.tmp().to_owned(),
        scratch.profile(),
    );
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(&root), mode(&tmp), mode(&profile)], [0o700; 3]);
    assert_eq!(mode(stage.data.path()), 0o700);
    let fill = "mkdir -p \"$TMPDIR/a/b\" && echo x > \"$TMPDIR/a/b/c\" && chmod 500 \"$TMPDIR/a\"; ln -s / \"$TMPDIR/root\"";
    let spawn = greenroom_browser::process::Spawn::new("/bin/sh").args(["-c", fill]);
    let child = stage
        .supervisor
        .spawn(spawn.env("PATH", "/usr/bin:/bin"), scratch)
        .unwrap();
    assert_eq!(child.gone().await.unwrap().ended, Ended::Code(0));
    assert!(!root.exists() && !tmp.exists());
    drop(child);
    stage.strike().await;
}
