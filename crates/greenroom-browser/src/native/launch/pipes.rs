//! The two pipes between us and the browser.

use std::io;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use tokio::net::unix::pipe::{Receiver, Sender};

/// Where Chromium reads commands.
pub(super) const COMMANDS: i32 = 3;
/// Where Chromium writes replies and events.
pub(super) const REPLIES: i32 = 4;

/// A picture is some hundred kilobytes: through a wide pipe it needs fewer turns of both sides.
const WIDTH: usize = 1 << 20;

/// Both pipes, with the ends that the browser gets.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) commands: Sender,
    pub(super) replies: Receiver,
    pub(super) their_commands: OwnedFd,
    pub(super) their_replies: OwnedFd,
}

impl Pipes {
    pub(super) fn new() -> io::Result<Self> {
        let (their_commands, commands) = pipe_with(PipeFlags::CLOEXEC)?;
        let (replies, their_replies) = pipe_with(PipeFlags::CLOEXEC)?;
        // The system bounds how much a user may have of this; the usual width does as well.
        let _ = fcntl_setpipe_size(&replies, WIDTH);
        Ok(Self {
            commands: Sender::from_owned_fd(commands)?,
            replies: Receiver::from_owned_fd(replies)?,
            their_commands,
            their_replies,
        })
    }
}
