//! The next start clears away what a killed owner left, and nothing else.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::is_running;
use greenroom_browser::process::{Identity, Run, SweepReport};
use greenroom_testkit::invariants::Baseline;
use greenroom_testkit::upstream::{Grandchild, Script};
use greenroom_testkit::{Bystander, fake_upstream, owner};
use serde_json::{Value, json};

/// Another Greenroom, as far as processes go.
struct Owner {
    process: Child,
    report: Value,
}

impl Owner {
    fn start(data_dir: &Path, children: usize, script: &Script) -> Self {
        let mut command = Command::new(owner());
        command
            .arg("hold")
            .arg(data_dir)
            .arg(children.to_string())
            .arg(fake_upstream())
            .args(["--script", &script.to_json()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        #[allow(clippy::disallowed_methods)]
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        Self {
            process,
            report: serde_json::from_str(&line).unwrap(),
        }
    }

    fn roots(&self) -> Vec<i32> {
        let roots = self.report["roots"].as_array().unwrap();
        roots
            .iter()
            .map(|pid| pid.as_i64().unwrap().try_into().unwrap())
            .collect()
    }

    fn run(&self) -> &str {
        self.report["run"].as_str().unwrap()
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Closes its stdin and waits for its end in good order.
    fn close(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }
}

fn stubborn() -> Script {
    Script {
        ignore_sigterm: true,
        // Otherwise children would end by themselves when their owner is killed.
        ignore_eof: true,
        grandchild: Some(Grandchild {
            ignore_sigterm: true,
            ..Grandchild::default()
        }),
        ..Script::default()
    }
}

fn killed(report: &SweepReport) -> Vec<i32> {
    let killed = report.runs.iter().flat_map(|run| &run.killed);
    killed.map(|process| process.pid).collect()
}

#[tokio::test]
async fn the_next_start_kills_and_removes_what_a_killed_owner_left() {
    let baseline = Baseline::take();
    let data = tempfile::tempdir().unwrap();
    let mut dead = Owner::start(data.path(), 2, &stubborn());
    let baseline = baseline.data_dir(data.path()).run(dead.run());
    dead.kill();
    assert!(dead.roots().into_iter().all(is_running));

    let (run, report) = Run::open(data.path()).await.unwrap();
    assert_eq!(report.runs.len(), 1);
    let swept = &report.runs[0];
    assert_eq!(swept.run.as_str(), dead.run());
    assert_eq!(swept.owner, Some(i32::try_from(dead.process.id()).unwrap()));
    assert_eq!((swept.survivors.len(), &swept.kept_because), (0, &None));
    // Two children and their grandchildren, the latter in sessions of their own.
    assert_eq!(swept.killed.len(), 4, "{swept:?}");
    assert!(
        dead.roots()
            .iter()
            .all(|root| killed(&report).contains(root))
    );
    assert!(!dead.roots().into_iter().any(is_running));
    run.close().await.unwrap();
    drop(dead);
    baseline.assert_clean().await;
}

#[tokio::test]
async fn an_owner_that_is_closed_leaves_nothing_to_sweep() {
    let baseline = Baseline::take();
    let data = tempfile::tempdir().unwrap();
    let live = Owner::start(data.path(), 1, &stubborn());
    let baseline = baseline.data_dir(data.path()).run(live.run());
    live.close();
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert_eq!(report, SweepReport::default());
    run.close().await.unwrap();
    baseline.assert_clean().await;
}

#[tokio::test]
async fn two_owners_share_a_directory_and_only_the_dead_one_is_swept() {
    let baseline = Baseline::take();
    let data = tempfile::tempdir().unwrap();
    let live = Owner::start(data.path(), 1, &stubborn());
    let mut dead = Owner::start(data.path(), 1, &stubborn());
    assert!(live.roots().into_iter().all(is_running));
    let baseline = baseline
        .data_dir(data.path())
        .run(live.run())
        .run(dead.run());
    dead.kill();

    let (run, report) = Run::open(data.path()).await.unwrap();
    let swept: Vec<&str> = report.runs.iter().map(|run| run.run.as_str()).collect();
    assert_eq!(swept, [dead.run()]);
    assert!(live.roots().into_iter().all(is_running));
    assert!(data.path().join("runs").join(live.run()).is_dir());
    live.close();
    run.close().await.unwrap();
    drop(dead);
    baseline.assert_clean().await;
}

#[tokio::test]
async fn sweepers_that_race_do_no_harm() {
    let baseline = Baseline::take();
    let data = tempfile::tempdir().unwrap();
    let mut owners: Vec<Owner> = (0..3)
        .map(|_| Owner::start(data.path(), 1, &stubborn()))
        .collect();
    let baseline = owners
        .iter()
        .fold(baseline.data_dir(data.path()), |baseline, owner| {
            baseline.run(owner.run())
        });
    owners.iter_mut().for_each(Owner::kill);
    let open = || Run::open(data.path().to_owned());
    let (a, b, c) = tokio::join!(open(), open(), open());
    let opened = [a.unwrap(), b.unwrap(), c.unwrap()];
    let swept: usize = opened.iter().map(|(_, report)| report.runs.len()).sum();
    assert_eq!(swept, 3);
    for (run, _) in opened {
        assert!(run.path().is_dir());
        run.close().await.unwrap();
    }
    drop(owners);
    baseline.assert_clean().await;
}

/// A dead run whose child recorded this root.
fn dead_run_with_root(data: &Path, root: &Value) -> std::path::PathBuf {
    let mut dead = Owner::start(data, 1, &Script::default());
    let run = data.join("runs").join(dead.run());
    dead.kill();
    let child = fs::read_dir(&run)
        .unwrap()
        .flatten()
        .find(|entry| entry.path().is_dir());
    fs::write(child.unwrap().path().join("root.json"), root.to_string()).unwrap();
    run
}

#[tokio::test]
async fn a_recorded_root_without_a_marker_is_killed_if_its_start_time_is_right() {
    let data = tempfile::tempdir().unwrap();
    let mut unmarked = Bystander::start(&[]);
    let id = Identity::of(unmarked.pid()).unwrap();
    let path = dead_run_with_root(data.path(), &serde_json::to_value(id).unwrap());
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert!(killed(&report).contains(&unmarked.pid()));
    assert!(!unmarked.is_alive() && !path.exists());
    run.close().await.unwrap();
}

#[tokio::test]
async fn a_recycled_pid_is_left_alone() {
    let data = tempfile::tempdir().unwrap();
    let mut innocent = Bystander::start(&[]);
    let id = Identity::of(innocent.pid()).unwrap();
    let older = json!({"pid": id.pid, "start_ticks": id.start_ticks - 1});
    let path = dead_run_with_root(data.path(), &older);
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert!(!killed(&report).contains(&innocent.pid()));
    assert!(innocent.is_alive() && !path.exists());
    run.close().await.unwrap();
}

#[tokio::test]
async fn processes_that_are_marked_by_others_are_left_alone() {
    let data = tempfile::tempdir().unwrap();
    let mut other = Bystander::start(&[("GREENROOM_RUN", &"f".repeat(32))]);
    let (first, _) = Run::open(data.path()).await.unwrap();
    // Dropped without being closed: the run is dead, and the next one sweeps it.
    drop(first);
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert_eq!(report.runs.len(), 1);
    assert!(other.is_alive());
    run.close().await.unwrap();
}

#[tokio::test]
async fn a_marked_process_that_lost_its_owner_long_ago_is_found() {
    let data = tempfile::tempdir().unwrap();
    let (first, _) = Run::open(data.path()).await.unwrap();
    let mut stray = Bystander::start(&[("GREENROOM_RUN", first.id().as_str())]);
    drop(first);
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert_eq!(killed(&report), [stray.pid()]);
    assert!(!stray.is_alive());
    run.close().await.unwrap();
}

#[tokio::test]
async fn directories_that_are_not_runs_are_left_alone() {
    let data = tempfile::tempdir().unwrap();
    let (run, _) = Run::open(data.path()).await.unwrap();
    let runs = run.path().parent().unwrap().to_owned();
    run.close().await.unwrap();
    let mine = [runs.join("experiment-7"), runs.join("0".repeat(32))];
    for path in &mine {
        fs::create_dir(path).unwrap();
        fs::write(path.join("results"), "precious").unwrap();
    }
    let (run, report) = Run::open(data.path()).await.unwrap();
    assert_eq!(report, SweepReport::default());
    assert!(mine.iter().all(|path| path.join("results").exists()));
    run.close().await.unwrap();
}
