//! What is compared: ways to have browsers, each as its users have it.

use std::io;

use super::pages::Target;

/// A way to have browsers.
pub(super) trait Peer {
    /// Somebody who wants a browser of their own, and has none yet.
    fn connect(&self) -> io::Result<Box<dyn Caller>>;

    /// The process that all others of it are below.
    fn root(&self) -> u32;
}

/// Somebody with a session of their own, which the first navigation begins.
pub(super) trait Caller: Send {
    /// Goes to a page and waits until it is there.
    fn navigate(&mut self, target: &Target) -> io::Result<()>;

    /// Goes to a page and sees what is on it, with as few calls as that takes.
    fn arrive(&mut self, target: &Target) -> io::Result<()>;

    /// Has the page say what is on it; the answer must hold what only all of the page holds.
    fn snapshot(&mut self, target: &Target) -> io::Result<()>;

    /// Has the page multiply.
    fn evaluate(&mut self) -> io::Result<()>;

    /// Ends the session.
    fn leave(self: Box<Self>) -> io::Result<()>;
}

/// An answer that is not what was asked for is no measurement.
pub(super) fn expect(answer: &str, holds: &str) -> io::Result<()> {
    if answer.contains(holds) {
        return Ok(());
    }
    let beginning: String = answer.chars().take(400).collect();
    let text = format!("an answer without {holds:?}: {beginning}");
    Err(io::Error::other(text))
}
