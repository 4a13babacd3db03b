//! Calls of several steps, which something may come in between of.
//!
//! A dialog or a file chooser is for the agent to answer, and whatever it answers may change what
//! the rest of the call was for. So the rest is left, and the answer says what is left.

use crate::native::deadline::Deadline;
use crate::native::events::Modal;
use crate::native::page::Page;

/// The steps of one call on one page.
#[derive(Debug)]
pub(super) struct Steps {
    page: Page,
    /// How often something had blocked the page before the first step.
    blocked: u64,
}

impl Steps {
    pub(super) fn begin(page: &Page) -> Self {
        Self {
            page: page.clone(),
            blocked: page.read(|books| books.journal.blocked()),
        }
    }

    /// Whether the next step may be taken: nothing has blocked the page since the first, not even
    /// what was answered already.
    pub(super) async fn may_go_on(&self, deadline: Deadline) -> bool {
        self.page.catch_up(deadline).await;
        self.page.read(|books| books.journal.blocked()) == self.blocked
    }

    /// What to tell the agent: what came up, what is left, and how to go on.
    pub(super) fn stopped(&self, left: &str) -> String {
        let (what, advice) = match self.page.modal() {
            Some(modal) if !modal.blocks_scripts() => ("file chooser", answer_first(&modal)),
            Some(modal) => ("dialog", answer_first(&modal)),
            None => ("dialog", "Take a snapshot, then do it".to_owned()),
        };
        format!(
            "A {what} came up before all was done. Not done: {left}. {advice} if it is still wanted."
        )
    }
}

fn answer_first(modal: &Modal) -> String {
    format!("Call {} first, then do it", modal.handled_by())
}
