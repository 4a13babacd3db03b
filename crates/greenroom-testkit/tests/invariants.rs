//! The invariant checker notices what it is there for.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use greenroom_testkit::Bystander;
use greenroom_testkit::invariants::Baseline;

#[track_caller]
fn assert_complains(baseline: &Baseline, about: &str) {
    let left = baseline.leftovers();
    assert!(left.iter().any(|thing| thing.contains(about)), "{left:?}");
}

#[tokio::test]
async fn nothing_left_is_nothing_to_complain_about() {
    let data = tempfile::tempdir().unwrap();
    let baseline = Baseline::take().data_dir(data.path()).run("none");
    baseline.assert_clean().await;
}

#[test]
fn an_open_descriptor_is_noticed_with_what_it_leads_to() {
    let baseline = Baseline::take();
    let file = File::open("/dev/zero").unwrap();
    assert_complains(&baseline, "-> /dev/zero");
    drop(file);
    assert_eq!(baseline.leftovers(), [""; 0]);
}

#[test]
fn a_living_child_is_noticed_and_one_from_before_is_not() {
    let _earlier = Bystander::start(&[]);
    let baseline = Baseline::take();
    assert_eq!(baseline.leftovers(), [""; 0]);
    let _child = Bystander::start(&[]);
    assert_complains(&baseline, "descendant");
}

#[test]
fn a_zombie_is_noticed() {
    let baseline = Baseline::take();
    #[allow(clippy::disallowed_methods)]
    let mut child = Command::new("/bin/true").spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
    rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).unwrap();
    assert_complains(&baseline, "state Z");
    child.wait().unwrap();
    assert_eq!(baseline.leftovers(), [""; 0]);
}

#[test]
fn a_marked_process_is_noticed_whoever_its_parent_is() {
    let id = format!("invariants-{}", std::process::id());
    let _stranger = Bystander::start(&[("GREENROOM_RUN", &id)]);
    // It was there before, so it does not count as a child: only its marker gives it away.
    let baseline = Baseline::take().run(id);
    assert_complains(&baseline, "marked process");
}

#[test]
fn run_directories_and_links_to_them_are_noticed() {
    let data = tempfile::tempdir().unwrap();
    let baseline = Baseline::take().data_dir(data.path());
    let run = data.path().join("runs/abc");
    fs::create_dir_all(&run).unwrap();
    assert_complains(&baseline, "run directory");
    let link = format!("/tmp/gr-invariants-{}", std::process::id());
    symlink(&run, &link).unwrap();
    assert_complains(&baseline, "link /tmp/gr-invariants");
    fs::remove_file(link).unwrap();
}

#[tokio::test]
async fn books_that_balance_after_a_while_are_fine() {
    let balanced = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&balanced);
    let check = move || match seen.swap(true, Ordering::Relaxed) {
        true => Ok(()),
        false => Err("one lease is out".to_owned()),
    };
    let baseline = Baseline::take().books("the pool", check);
    assert_complains(&baseline, "books of the pool: one lease is out");
    baseline.assert_clean().await;
    assert!(balanced.load(Ordering::Relaxed));
}
