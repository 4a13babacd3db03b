//! Where the tabs of a world stand, as text and as data.

use crate::call::{PageInfo, Reply, TabInfo};
use futures_util::future::join_all;

use super::draft::{Answer, Shown};
use super::header;
use super::text::Text;
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::events::Modal;
use crate::native::page::Page;

/// Where the tabs of a world stand.
pub(super) struct Standing {
    page: Option<Page>,
    /// Where the current tab stands.
    info: Option<PageInfo>,
    pub(super) tabs: Vec<TabInfo>,
    modals: Vec<String>,
    /// Whether anything is new since the last answer.
    is_new: bool,
}

impl Standing {
    pub(super) async fn of(room: &Room, page: Option<Page>, deadline: Deadline) -> Self {
        let looks = room.tabs().list().into_iter().map(|page| async move {
            (page.target().clone(), header::look(&page, deadline).await)
        });
        let pages = join_all(looks).await;
        let current = page.as_ref().map(Page::target);
        let mut infos = pages.iter();
        let info = infos.find_map(|(target, info)| (Some(target) == current).then(|| info.clone()));
        Self {
            tabs: header::tabs(&pages, current),
            is_new: room.note_headers(&pages),
            modals: page.as_ref().map(modal_lines).unwrap_or_default(),
            info,
            page,
        }
    }

    /// Adds what there is to say: where the page stands, if that is new or nothing else is said,
    /// and what blocks it.
    pub(super) fn tell(&self, answer: &Answer, text: &mut Text) {
        let is_told = (self.is_new && !answer.lists_tabs) || text.is_empty();
        if let Some(info) = &self.info
            && (is_told || answer.shown != Shown::Nothing)
        {
            // A page that is shown stands among its tabs, even below a list of them.
            if self.tabs.len() != 1 && (!answer.lists_tabs || answer.shown != Shown::Nothing) {
                text.section("Open tabs", &super::list_tabs(&self.tabs));
            }
            let status = self.page.as_ref().map(status_text).unwrap_or_default();
            text.section("Page", &header::lines(info, &status));
        }
        text.section("Modal state", &self.modals);
    }

    /// The same as data.
    pub(super) fn reply(self, answer: &Answer) -> Reply {
        let lists_tabs = answer.lists_tabs || self.tabs.len() != 1;
        Reply {
            page: self.info,
            tabs: if lists_tabs { self.tabs } else { Vec::new() },
            modal: (!self.modals.is_empty()).then(|| self.modals.join("\n")),
            ..Reply::default()
        }
    }
}

fn status_text(page: &Page) -> String {
    page.read(|books| {
        let status = books.journal.status.as_ref();
        status.map_or_else(String::new, |(_, text)| text.clone())
    })
}

fn modal_lines(page: &Page) -> Vec<String> {
    page.read(|books| books.journal.modals().iter().map(Modal::line).collect())
}
