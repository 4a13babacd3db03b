//! The variables by which a process of ours is recognised.
//!
//! Children inherit their parent's environment, so a marker reaches descendants that left their
//! process group, their session and their parent. It is not enough alone: a process may start
//! another with an empty environment, may overwrite its own (Chromium does, to set its title), or
//! may be closed to inspection. See [`super::family`] for the other signs.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::time::Duration;

use rustix::rand::{GetRandomFlags, getrandom};

use super::identity::{is_dead, stat_of};
use super::pause::pause_for;

/// Names the run: all children of one Greenroom process share it.
pub const RUN_VARIABLE: &str = "GREENROOM_RUN";
/// Names the child: its descendants share it.
pub const CHILD_VARIABLE: &str = "GREENROOM_CHILD";

const ID_BYTES: usize = 16;

/// Exec takes well under a millisecond, unless the program comes from a slow disk.
const EXEC_PAUSE: Duration = Duration::from_millis(1);
const EXEC_ATTEMPTS: usize = 50;

/// `PF_KTHREAD` of the kernel.
const KERNEL_THREAD: u32 = 0x0020_0000;

/// An id that nobody can guess and that no two runs or children share.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UniqueId(String);

impl UniqueId {
    /// A fresh id of 128 random bits.
    pub(super) fn fresh() -> io::Result<Self> {
        let mut bytes = [0_u8; ID_BYTES];
        getrandom(&mut bytes, GetRandomFlags::empty())?;
        Ok(Self(bytes.iter().map(|b| format!("{b:02x}")).collect()))
    }

    /// Reads an id back; anything that [`UniqueId::fresh`] cannot have made is refused.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let valid = text.len() == ID_BYTES * 2 && text.bytes().all(lower_hex);
        valid.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One marker variable with its value.
#[derive(Debug, Clone)]
pub(super) struct Marker {
    name: &'static str,
    id: UniqueId,
}

impl Marker {
    pub(super) fn run(id: &UniqueId) -> Self {
        Self {
            name: RUN_VARIABLE,
            id: id.clone(),
        }
    }

    pub(super) fn child(id: &UniqueId) -> Self {
        Self {
            name: CHILD_VARIABLE,
            id: id.clone(),
        }
    }

    pub(super) fn variable(&self) -> (OsString, OsString) {
        (self.name.into(), OsStr::new(self.id.as_str()).into())
    }

    /// Whether the process has this marker. One that may not be looked at, or is gone, has not.
    pub(super) fn is_on(&self, pid: i32) -> bool {
        environment_of(pid).is_some_and(|environment| self.is_in(&environment))
    }

    fn is_in(&self, environment: &[u8]) -> bool {
        let wanted = format!("{}={}", self.name, self.id);
        environment
            .split(|b| *b == 0)
            .any(|variable| variable == wanted.as_bytes())
    }
}

/// The environment with which a process began.
///
/// A process in the middle of exec shows none yet, and would be taken for a stranger at the very
/// moment at which a tree forks most. It is given a moment to get on.
fn environment_of(pid: i32) -> Option<Vec<u8>> {
    for _ in 0..EXEC_ATTEMPTS {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        if !environment.is_empty() || !is_beginning(pid) {
            return Some(environment);
        }
        pause_for(EXEC_PAUSE);
    }
    None
}

/// Whether a process that just showed no environment has none yet, or has got one since. The
/// others have an empty one for good; kernel threads have not even that.
fn is_beginning(pid: i32) -> bool {
    stat_of(pid).is_some_and(|stat| {
        let is_kernel_thread = stat.flags & KERNEL_THREAD != 0;
        let has_none_yet = stat.env_end == Some(0);
        let has_one_by_now = stat.env_start < stat.env_end;
        !is_kernel_thread && !is_dead(&stat) && (has_none_yet || has_one_by_now)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_read_back_and_nothing_else_does() {
        let (a, b) = (UniqueId::fresh().unwrap(), UniqueId::fresh().unwrap());
        assert_ne!(a, b);
        assert_eq!(UniqueId::parse(a.as_str()), Some(a.clone()));
        for bad in [
            "",
            "..",
            "old-run",
            &a.as_str()[1..],
            &a.as_str().replace(|_| true, "G"),
        ] {
            assert_eq!(UniqueId::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_marker_is_found_as_a_whole_variable_only() {
        let marker = Marker::run(&UniqueId::parse(&"a".repeat(32)).unwrap());
        let id = "a".repeat(32);
        let table = [
            (format!("PATH=/bin\0GREENROOM_RUN={id}\0"), true),
            (format!("GREENROOM_RUN={id}"), true),
            (format!("GREENROOM_RUN={id}b\0"), false),
            (format!("X_GREENROOM_RUN={id}\0"), false),
            (format!("GREENROOM_CHILD={id}\0"), false),
            (String::new(), false),
        ];
        for (environment, expected) in table {
            assert_eq!(
                marker.is_in(environment.as_bytes()),
                expected,
                "{environment:?}"
            );
        }
    }
}
