//! A profile that is kept belongs to one instance at a time.
//!
//! Two browsers in one profile ruin it. Chromium's own guard against that is a link that outlives a
//! crash and means nothing on another host, and the headless shell has none at all. So a file beside
//! the profile is locked for as long as the instance has processes, and the link is judged under
//! that lock: one whose owner is dead is removed, one whose owner lives is an error that says who
//! it is.

mod owner;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use self::owner::Owner;
use crate::process::{Claim, FileLock, hold};
use crate::{Error, LaunchSpec};

/// Takes the profile of an instance that keeps one; it is made if need be. Blocks.
pub(crate) fn take(spec: &LaunchSpec, data_dir: &Path) -> Result<Option<FileLock>, Error> {
    let Some(profile) = spec.kept_profile() else {
        return Ok(None);
    };
    let failed = |source| Error::ProfileDirectory {
        path: profile.into(),
        source,
    };
    let path = prepare(profile).map_err(failed)?;
    let Claim::Taken(lock) = hold(&lock_file(&path)).map_err(failed)? else {
        return Err(Error::ProfileInUse { path });
    };
    match owner::of(&path).map_err(failed)? {
        Owner::Nobody => {}
        Owner::Dead => clear(&path).map_err(failed)?,
        // A profile of our own that was moved here with its data directory, or whose container got
        // another name: we hold its lock, so nobody else of ours has it.
        Owner::Elsewhere { .. } if is_ours(&path, data_dir) => clear(&path).map_err(failed)?,
        Owner::Elsewhere { host, pid } => {
            let who = format!("process {pid} on the host {host}");
            return Err(Error::ProfileOpen { path, who });
        }
        Owner::Process { pid, name } => {
            let who = format!("process {pid} ({name})");
            return Err(Error::ProfileOpen { path, who });
        }
    }
    Ok(Some(lock))
}

fn clear(profile: &Path) -> io::Result<()> {
    tracing::info!(profile = %profile.display(), "removing the lock of a dead browser");
    owner::remove_links(profile)
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

fn lock_file(profile: &Path) -> PathBuf {
    let mut name = profile.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::BrowserKind;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn keeping(profile: &Path) -> LaunchSpec {
        LaunchSpec {
            isolated: false,
            user_data_dir: Some(profile.into()),
            ..LaunchSpec::new(BrowserKind::Chromium)
        }
    }

    #[test]
    fn a_profile_is_held_by_one_at_a_time_under_whatever_name() {
        let data = tempfile::tempdir().unwrap();
        let profile = data.path().join("a/p");
        let lock = take(&keeping(&profile), data.path()).unwrap();
        assert!(lock.is_some());
        let file = data.path().join("a/p.lock");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        symlink(&profile, data.path().join("other")).unwrap();
        let other = keeping(&data.path().join("other"));
        let error = take(&other, data.path()).unwrap_err();
        assert!(matches!(error, Error::ProfileInUse { .. }), "{error}");
        drop(lock);
        take(&other, data.path()).unwrap();
    }

    #[test]
    fn what_is_not_kept_is_not_locked() {
        let data = tempfile::tempdir().unwrap();
        let profile = data.path().join("p");
        let isolated = LaunchSpec {
            isolated: true,
            ..keeping(&profile)
        };
        let passing = LaunchSpec {
            user_data_dir: None,
            ..keeping(&profile)
        };
        for spec in [isolated, passing] {
            assert!(take(&spec, data.path()).unwrap().is_none());
        }
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_dead_browser_left_is_removed_whole() {
        let dir = tempfile::tempdir().unwrap();
        let profile = dir.path().join("p");
        fs::create_dir(&profile).unwrap();
        let host = rustix::system::uname();
        let dead = format!("{}-{}", host.nodename().to_string_lossy(), i32::MAX);
        symlink(dead, profile.join("SingletonLock")).unwrap();
        symlink("1234", profile.join("SingletonCookie")).unwrap();
        symlink("/nonexistent/socket", profile.join("SingletonSocket")).unwrap();
        take(&keeping(&profile), dir.path()).unwrap();
        assert_eq!(fs::read_dir(&profile).unwrap().count(), 0);
    }

    #[test]
    fn the_link_of_another_host_is_removed_only_from_our_own_profiles() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let profile = dir.path().join("p");
        fs::create_dir(&profile).unwrap();
        let link = profile.join("SingletonLock");
        symlink("other-host-12", &link).unwrap();
        let refused = take(&keeping(&profile), elsewhere.path()).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("process 12 on the host other-host"),
            "{refused}"
        );
        assert!(fs::symlink_metadata(&link).is_ok());
        take(&keeping(&profile), dir.path()).unwrap();
        assert!(fs::symlink_metadata(&link).is_err());
    }
}
