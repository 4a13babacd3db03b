//! Who opened a run, as written into its directory.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::scratch::write_json;
use crate::Error;

const OWNER_FILE: &str = "owner.json";

/// The process that opened a run, and the world in which its numbers mean anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// The owner itself.
    pub(super) process: Option<Identity>,
    world: World,
    /// The short name of the run's directory.
    pub(super) link: PathBuf,
}

/// Pids and start times compare only within one boot and one pid namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct World {
    boot_id: String,
    pid_namespace: PathBuf,
}

impl World {
    fn current() -> Self {
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Self {
            boot_id: boot_id.trim().to_owned(),
            pid_namespace: fs::read_link("/proc/self/ns/pid").unwrap_or_default(),
        }
    }
}

impl Owner {
    pub(super) fn this_process(link: PathBuf) -> Self {
        Self {
            process: Identity::of_self(),
            world: World::current(),
            link,
        }
    }

    pub(super) fn write(&self, run: &Path) -> Result<(), Error> {
        write_json(&run.join(OWNER_FILE), self)
    }

    /// None when the run died before it had written this, or when it is damaged.
    pub(super) fn read(run: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(run.join(OWNER_FILE)).ok()?).ok()
    }

    /// Whether the pids that this owner recorded can be looked up here and now.
    pub(super) fn shares_our_world(&self) -> bool {
        self.world == World::current()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_reads_back_and_another_boot_or_namespace_is_another_world() {
        let run = tempfile::tempdir().unwrap();
        let owner = Owner::this_process("/tmp/gr-x".into());
        owner.write(run.path()).unwrap();
        assert_eq!(Owner::read(run.path()), Some(owner.clone()));
        assert!(owner.shares_our_world());

        let mut rebooted = owner.clone();
        rebooted.world.boot_id = "another".into();
        assert!(!rebooted.shares_our_world());
        let mut elsewhere = owner;
        elsewhere.world.pid_namespace = "pid:[1]".into();
        assert!(!elsewhere.shares_our_world());
    }
}
