//! The directories of one child.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::identity::Identity;
use super::lock::FileLock;
use super::remove::remove_tree;
use crate::Error;

/// Where the root of a child's tree is recorded, for a later sweep.
pub(super) const ROOT_FILE: &str = "root.json";

/// Labels become part of a path whose length counts (see [`super::link`]).
const LONGEST_LABEL: usize = 24;

/// How long a directory may keep filling up after its tree has died.
const REMOVE_DEADLINE: Duration = Duration::from_secs(2);

/// Directories that belong to one child and go when it goes.
///
/// When it is dropped before a child was started in it, it is removed at once; afterwards only
/// the owner of the child removes it, when the tree is gone.
#[derive(Debug)]
pub struct Scratch {
    label: String,
    root: PathBuf,
    tmp: PathBuf,
    in_use: bool,
    /// What the tree alone may use, let go when it is gone.
    lock: Mutex<Option<FileLock>>,
}

impl Scratch {
    /// Makes `<label>-<number>` in the run's directory. `short` is another name of that directory.
    pub(super) fn create(
        run: &Path,
        short: &Path,
        label: &str,
        number: u64,
    ) -> Result<Self, Error> {
        let name = format!("{}-{number}", file_name(label));
        let scratch = Self {
            label: label.to_owned(),
            root: run.join(&name),
            tmp: short.join(&name).join("tmp"),
            in_use: false,
            lock: Mutex::new(None),
        };
        let directories = ["", "tmp", "profile", "output"].map(|part| scratch.root.join(part));
        for directory in directories {
            let made = DirBuilder::new().mode(0o700).create(&directory);
            made.map_err(|source| Error::RunDirectory {
                path: directory,
                source,
            })?;
        }
        Ok(scratch)
    }

    /// Whom it is for, as a person would say it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The directory that holds the others.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// For temporary files: the child gets it as `TMPDIR`. The path is short on purpose.
    pub fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// For a profile that nobody wants to keep.
    pub fn profile(&self) -> PathBuf {
        self.root.join("profile")
    }

    /// For files that the child produces.
    pub fn output(&self) -> PathBuf {
        self.root.join("output")
    }

    /// Keeps a lock until the tree that lives here is gone, or none was started.
    pub(crate) fn keep(&mut self, lock: FileLock) {
        self.lock = Mutex::new(Some(lock));
    }

    /// From here on a child lives in it.
    pub(super) fn put_to_use(&mut self) {
        self.in_use = true;
    }

    /// Notes which process is the root of the tree that lives here.
    pub(super) fn record_root(&self, root: Identity) -> Result<(), Error> {
        write_json(&self.root.join(ROOT_FILE), &root)
    }

    /// Removes everything, now that the tree is gone. Blocks.
    pub(super) fn remove(&self) -> Result<(), Error> {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        drop(lock.take());
        drop(lock);
        remove_tree(&self.root, REMOVE_DEADLINE).map_err(|source| Error::RunDirectory {
            path: self.root.clone(),
            source,
        })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.in_use {
            // Nothing has run in it, so nothing can be in the way; the run's end tries again.
            let _ = remove_tree(&self.root, Duration::ZERO);
        }
    }
}

/// Writes a small file so that a reader finds all of it or nothing.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let unfinished = path.with_extension("json.new");
        fs::write(&unfinished, serde_json::to_vec(value)?)?;
        fs::rename(&unfinished, path)
    };
    write().map_err(|source| Error::RunDirectory {
        path: path.into(),
        source,
    })
}

/// A label reduced to what is harmless in a path.
fn file_name(label: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let replaced = label.chars().map(|c| if harmless(c) { c } else { '_' });
    replaced.take(LONGEST_LABEL).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_leave_the_run_directory() {
        let table = [
            ("SCRAPE-0", "SCRAPE-0"),
            ("../../etc", "______etc"),
            ("a/b c.d", "a_b_c_d"),
            ("ünï", "_n_"),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHIJKLMNOPQRSTUVWX"),
        ];
        for (label, expected) in table {
            assert_eq!(file_name(label), expected);
        }
    }

    #[test]
    fn an_unused_scratch_is_removed_when_dropped_and_a_used_one_is_not() {
        let run = tempfile::tempdir().unwrap();
        let unused = Scratch::create(run.path(), run.path(), "a", 0).unwrap();
        assert!(unused.tmp().is_dir() && unused.profile().is_dir() && unused.output().is_dir());
        drop(unused);
        assert!(!run.path().join("a-0").exists());

        let mut used = Scratch::create(run.path(), run.path(), "a", 1).unwrap();
        used.put_to_use();
        drop(used);
        assert!(run.path().join("a-1").exists());
    }
}
