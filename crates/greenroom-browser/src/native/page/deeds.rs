//! What the call at work on a page has begun to do, in lines of code.
//!
//! A dialog ends the wait for a call before the call itself is over. The agent is told at once what
//! was begun, and not once more when the call comes to its end.

use std::sync::PoisonError;

use super::Page;

/// The lines of the call that has the page's turn.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    lines: Vec<String>,
    /// How many of them the agent knows of.
    told: usize,
}

impl Page {
    /// Another call is at work from here on.
    pub(crate) fn forget_deeds(&self) {
        self.with_deeds(|deeds| *deeds = Deeds::default());
    }

    /// The call at work is about to do this.
    pub(crate) fn about_to(&self, lines: &[String]) {
        self.with_deeds(|deeds| deeds.lines.extend_from_slice(lines));
    }

    /// What was begun that the agent does not know of yet. It does then.
    pub(crate) fn tell_deeds(&self) -> Vec<String> {
        self.with_deeds(|deeds| {
            let news = deeds.lines[deeds.told..].to_vec();
            deeds.told = deeds.lines.len();
            news
        })
    }

    /// How many of the lines of the call at work the agent knows of.
    pub(crate) fn told_deeds(&self) -> usize {
        self.with_deeds(|deeds| deeds.told)
    }

    fn with_deeds<T>(&self, change: impl FnOnce(&mut Deeds) -> T) -> T {
        change(&mut self.0.deeds.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
