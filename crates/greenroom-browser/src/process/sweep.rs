//! Clearing away what dead runs left: their processes first, then their directories.
//!
//! A run is dead when its lock can be taken, and the sweeper keeps the lock while it works, so two
//! sweepers never meet in one run and a live run is never touched. Processes are found by the
//! run's marker and by the recorded roots of its trees, with their start times, never by name.
//! They are killed outright: their owner is gone, and nobody is left to whom they could say
//! goodbye.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::identity::Identity;
use super::link;
use super::lock::{self, Claim};
use super::marker::{Marker, UniqueId};
use super::owner::Owner;
use super::remove::remove_tree;
use super::scratch::ROOT_FILE;
use super::table::ProcessInfo;
use super::tree::{KILL_DEADLINE, Tree};
use crate::Error;

const REMOVE_DEADLINE: Duration = Duration::from_secs(2);

/// What a sweep found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// One entry per dead run.
    pub runs: Vec<SweptRun>,
}

/// What became of one dead run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptRun {
    /// The id of the run.
    pub run: UniqueId,
    /// The pid that its owner had.
    pub owner: Option<i32>,
    /// Processes that were killed.
    pub killed: Vec<ProcessInfo>,
    /// Processes that are still there; the next sweep tries again.
    pub survivors: Vec<ProcessInfo>,
    /// Why the directory is still there, if it is.
    pub kept_because: Option<String>,
}

/// Sweeps every dead run. Blocks.
pub(super) fn sweep(runs: &Path) -> Result<SweepReport, Error> {
    let entries = fs::read_dir(runs).map_err(|source| Error::RunDirectory {
        path: runs.into(),
        source,
    })?;
    let mut report = SweepReport::default();
    for entry in entries.flatten() {
        // Whatever else somebody keeps here is not ours to touch.
        let Some(id) = entry.file_name().to_str().and_then(UniqueId::parse) else {
            continue;
        };
        match sweep_one(&entry.path(), id) {
            Ok(swept) => report.runs.extend(swept),
            // One run that cannot be looked at must not keep Greenroom from starting.
            Err(error) => {
                let run = entry.path();
                tracing::warn!(run = %run.display(), %error, "cannot sweep what a dead run left");
            }
        }
    }
    Ok(report)
}

fn sweep_one(path: &Path, id: UniqueId) -> io::Result<Option<SweptRun>> {
    let _lock = match lock::claim(path)? {
        Claim::Taken(lock) => lock,
        Claim::Held => return Ok(None),
        Claim::Missing => {
            // A run that died before it could lock anything is empty. One that is not empty is
            // somebody else's directory, and this leaves it alone.
            let _ = fs::remove_dir(path);
            return Ok(None);
        }
    };
    let owner = Owner::read(path);
    let tree = Tree::new(Marker::run(&id), recorded_roots(path, owner.as_ref()));
    let outcome = tree.kill(KILL_DEADLINE);
    let kept_because = if outcome.survivors.is_empty() {
        remove(path, owner.as_ref())
            .err()
            .map(|error| error.to_string())
    } else {
        Some("some of its processes are still there".to_owned())
    };
    Ok(Some(SweptRun {
        run: id,
        owner: owner.and_then(|owner| owner.process).map(|id| id.pid),
        killed: outcome.killed,
        survivors: outcome.survivors,
        kept_because,
    }))
}

fn remove(path: &Path, owner: Option<&Owner>) -> io::Result<()> {
    if let Some(owner) = owner {
        link::remove(&owner.link, path);
    }
    remove_tree(path, REMOVE_DEADLINE)
}

/// The roots that the run's children recorded, if their pids mean anything here.
fn recorded_roots(run: &Path, owner: Option<&Owner>) -> Vec<Identity> {
    if !owner.is_some_and(Owner::shares_our_world) {
        return Vec::new();
    }
    let children = fs::read_dir(run).into_iter().flatten().flatten();
    let records = children.filter_map(|child| fs::read(child.path().join(ROOT_FILE)).ok());
    records
        .filter_map(|record| serde_json::from_slice(&record).ok())
        .collect()
}
