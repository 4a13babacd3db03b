//! Opening and closing tabs.

use std::time::Duration;

use super::Room;
use crate::native::deadline::Deadline;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::TargetId;
use crate::native::protocol::page::BringToFront;

/// How long a window that a page has opened may take to be here.
const POPUP: Duration = Duration::from_secs(1);

impl Room {
    /// The tab that tools act on: the current one, or a new one if there is none.
    pub(crate) async fn ensure_tab(&self, deadline: Deadline) -> Result<Page, ToolError> {
        match self.tabs().current() {
            Some(current) => Ok(current),
            None => self.new_tab(deadline).await,
        }
    }

    /// Puts a blank tab in the place of the current one if that has crashed. Says whether it has.
    pub(super) async fn replace_crashed(&self, deadline: Deadline) -> Result<bool, ToolError> {
        let Some(crashed) = self.tabs().current().filter(Page::is_crashed) else {
            return Ok(false);
        };
        self.new_tab(deadline).await?;
        self.close_tab(&crashed, deadline).await?;
        Ok(true)
    }

    /// Opens a blank tab, which tools act on from here on.
    pub(crate) async fn new_tab(&self, deadline: Deadline) -> Result<Page, ToolError> {
        let opening = async {
            let target = {
                let place = self.place().read().await;
                let place = place.as_ref().ok_or(ToolError::PageClosed)?;
                place.open("about:blank").await?
            };
            let opened = self.tabs().opened(|page| *page.target() == target).await;
            opened.ok_or(ToolError::PageClosed)
        };
        let page = deadline.limit(opening).await.unwrap_or_else(|| {
            Err(ToolError::Waited {
                what: "a new tab".to_owned(),
                after: deadline.whole(),
                hint: "The browser is busy; try again.".to_owned(),
            })
        })?;
        self.tabs().select(page.target());
        Ok(page)
    }

    /// Closes a tab without asking it.
    pub(crate) async fn close_tab(&self, page: &Page, deadline: Deadline) -> Result<(), ToolError> {
        let place = self.place().read().await;
        let place = place.as_ref().ok_or(ToolError::PageClosed)?;
        place.close(page.target().clone(), deadline.left()).await?;
        deadline.limit(self.tabs().closed(page.target())).await;
        Ok(())
    }

    /// Has tools act on a tab, and shows it.
    pub(crate) async fn show_tab(&self, page: &Page, deadline: Deadline) -> Result<(), ToolError> {
        self.tabs().select(page.target());
        page.session()
            .call_within(deadline.left(), BringToFront {})
            .await?;
        Ok(())
    }

    /// Waits for the windows that a page has opened since there were `before`, so that an answer
    /// can tell of them. One that does not come was refused.
    pub(crate) async fn popups(&self, opener: &Page, before: &Popups, deadline: Deadline) {
        let wanted = before.tabs.len() as u64 + (opener.popups() - before.count);
        let ours = |pages: &[Page]| count_of(pages, opener.target()) as u64;
        if opener.popups() == before.count {
            return;
        }
        let here = async {
            loop {
                let known = self.tabs().list();
                if ours(&known) >= wanted {
                    return;
                }
                let is_new = |page: &Page| {
                    page.opener() == Some(opener.target())
                        && known.iter().all(|other| other.target() != page.target())
                };
                self.tabs().opened(is_new).await;
            }
        };
        deadline.at_most(POPUP).limit(here).await;
    }

    /// The windows that a page has opened so far.
    pub(crate) fn popups_of(&self, opener: &Page) -> Popups {
        let all = self.tabs().list();
        let ours = all
            .iter()
            .filter(|page| page.opener() == Some(opener.target()));
        Popups {
            count: opener.popups(),
            tabs: ours.map(|page| page.target().clone()).collect(),
        }
    }
}

/// The windows of a page at some moment: how often it has opened one, and those that are here.
#[derive(Debug)]
pub(crate) struct Popups {
    count: u64,
    tabs: Vec<TargetId>,
}

fn count_of(pages: &[Page], opener: &TargetId) -> usize {
    pages
        .iter()
        .filter(|page| page.opener() == Some(opener))
        .count()
}
