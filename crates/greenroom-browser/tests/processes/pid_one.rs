//! Greenroom as the first process of a container collects every orphan.

use std::process::Command;

use crate::support::repetitions;
use greenroom_testkit::upstream::{Grandchild, Script, Start};
use greenroom_testkit::{fake_upstream, owner};
use serde_json::{Value, json};

/// Runs the owner as PID 1 of a namespace of its own. Without root a user namespace is needed too.
fn run_as_pid_one(script: &Script, launches: usize) -> Value {
    let data = tempfile::tempdir().unwrap();
    let namespaces = if rustix::process::getuid().is_root() {
        "--pid"
    } else {
        "--map-root-user --pid"
    };
    let output = Command::new("unshare")
        .args(namespaces.split(' '))
        .args(["--fork", "--kill-child", "--mount-proc"])
        .arg(owner())
        .arg("launch")
        .arg(data.path())
        .arg(launches.to_string())
        .arg(fake_upstream())
        .args(["--script", &script.to_json()])
        .output()
        .expect("unshare is part of util-linux; run: apt-get install util-linux");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "pid namespaces must be allowed here: {stderr}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn as_pid_one_no_zombie_and_no_orphan_is_left() {
    for clear_env in [false, true] {
        let script = Script {
            grandchild: Some(Grandchild {
                clear_env,
                ..Grandchild::default()
            }),
            start: Start {
                exit: Some(0),
                ..Start::default()
            },
            ..Script::default()
        };
        let report = run_as_pid_one(&script, repetitions(10));
        assert_eq!(report, json!({"pid": 1, "left": []}));
    }
}
