//! Passing open descriptors to a child under fixed numbers.
//!
//! Chromium's debugging pipe is a pair of descriptors that the browser expects as 3 and 4. The
//! numbers may be taken in the parent, also by the very descriptors that are to be passed, so
//! each is first moved above all targets and put in its place only in the child.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::{fs, io};

use rustix::io::{dup2, fcntl_dupfd_cloexec};

use crate::Error;

/// Descriptors from here on are never targets.
const ABOVE_TARGETS: RawFd = 10;

/// Descriptors on their way into a child.
#[derive(Debug, Default)]
pub(super) struct Passed {
    moves: Vec<(OwnedFd, RawFd)>,
}

impl Passed {
    /// Takes the descriptors out of the way of all targets.
    pub(super) fn new(wanted: Vec<(OwnedFd, RawFd)>) -> Result<Self, Error> {
        let mut moves: Vec<(OwnedFd, RawFd)> = Vec::with_capacity(wanted.len());
        for (fd, target) in wanted {
            let taken = moves.iter().any(|(_, other)| *other == target);
            if taken || !(3..ABOVE_TARGETS).contains(&target) {
                return Err(Error::PassedDescriptor { target });
            }
            let high = fcntl_dupfd_cloexec(&fd, ABOVE_TARGETS)
                .map_err(|_| Error::PassedDescriptor { target })?;
            moves.push((high, target));
        }
        Ok(Self { moves })
    }

    /// Arranges for the child to find them under their numbers.
    pub(super) fn into_command(self, command: &mut Command) -> io::Result<Plugs> {
        if self.moves.is_empty() {
            return Ok(Plugs(Vec::new()));
        }
        place_before_exec(command, self.moves);
        Plugs::new()
    }
}

/// Keeps the targets occupied in the parent until the child has been started.
///
/// The standard library reports a failed exec through a descriptor of its own. Were one of the
/// targets free, that descriptor could get its number, and the child would overwrite it.
#[derive(Debug)]
pub(super) struct Plugs(#[expect(dead_code, reason = "held, not used")] Vec<fs::File>);

impl Plugs {
    fn new() -> io::Result<Self> {
        let mut plugs = Vec::new();
        loop {
            let plug = fs::File::open("/dev/null")?;
            if plug.as_raw_fd() >= ABOVE_TARGETS {
                return Ok(Self(plugs));
            }
            plugs.push(plug);
        }
    }
}

#[allow(
    unsafe_code,
    reason = "code between fork and exec is unsafe by its nature"
)]
fn place_before_exec(command: &mut Command, moves: Vec<(OwnedFd, RawFd)>) {
    let place = move || {
        for (high, target) in &moves {
            // SAFETY: in the child the number is ours to overwrite, whatever it was (see
            // `Plugs`), and `ManuallyDrop` keeps it open for the program to come.
            let mut slot = ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(*target) });
            // The copy does not close on exec, and it differs from its origin, which does.
            dup2(high.as_fd(), &mut slot)?;
        }
        Ok(())
    };
    // SAFETY: the closure only makes dup2 system calls: it neither allocates nor takes a lock.
    unsafe { command.pre_exec(place) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_to_nine_and_each_once() {
        let null = || OwnedFd::from(fs::File::open("/dev/null").unwrap());
        for target in [-1, 0, 2, 10, 1000] {
            let refused = Passed::new(vec![(null(), target)]).unwrap_err();
            assert!(matches!(refused, Error::PassedDescriptor { target: t } if t == target));
        }
        assert!(Passed::new(vec![(null(), 3), (null(), 3)]).is_err());
        assert!(Passed::new(vec![(null(), 3), (null(), 9)]).is_ok());
    }
}
