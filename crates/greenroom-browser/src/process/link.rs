//! A short name for a run's directory.
//!
//! Programs put sockets into their temporary directory, and the path of a socket may have 107
//! bytes at most. Chromium adds 45 of its own and ends at once when that is too many, which a
//! data directory below a home directory makes certain. So children see their temporary
//! directory through a link in /tmp.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::marker::UniqueId;

/// Enough of an id to be alone in /tmp.
const NAME_LENGTH: usize = 12;

/// A name that nobody has. It is recorded before it is made, so that a sweep can find it.
pub(super) fn choose() -> io::Result<PathBuf> {
    let id = UniqueId::fresh()?;
    Ok(Path::new("/tmp").join(format!("gr-{}", &id.as_str()[..NAME_LENGTH])))
}

/// Makes the link.
pub(super) fn make(link: &Path, run: &Path) -> io::Result<()> {
    symlink(run, link)
}

/// Removes the link, but only if it is still a link to that run.
pub(super) fn remove(link: &Path, run: &Path) {
    if fs::read_link(link).is_ok_and(|target| target == run) {
        // If somebody else was quicker, the better.
        let _ = fs::remove_file(link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_link_to_that_run_is_removed() {
        let base = tempfile::tempdir().unwrap();
        let (link, file) = (base.path().join("link"), base.path().join("file"));
        make(&link, Path::new("/runs/a")).unwrap();
        fs::write(&file, "").unwrap();
        remove(&link, Path::new("/runs/b"));
        remove(&file, Path::new("/runs/a"));
        assert!(fs::symlink_metadata(&link).is_ok() && file.exists());
        remove(&link, Path::new("/runs/a"));
        assert!(fs::symlink_metadata(&link).is_err());
    }

    #[test]
    fn chromium_fits_its_socket_below_the_longest_temporary_directory() {
        let longest_child = format!("{}-{}", "L".repeat(24), 999_999);
        let tmp = choose().unwrap().join(longest_child).join("tmp");
        let socket = tmp.join("org.chromium.Chromium.XXXXXX/SingletonSocket");
        assert!(socket.as_os_str().len() <= 107, "{}", socket.display());
    }
}
