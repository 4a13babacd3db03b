//! All that a page has told of, in one place.

use super::{ConsoleLog, Dialog, Downloads, Modal, NetworkLog};
use crate::native::protocol::LoaderId;

/// The journal of a page.
#[derive(Debug, Default)]
pub struct Journal {
    /// Its console.
    pub console: ConsoleLog,
    /// Its requests.
    pub network: NetworkLog,
    /// Its downloads.
    pub downloads: Downloads,
    /// The status of its document, with the words for it.
    pub status: Option<(u16, String)>,
    modals: Vec<Modal>,
    /// How often something has blocked the page.
    blocked: u64,
    /// How often the page has opened a window.
    pub(crate) popups: u64,
}

impl Journal {
    /// What blocks the page, the newest last.
    pub fn modals(&self) -> &[Modal] {
        &self.modals
    }

    pub(crate) fn opened(&mut self, modal: Modal) {
        // A page has one dialog at a time; of choosers, only the newest can be answered.
        let is_dialog = modal.blocks_scripts();
        self.modals
            .retain(|other| other.blocks_scripts() != is_dialog);
        self.modals.push(modal);
        self.blocked += 1;
    }

    /// How often something has blocked the page so far.
    pub(crate) fn blocked(&self) -> u64 {
        self.blocked
    }

    pub(crate) fn dialog_closed(&mut self) {
        self.modals.retain(|modal| !modal.blocks_scripts());
    }

    pub(crate) fn take_chooser(&mut self) -> Option<super::Chooser> {
        let at = self
            .modals
            .iter()
            .position(|modal| !modal.blocks_scripts())?;
        match self.modals.remove(at) {
            Modal::Chooser(chooser) => Some(chooser),
            Modal::Dialog(_) => None,
        }
    }

    /// The dialog that is open.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.modals.iter().find_map(|modal| match modal {
            Modal::Dialog(dialog) => Some(dialog),
            Modal::Chooser(_) => None,
        })
    }

    /// The page has another document: what belonged to the last one is gone.
    pub(crate) fn loaded(&mut self, loader: &LoaderId) {
        self.console.loaded();
        self.network.loaded(loader);
        self.modals.clear();
    }

    /// The page is being sent somewhere: what was gathered is of no interest any more.
    pub(crate) fn sent_elsewhere(&mut self) {
        self.network.clear();
        self.status = None;
    }
}
