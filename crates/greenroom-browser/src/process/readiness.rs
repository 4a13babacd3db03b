//! Waiting for a descriptor to become readable.

use std::io;
use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Registers a descriptor with the runtime.
#[allow(
    unsafe_code,
    reason = "the runtime has to be promised that the descriptor stays the same"
)]
pub(super) fn of(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open, always names the same descriptor, and is closed only by its
    // owner, which from here on is the `AsyncFd` itself.
    let registered = unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) };
    Ok(registered?)
}
