//! A profile that is kept belongs to one instance at a time.
//!
//! Chromium's own guard is a link that outlives a crash, and the headless shell has none at all.
//! So a file beside the profile is locked for as long as the browser lives, and the link is judged
//! under that lock: one whose owner is dead is removed, one whose owner lives is an error that
//! says who it is.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::call::EngineError;

use super::owner::{self, Owner};

/// The right to a profile, until it is dropped.
#[derive(Debug)]
pub(super) struct ProfileLock(#[expect(dead_code, reason = "held, not used")] File);

/// Takes a profile, which is made if need be. Blocks.
pub(super) fn take(profile: &Path, data_dir: &Path) -> Result<ProfileLock, EngineError> {
    let failed = |source| Error::ProfileDirectory {
        path: profile.into(),
        source,
    };
    let path = prepare(profile).map_err(failed)?;
    let Some(lock) = lock(&path).map_err(failed)? else {
        return Err(Error::ProfileInUse { path }.into());
    };
    match owner::of(&path).map_err(failed)? {
        Owner::Nobody => {}
        Owner::Dead => clear(&path).map_err(failed)?,
        // A profile of our own that was moved here with its data directory, or whose container got
        // another name: we hold its lock, so nobody else of ours has it.
        Owner::Elsewhere { .. } if is_ours(&path, data_dir) => clear(&path).map_err(failed)?,
        Owner::Elsewhere { host, pid } => {
            let who = format!("process {pid} on the host {host}");
            return Err(in_use(&path, &who, "close it there"));
        }
        Owner::Process { pid, name } => {
            let who = format!("process {pid} ({name})");
            return Err(in_use(&path, &who, "close that browser"));
        }
    }
    Ok(lock)
}

fn clear(profile: &Path) -> io::Result<()> {
    tracing::info!(profile = %profile.display(), "removing the lock of a dead browser");
    owner::remove_links(profile)
}

fn in_use(profile: &Path, who: &str, fix: &str) -> EngineError {
    let profile = profile.display();
    EngineError::NoBrowser {
        reason: format!(
            "the profile directory {profile} is in use by {who}; {fix}, or set another USER_DATA_DIR"
        ),
    }
}

fn is_ours(profile: &Path, data_dir: &Path) -> bool {
    fs::canonicalize(data_dir).is_ok_and(|data_dir| profile.starts_with(data_dir))
}

/// Makes the profile if need be. Its path without links is the one that all its users share.
fn prepare(profile: &Path) -> io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(profile)?;
    fs::canonicalize(profile)
}

/// `None`: another instance has it. The kernel lets go of the lock when its process ends.
fn lock(profile: &Path) -> io::Result<Option<ProfileLock>> {
    let mut name = profile.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    let file = options.truncate(false).open(name)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(ProfileLock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_profile_is_taken_once_until_it_is_let_go() {
        let dir = tempfile::tempdir().unwrap();
        let profile = dir.path().join("p");
        let lock = take(&profile, dir.path()).unwrap();
        let refused = take(&profile, dir.path()).unwrap_err();
        assert!(refused.to_string().contains("in use"), "{refused}");
        drop(lock);
        take(&profile, dir.path()).unwrap();
    }

    #[test]
    fn the_link_of_another_host_is_removed_only_from_our_own_profiles() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let profile = dir.path().join("p");
        fs::create_dir(&profile).unwrap();
        let link = profile.join("SingletonLock");
        symlink("other-host-12", &link).unwrap();
        let refused = take(&profile, elsewhere.path()).unwrap_err().to_string();
        assert!(
            refused.contains("process 12 on the host other-host"),
            "{refused}"
        );
        assert!(fs::symlink_metadata(&link).is_ok());
        take(&profile, dir.path()).unwrap();
        assert!(fs::symlink_metadata(&link).is_err());
    }
}
