//! Who has a profile open, by the link that Chromium leaves in it.
//!
//! The link names a host and a process. It outlives a crash, and then keeps every later browser
//! out; but as long as its owner lives it is all that keeps two browsers from ruining the profile.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::process::Identity;

const LINK: &str = "SingletonLock";
/// What belongs to the same process.
const LINKS: [&str; 3] = [LINK, "SingletonCookie", "SingletonSocket"];

/// What browsers of the family call their processes; the system cuts names at 15 letters.
const NAMES: &[&str] = &["chrom", "headless", "msedge", "brave", "opera", "vivaldi"];

/// Who has a profile open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nobody.
    Nobody,
    /// A browser that has ended without closing it.
    Dead,
    /// A browser that runs here.
    Process { pid: i32, name: String },
    /// A browser on another host, of which nothing is known from here.
    Elsewhere { host: String, pid: i32 },
}

/// Looks who has the profile open.
pub(super) fn of(profile: &Path) -> io::Result<Owner> {
    let link = match fs::read_link(profile.join(LINK)) {
        Ok(link) => link,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Owner::Nobody),
        Err(error) => return Err(error),
    };
    let host = rustix::system::uname();
    Ok(judge(
        &link.to_string_lossy(),
        &host.nodename().to_string_lossy(),
    ))
}

/// A link that cannot be read was made by no browser that could still be asked.
fn judge(link: &str, this_host: &str) -> Owner {
    let named = link.rsplit_once('-');
    let Some((host, Ok(pid))) = named.map(|(host, pid)| (host, pid.parse::<i32>())) else {
        return Owner::Dead;
    };
    if host != this_host {
        let host = host.to_owned();
        return Owner::Elsewhere { host, pid };
    }
    if !Identity::of(pid).is_some_and(Identity::is_running) {
        return Owner::Dead;
    }
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let name = name.trim().to_owned();
    // Process numbers are used again: a process that is no browser has nothing to do with it.
    if NAMES.iter().any(|part| name.to_lowercase().contains(part)) {
        Owner::Process { pid, name }
    } else {
        Owner::Dead
    }
}

/// Removes what a browser that has ended left behind.
pub(super) fn remove_links(profile: &Path) -> io::Result<()> {
    for name in LINKS {
        match fs::remove_file(profile.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_alive_only_if_it_is_a_browser_that_runs_here() {
        let me = std::process::id();
        let table = [
            (format!("here-{}", i32::MAX), Owner::Dead),
            // This very process runs, and is no browser.
            (format!("here-{me}"), Owner::Dead),
            ("nonsense".to_owned(), Owner::Dead),
            ("a-word".to_owned(), Owner::Dead),
            (
                "other-host-12".to_owned(),
                Owner::Elsewhere {
                    host: "other-host".into(),
                    pid: 12,
                },
            ),
        ];
        for (link, expected) in table {
            assert_eq!(judge(&link, "here"), expected, "{link}");
        }
    }

    #[test]
    fn a_profile_without_the_link_belongs_to_nobody() {
        let profile = tempfile::tempdir().unwrap();
        assert_eq!(of(profile.path()).unwrap(), Owner::Nobody);
        std::os::unix::fs::symlink("x-1", profile.path().join(LINK)).unwrap();
        assert!(matches!(
            of(profile.path()).unwrap(),
            Owner::Elsewhere { .. }
        ));
        remove_links(profile.path()).unwrap();
        assert_eq!(of(profile.path()).unwrap(), Owner::Nobody);
    }
}
