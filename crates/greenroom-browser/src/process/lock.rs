//! Locks on files: the proof that a run is alive, and that a profile is in use.
//!
//! A lock file is locked for the life of what it stands for. The kernel lets go of the lock when
//! the process ends, however it ends, so a lock that can be taken belongs to nobody who lives. The
//! descriptor closes on exec: a child that inherited it would keep a dead run alive.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

const LOCK_FILE: &str = "lock";

/// The lock of a file, held.
#[derive(Debug)]
pub(crate) struct FileLock(#[expect(dead_code, reason = "held, not used")] File);

/// The answer to an attempt to take a lock.
#[derive(Debug)]
pub(crate) enum Claim {
    /// It is ours now.
    Taken(FileLock),
    /// Somebody has it: a run lives, or is being swept by another.
    Held,
    /// There is no such file, or no longer.
    Missing,
}

/// Takes the lock of a new run.
pub(super) fn create(run: &Path) -> io::Result<Claim> {
    hold(&run.join(LOCK_FILE))
}

/// Takes the lock of a file, which is made if need be.
pub(crate) fn hold(path: &Path) -> io::Result<Claim> {
    take(path, OpenOptions::new().create(true))
}

/// Takes the lock of an existing run if its owner is dead.
pub(super) fn claim(run: &Path) -> io::Result<Claim> {
    take(&run.join(LOCK_FILE), &mut OpenOptions::new())
}

fn take(path: &Path, options: &mut OpenOptions) -> io::Result<Claim> {
    let nofollow = OFlags::NOFOLLOW.bits().try_into().unwrap_or_default();
    let options = options.read(true).write(true).mode(0o600);
    let file = match options.custom_flags(nofollow).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Claim::Missing),
        Err(error) => return Err(error),
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(Claim::Held),
        Err(error) => return Err(error.into()),
    }
    // Between opening and locking, another sweeper may have removed the run: then this is the
    // lock of a file that nobody can find any more.
    if is_same_file(&file, path) {
        Ok(Claim::Taken(FileLock(file)))
    } else {
        Ok(Claim::Missing)
    }
}

fn is_same_file(file: &File, path: &Path) -> bool {
    let (Ok(ours), Ok(theirs)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_until_dropped_and_missing_before_it_is_made() {
        let run = tempfile::tempdir().unwrap();
        assert!(matches!(claim(run.path()).unwrap(), Claim::Missing));
        let lock = create(run.path()).unwrap();
        assert!(matches!(lock, Claim::Taken(_)));
        assert!(matches!(claim(run.path()).unwrap(), Claim::Held));
        drop(lock);
        assert!(matches!(claim(run.path()).unwrap(), Claim::Taken(_)));
    }
}
