//! A profile that is kept belongs to one instance at a time.
//!
//! Two browsers in one profile ruin it, and Chromium's own guard against that is a link that
//! outlives a crash and means nothing on another host. So a file beside the profile is locked for
//! as long as the instance has processes; of those that Greenroom keeps itself, the links that a
//! dead browser has left are removed under that lock.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::process::{Claim, FileLock, Identity, hold};
use crate::{Error, LaunchSpec};

/// Names a host and a process, as `host-pid`.
const SINGLETON_LOCK: &str = "SingletonLock";
/// What belongs to that process as well.
const SINGLETONS: [&str; 3] = [SINGLETON_LOCK, "SingletonCookie", "SingletonSocket"];

/// Takes the profile of an instance that keeps one. Blocks.
pub(super) fn take(spec: &LaunchSpec, data_dir: &Path) -> Result<Option<FileLock>, Error> {
    let Some(profile) = spec.user_data_dir.as_deref().filter(|_| !spec.isolated) else {
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
    if fs::canonicalize(data_dir).is_ok_and(|data_dir| path.starts_with(data_dir)) {
        remove_stale_singletons(&path).map_err(failed)?;
    }
    Ok(Some(lock))
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

fn remove_stale_singletons(profile: &Path) -> io::Result<()> {
    let owner = match fs::read_link(profile.join(SINGLETON_LOCK)) {
        Ok(owner) => owner,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let host = rustix::system::uname();
    if !is_stale(&owner.to_string_lossy(), &host.nodename().to_string_lossy()) {
        return Ok(());
    }
    tracing::info!(profile = %profile.display(), owner = %owner.display(), "removing the lock of a dead browser");
    for name in SINGLETONS {
        match fs::remove_file(profile.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether nobody on this host can be the owner. One that cannot be read is left to the browser.
fn is_stale(owner: &str, this_host: &str) -> bool {
    let Some((host, pid)) = owner.rsplit_once('-') else {
        return false;
    };
    let Ok(pid) = pid.parse() else {
        return false;
    };
    host != this_host || !Identity::of(pid).is_some_and(Identity::is_running)
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

    fn this_host() -> String {
        let host = rustix::system::uname();
        host.nodename().to_string_lossy().into_owned()
    }

    /// A profile that says it is in use, and how many of the three links are left after a start.
    fn left_of(owner: &str, is_ours: bool) -> usize {
        let data = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let profile = data.path().join("profiles/p");
        fs::create_dir_all(&profile).unwrap();
        symlink(owner, profile.join(SINGLETON_LOCK)).unwrap();
        symlink("1234", profile.join("SingletonCookie")).unwrap();
        symlink("/nonexistent/socket", profile.join("SingletonSocket")).unwrap();
        let data_dir = if is_ours {
            data.path()
        } else {
            elsewhere.path()
        };
        take(&keeping(&profile), data_dir).unwrap().unwrap();
        fs::read_dir(&profile).unwrap().count()
    }

    #[test]
    fn what_a_dead_browser_left_in_our_profile_is_removed() {
        let host = this_host();
        let living = format!("{host}-{}", std::process::id());
        let dead = format!("{host}-{}", i32::MAX);
        let table = [
            (dead.as_str(), true, 0),
            ("another-host-1", true, 0),
            (living.as_str(), true, 3),
            ("nonsense", true, 3),
            ("a-word", true, 3),
            (dead.as_str(), false, 3),
        ];
        for (owner, is_ours, left) in table {
            assert_eq!(left_of(owner, is_ours), left, "{owner}");
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
}
