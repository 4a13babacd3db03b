//! Waiting on a blocking thread.

use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};

/// Blocks until one of the descriptors is ready or the time has passed.
pub(super) fn pause(fds: &mut [PollFd<'_>], longest: Duration) {
    let timeout = Timespec {
        tv_sec: longest.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: longest.subsec_nanos().into(),
    };
    // An interrupted wait is a shorter wait: every caller looks again and decides anew.
    let _ = poll(fds, Some(&timeout));
}

/// Blocks for this long.
pub(super) fn pause_for(time: Duration) {
    pause(&mut [], time);
}
