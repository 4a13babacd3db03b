//! Starting and stopping leaves no trace, however often it is done.

use crate::support::{Client, PATIENCE, Stage, repetitions};
use greenroom_testkit::upstream::{Grandchild, Script};

#[tokio::test]
async fn starting_and_stopping_many_times_leaves_nothing_behind() {
    let stage = Stage::open().await;
    let within = greenroom_testkit::invariants::Baseline::take();
    for cycle in 0..repetitions(20) {
        let child = stage.start(Script {
            grandchild: (cycle % 2 == 0).then(Grandchild::default),
            ..Script::default()
        });
        let mut client = Client::of(&child);
        client.ping().await;
        child.stop(PATIENCE).await.unwrap();
        assert_eq!(stage.supervisor.live(), 0);
    }
    // The run itself is still open: only what the children brought must be gone.
    within.assert_clean().await;
    let left = std::fs::read_dir(stage.supervisor.run().path()).unwrap();
    let mut names: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, ["lock", "owner.json"]);
    stage.strike().await;
}
