//! Orphans are collected when they end, and children of others are left to them.

use std::process::Command;

use crate::support::{Stage, is_running};
use greenroom_browser::process::spawn_held;
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::upstream::{Grandchild, Script, Start};

/// A child that ends and leaves an orphan that cannot be placed and ends by itself.
fn leaving_an_orphan() -> Script {
    Script {
        grandchild: Some(Grandchild {
            clear_env: true,
            lives_ms: Some(50),
            ..Grandchild::default()
        }),
        start: Start {
            exit: Some(0),
            ..Start::default()
        },
        ..Script::default()
    }
}

#[tokio::test]
async fn an_orphan_that_ends_by_itself_is_collected() {
    let stage = Stage::open().await;
    let within = Baseline::take();
    for _ in 0..3 {
        stage.start(leaving_an_orphan()).gone().await.unwrap();
    }
    assert_eq!(stage.grandchildren().len(), 3);
    within.assert_clean().await;
    assert!(!stage.grandchildren().into_iter().any(is_running));
    stage.strike().await;
}

#[tokio::test]
async fn a_held_child_keeps_its_exit_status_for_whoever_started_it() {
    let stage = Stage::open().await;
    let within = Baseline::take();
    let mut held = spawn_held(Command::new("/bin/sh").args(["-c", "exit 7"])).unwrap();
    // Orphans are collected meanwhile, several times, after the held one has ended.
    for _ in 0..3 {
        stage.start(leaving_an_orphan()).gone().await.unwrap();
    }
    assert_eq!(held.wait().unwrap().code(), Some(7));
    within.assert_clean().await;
    stage.strike().await;
}
