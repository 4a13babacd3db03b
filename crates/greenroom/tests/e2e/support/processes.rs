use std::time::Duration;

use procfs::process::{Process, Stat, all_processes};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// One process, told from a later one with the same id by its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proc {
    pub pid: i32,
    start: u64,
    command: Vec<String>,
}

impl Proc {
    fn read(stat: &Stat) -> Option<Self> {
        let command = Process::new(stat.pid).ok()?.cmdline().ok()?;
        Some(Self {
            pid: stat.pid,
            start: stat.starttime,
            command,
        })
    }

    /// Whether it still runs; a zombie does not.
    pub fn is_running(&self) -> bool {
        let stat = Process::new(self.pid).and_then(|process| process.stat());
        stat.is_ok_and(|stat| stat.starttime == self.start && !matches!(stat.state, 'Z' | 'X'))
    }

    /// Kills it as the kernel would.
    pub fn kill(&self) {
        assert!(self.is_running(), "{self:?} has ended already");
        kill_process(Pid::from_raw(self.pid).unwrap(), Signal::KILL).unwrap();
    }

    fn has(&self, option: &str) -> bool {
        // Chromium rewrites its command line into one text.
        self.command.iter().any(|word| word.contains(option))
    }
}

/// Every running process below this one.
pub fn below(root: i32) -> Vec<Proc> {
    let all: Vec<Stat> = all_processes()
        .unwrap()
        .filter_map(|process| process.ok()?.stat().ok())
        .filter(|stat| !matches!(stat.state, 'Z' | 'X'))
        .collect();
    let mut found = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        for child in all.iter().filter(|stat| stat.ppid == parent) {
            parents.push(child.pid);
            found.extend(Proc::read(child));
        }
    }
    found
}

/// The process that Chromium itself is, below the upstream of an instance.
pub fn browser_of(instance: &Value) -> Proc {
    let tree = below(root_pid(instance));
    let is_browser = |process: &&Proc| process.has("--remote-debugging-pipe");
    let found: Vec<&Proc> = tree
        .iter()
        .filter(is_browser)
        .filter(|process| !process.has("--type="))
        .collect();
    // A shell that wraps it has the same arguments and is its parent.
    let browser = found.last();
    (*browser.unwrap_or_else(|| panic!("no browser among {tree:#?}"))).clone()
}

/// The processes that run its pages.
pub fn renderers_of(instance: &Value) -> Vec<Proc> {
    let mut tree = below(root_pid(instance));
    tree.retain(|process| process.has("--type=renderer"));
    tree
}

/// The process of the upstream itself, or of a browser that is driven without one.
pub fn root_of(instance: &Value) -> Proc {
    let pid = root_pid(instance);
    Proc::read(&Process::new(pid).unwrap().stat().unwrap()).unwrap()
}

fn root_pid(instance: &Value) -> i32 {
    let pid = instance["process_id"].as_i64();
    let pid = pid.unwrap_or_else(|| panic!("no process in {instance:#}"));
    i32::try_from(pid).unwrap()
}

/// Waits until none of these runs any more.
pub async fn all_gone(processes: &[Proc], limit: Duration) {
    let left = || -> Vec<&Proc> { processes.iter().filter(|p| p.is_running()).collect() };
    let waiting = async {
        while !left().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(limit, waiting).await;
    assert!(in_time.is_ok(), "still running: {:#?}", left());
}
