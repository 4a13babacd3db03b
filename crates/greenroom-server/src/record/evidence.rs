//! What a call leaves for the record beside its answer.

use bytes::Bytes;
use greenroom_browser::call::{ConsoleEntry, PageInfo, Reply, ReplyFile};

use crate::service::Answer;
use crate::session::SessionId;

/// Where a call ran and what its browser said there.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) session: Option<SessionId>,
    pub(crate) pool: Option<String>,
    pub(crate) instance: Option<String>,
    /// The exact bytes of the engine's result.
    pub(crate) raw: Option<Bytes>,
    pub(crate) snapshot: Option<String>,
    pub(crate) console: Vec<ConsoleEntry>,
    pub(crate) page: Option<PageInfo>,
    /// Which tab the page is in, by its place.
    pub(crate) tab: Option<usize>,
    pub(crate) files: Vec<ReplyFile>,
}

impl Evidence {
    /// Takes what a reply says beside its content. Of several replies the last one says where the
    /// page stands; console messages and files add up.
    pub(crate) fn take(&mut self, reply: &mut Reply) {
        self.console.append(&mut reply.console);
        self.files.append(&mut reply.files);
        if let Some(snapshot) = reply.snapshot.take() {
            self.snapshot = Some(snapshot);
        }
        if let Some(page) = reply.page.take() {
            self.page = Some(page);
        }
        if let Some(tab) = reply.tabs.iter().find(|tab| tab.current) {
            self.tab = Some(tab.index);
        }
    }

    /// The place of the page among what one reader may look at. Outside of sessions every instance
    /// has tabs of its own.
    pub(super) fn place(&self) -> String {
        let tab = self.tab.unwrap_or_default();
        match (&self.session, &self.pool, &self.instance) {
            (None, Some(pool), Some(instance)) => format!("{pool}/{instance}/{tab}"),
            _ => tab.to_string(),
        }
    }
}

/// A call that has run, one way or another.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) answer: Answer,
    pub(crate) evidence: Evidence,
}

impl From<Answer> for Ran {
    fn from(answer: Answer) -> Self {
        Self {
            answer,
            evidence: Evidence::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use greenroom_browser::call::TabInfo;

    use super::*;

    #[test]
    fn the_last_page_counts_and_files_and_messages_add_up() {
        let page = |url: &str| PageInfo {
            url: url.to_owned(),
            ..PageInfo::default()
        };
        let file = |name: &str| ReplyFile {
            title: String::new(),
            name: name.to_owned(),
            mime_type: "text/plain",
            bytes: Bytes::new(),
        };
        let mut evidence = Evidence::default();
        for (url, name) in [("http://a/", "one"), ("http://b/", "two")] {
            evidence.take(&mut Reply {
                page: Some(page(url)),
                files: vec![file(name)],
                ..Reply::default()
            });
        }
        evidence.take(&mut Reply::default());
        assert_eq!(evidence.page.unwrap().url, "http://b/");
        assert_eq!(evidence.files.len(), 2);
    }

    #[test]
    fn a_place_is_a_tab_of_the_session_or_of_the_instance() {
        let mut evidence = Evidence {
            pool: Some("WORK".to_owned()),
            instance: Some("0".to_owned()),
            ..Evidence::default()
        };
        evidence.take(&mut Reply {
            tabs: vec![TabInfo {
                index: 2,
                current: true,
                title: String::new(),
                url: String::new(),
                crashed: false,
            }],
            ..Reply::default()
        });
        assert_eq!(evidence.place(), "WORK/0/2");
        evidence.session = Some(SessionId::mint());
        assert_eq!(evidence.place(), "2");
    }
}
