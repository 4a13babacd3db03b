//! Removing a directory whose owners have only just died.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat};
use tokio::time::Instant;

use super::pause::pause_for;

/// Pause between two attempts.
const RETRY: Duration = Duration::from_millis(10);

/// Removes a directory and everything in it; one that is not there is fine. Blocks.
///
/// Symlinks are removed, never followed. A process in its last moments, or one that shares the
/// directory from outside the tree, may still create files, so a directory that fills up again is
/// emptied again until the time is up. Read-only directories are made writable first.
pub(super) fn remove_tree(path: &Path, deadline: Duration) -> io::Result<()> {
    let end = Instant::now() + deadline;
    let mut opened_up = false;
    loop {
        let error = match fs::remove_dir_all(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound && is_gone(path) => return Ok(()),
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::PermissionDenied if !opened_up => {
                opened_up = true;
                open_up(CWD.as_fd(), path)?;
                continue;
            }
            ErrorKind::DirectoryNotEmpty | ErrorKind::NotFound if Instant::now() < end => {}
            _ => return Err(error),
        }
        pause_for(RETRY);
    }
}

fn is_gone(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// Gives the owner every right to this directory and all below it.
///
/// A directory without any right cannot be opened for reading, and `chmod` by name would follow a
/// link put in its place; so it is opened as a mere path, without following, and changed through
/// that descriptor.
fn open_up<P: rustix::path::Arg>(parent: std::os::fd::BorrowedFd<'_>, name: P) -> io::Result<()> {
    let handle = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = openat(parent, name, handle, Mode::empty())?;
    let by_descriptor = format!("/proc/self/fd/{}", directory.as_raw_fd());
    let mode = Mode::from_raw_mode(fstat(&directory)?.st_mode) | Mode::RWXU;
    rustix::fs::chmod(by_descriptor.as_str(), mode)?;
    for name in subdirectories(&directory)? {
        open_up(directory.as_fd(), name.as_c_str())?;
    }
    Ok(())
}

fn subdirectories(directory: &OwnedFd) -> io::Result<Vec<std::ffi::CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory_for_reading(directory)?)? {
        let entry = entry?;
        let is_dots = matches!(entry.file_name().to_bytes(), b"." | b"..");
        if entry.file_type() == FileType::Directory && !is_dots {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

fn directory_for_reading(handle: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(handle, c".", flags, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    const SHORT: Duration = Duration::from_secs(2);

    #[test]
    fn links_are_removed_and_what_they_point_to_stays() {
        let base = tempfile::tempdir().unwrap();
        let treasure = base.path().join("treasure");
        fs::create_dir(&treasure).unwrap();
        fs::write(treasure.join("gold"), "1").unwrap();
        let doomed = base.path().join("doomed");
        fs::create_dir(&doomed).unwrap();
        symlink(&treasure, doomed.join("link")).unwrap();
        remove_tree(&doomed, SHORT).unwrap();
        assert!(!doomed.exists());
        assert_eq!(fs::read_to_string(treasure.join("gold")).unwrap(), "1");
    }

    #[test]
    fn what_is_not_there_is_fine() {
        let base = tempfile::tempdir().unwrap();
        remove_tree(&base.path().join("nothing"), SHORT).unwrap();
    }

    #[test]
    fn opening_up_reaches_every_level_and_follows_no_link() {
        let base = tempfile::tempdir().unwrap();
        let outside = base.path().join("outside");
        let locked = base.path().join("doomed/locked");
        fs::create_dir(&outside).unwrap();
        fs::create_dir_all(locked.join("inner")).unwrap();
        symlink(&outside, locked.join("link")).unwrap();
        for (path, mode) in [
            (&locked.join("inner"), 0),
            (&locked, 0o500),
            (&outside, 0o500),
        ] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        open_up(CWD.as_fd(), base.path().join("doomed")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&locked), 0o700);
        assert_eq!(mode(&locked.join("inner")), 0o700);
        assert_eq!(mode(&outside), 0o500);
        remove_tree(&base.path().join("doomed"), SHORT).unwrap();
        assert!(!locked.exists());
    }
}
