//! What must hold after every test: nothing is left.
//!
//! It looks at the system with its own eyes, not through the code under test: processes by
//! /proc, directories by listing them, descriptors by counting them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use procfs::process::{Process, all_processes};
use tokio::time::{Instant, sleep};

/// How long things may take to settle: sockets close and orphans are collected a little after
/// the call that caused it.
const DEADLINE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(10);

type Check = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// How the system was before a test.
pub struct Baseline {
    descriptors: BTreeSet<(i32, PathBuf)>,
    children: BTreeSet<i32>,
    data_dirs: Vec<PathBuf>,
    runs: Vec<String>,
    books: Vec<(String, Check)>,
}

impl Baseline {
    /// Notes the descriptors and the children of this process. To be called when the runtime and
    /// whatever else outlives the test exist already.
    pub fn take() -> Self {
        Self {
            descriptors: descriptors(),
            children: descendants().map(|process| process.pid).collect(),
            data_dirs: Vec::new(),
            runs: Vec::new(),
            books: Vec::new(),
        }
    }

    /// Requires that no run is left in this data directory, nor a link to one.
    pub fn data_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.data_dirs.push(path.into());
        self
    }

    /// Requires that no process of this run is left, whoever its parent is.
    pub fn run(mut self, id: impl Into<String>) -> Self {
        self.runs.push(id.into());
        self
    }

    /// Requires that some books balance; the error says how they do not.
    pub fn books(
        mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.books.push((name.into(), Box::new(check)));
        self
    }

    /// Panics with a list of everything that is left, if anything is after a while.
    pub async fn assert_clean(&self) {
        let end = Instant::now() + DEADLINE;
        loop {
            let left = self.leftovers();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < end, "{}", complaint(&left));
            sleep(POLL).await;
        }
    }

    /// Everything that is left at this moment.
    pub fn leftovers(&self) -> Vec<String> {
        let mut left = self.processes_left();
        left.extend(self.descriptors_left());
        left.extend(self.data_dirs.iter().flat_map(|path| runs_left(path)));
        left.extend(self.data_dirs.iter().flat_map(|path| links_left(path)));
        left.extend(self.books_unbalanced());
        left
    }

    fn processes_left(&self) -> Vec<String> {
        let new = descendants().filter(|process| !self.children.contains(&process.pid));
        let ours = new.map(|process| format!("descendant {}", describe(&process)));
        ours.chain(self.marked_processes()).collect()
    }

    fn marked_processes(&self) -> Vec<String> {
        let runs = self.runs.iter().map(|id| format!("GREENROOM_RUN={id}"));
        let markers: Vec<String> = runs.collect();
        if markers.is_empty() {
            return Vec::new();
        }
        let marked = |process: &Process| {
            let environment = fs::read(format!("/proc/{}/environ", process.pid));
            let environment = environment.unwrap_or_default();
            let mut variables = environment.split(|b| *b == 0);
            variables.any(|variable| markers.iter().any(|m| m.as_bytes() == variable))
        };
        let found = processes().filter(marked);
        found
            .map(|process| format!("marked process {}", describe(&process)))
            .collect()
    }

    /// Only more than before is a leak: that some were closed is nobody's fault.
    fn descriptors_left(&self) -> Vec<String> {
        let now = descriptors();
        if now.len() <= self.descriptors.len() {
            return Vec::new();
        }
        let new = now.difference(&self.descriptors);
        new.map(|(fd, target)| format!("descriptor {fd} -> {}", target.display()))
            .collect()
    }

    fn books_unbalanced(&self) -> Vec<String> {
        let failed = |(name, check): &(String, Check)| {
            let reason = check().err()?;
            Some(format!("books of {name}: {reason}"))
        };
        self.books.iter().filter_map(failed).collect()
    }
}

fn complaint(left: &[String]) -> String {
    let mut text = format!("{} things are left behind:", left.len());
    for thing in left {
        let _ = write!(text, "\n  - {thing}");
    }
    text
}

/// The open descriptors of this process, but for those that this very look needs.
fn descriptors() -> BTreeSet<(i32, PathBuf)> {
    let entries = fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten();
    let open = entries.filter_map(|entry| {
        let target = fs::read_link(entry.path()).ok()?;
        Some((entry.file_name().to_str()?.parse().ok()?, target))
    });
    open.filter(|(_, target)| !target.starts_with("/proc"))
        .collect()
}

fn processes() -> impl Iterator<Item = Process> {
    all_processes().into_iter().flatten().flatten()
}

/// Every process below this one, zombies included.
fn descendants() -> impl Iterator<Item = Process> {
    let all: Vec<(i32, i32)> = processes()
        .filter_map(|process| Some((process.pid, process.stat().ok()?.ppid)))
        .collect();
    let mut found = BTreeSet::new();
    let mut parents = vec![i32::try_from(std::process::id()).expect("BUG: pids are small")];
    while let Some(parent) = parents.pop() {
        let children = all.iter().filter(|(_, ppid)| *ppid == parent);
        parents.extend(
            children
                .map(|(pid, _)| *pid)
                .filter(|pid| found.insert(*pid)),
        );
    }
    found.into_iter().filter_map(|pid| Process::new(pid).ok())
}

fn describe(process: &Process) -> String {
    match process.stat() {
        Ok(stat) => format!("{} ({}, state {})", process.pid, stat.comm, stat.state),
        Err(_) => format!("{} (gone)", process.pid),
    }
}

fn runs_left(data_dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(data_dir.join("runs"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .map(|entry| format!("run directory {}", entry.path().display()))
        .collect()
}

/// Links in /tmp that lead into the data directory.
fn links_left(data_dir: &Path) -> Vec<String> {
    let data_dir = fs::canonicalize(data_dir).unwrap_or_else(|_| data_dir.into());
    let entries = fs::read_dir("/tmp").into_iter().flatten().flatten();
    let links = entries.filter(|entry| {
        fs::read_link(entry.path()).is_ok_and(|target| target.starts_with(&data_dir))
    });
    links
        .map(|entry| format!("link {}", entry.path().display()))
        .collect()
}
