//! The processes of this machine at one moment.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use super::identity::{Identity, is_dead, stat_of};

/// What a person needs to recognise a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessInfo {
    /// The process id.
    pub pid: i32,
    /// The name of its program, cut to fifteen letters by the kernel.
    pub name: String,
}

impl fmt::Display for ProcessInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.pid, self.name)
    }
}

/// One line of the table.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) id: Identity,
    pub(super) name: String,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    pub(super) dead: bool,
}

impl Entry {
    pub(super) fn info(&self) -> ProcessInfo {
        ProcessInfo {
            pid: self.id.pid,
            name: self.name.clone(),
        }
    }
}

/// A snapshot of /proc by pid. Processes that come and go while it is read may be missing, so
/// whoever needs to be sure reads again until nothing new is found.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: BTreeMap<i32, Entry>,
}

impl Table {
    /// Reads /proc now.
    pub(super) fn read() -> io::Result<Self> {
        let pids = std::fs::read_dir("/proc")?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
        Ok(pids.filter_map(read_entry).collect())
    }

    pub(super) fn get(&self, pid: i32) -> Option<&Entry> {
        self.entries.get(&pid)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub(super) fn children_of(&self, pid: i32) -> impl Iterator<Item = &Entry> {
        self.iter().filter(move |entry| entry.parent == pid)
    }

    /// The process itself, its parent, and so on up to init.
    pub(super) fn line_of(&self, pid: i32) -> Vec<i32> {
        let mut line = vec![pid];
        let mut at = pid;
        while let Some(entry) = self.get(at) {
            // A snapshot is not atomic: never walk in a circle.
            if entry.parent == 0 || line.contains(&entry.parent) {
                break;
            }
            at = entry.parent;
            line.push(at);
        }
        line
    }
}

impl FromIterator<Entry> for Table {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|entry| (entry.id.pid, entry));
        Self {
            entries: entries.collect(),
        }
    }
}

fn read_entry(pid: i32) -> Option<Entry> {
    let stat = stat_of(pid)?;
    Some(Entry {
        id: Identity {
            pid,
            start_ticks: stat.starttime,
        },
        parent: stat.ppid,
        group: stat.pgrp,
        session: stat.session,
        dead: is_dead(&stat),
        name: stat.comm,
    })
}

#[cfg(test)]
mod tests {
    use super::super::identity::own_pid;
    use super::*;

    #[test]
    fn the_table_has_this_process_below_its_parent() {
        let table = Table::read().unwrap();
        let me = table.get(own_pid()).unwrap();
        assert!(table.children_of(me.parent).any(|e| e.id == me.id));
        assert_eq!(table.line_of(own_pid())[..2], [own_pid(), me.parent]);
    }
}
