//! What is known of a page.

use super::frames::Frames;
use crate::native::events::{Journal, Modal};

/// The books of a page: written by those who follow it, read by everybody.
#[derive(Debug)]
pub(crate) struct Books {
    pub(crate) frames: Frames,
    pub(crate) journal: Journal,
    /// The process of the page has ended.
    pub(crate) is_crashed: bool,
    /// The page has closed.
    pub(crate) is_closed: bool,
}

impl Books {
    pub(super) fn new(frames: Frames) -> Self {
        Self {
            frames,
            journal: Journal::default(),
            is_crashed: false,
            is_closed: false,
        }
    }

    /// What blocks the page, if anything does: a dialog before a file chooser.
    pub(crate) fn modal(&self) -> Option<&Modal> {
        let modals = self.journal.modals();
        let dialog = modals.iter().find(|modal| modal.blocks_scripts());
        dialog.or_else(|| modals.first())
    }
}
