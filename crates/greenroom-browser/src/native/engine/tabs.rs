//! The tabs of a world, and which one tools act on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, watch};

use crate::native::browser::{Tab, TabEvent};
use crate::native::page::{DocumentNumbers, Page};
use crate::native::protocol::TargetId;

/// The tabs of a world. Clones are the same tabs.
#[derive(Debug, Clone)]
pub(crate) struct Tabs(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    list: Mutex<List>,
    /// Told whenever a tab comes or goes.
    news: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct List {
    pages: Vec<Page>,
    current: Option<TargetId>,
}

impl Tabs {
    /// Follows the tabs of a world for as long as it lives.
    pub(super) fn follow(first: Tab, mut events: mpsc::Receiver<TabEvent>) -> Self {
        let tabs = Self(Arc::new(Inner {
            list: Mutex::default(),
            news: watch::Sender::new(()),
        }));
        let numbers = DocumentNumbers::default();
        tabs.add(Page::follow(first, numbers.clone()));
        let followed = tabs.clone();
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                match event {
                    TabEvent::Opened(tab) => followed.add(Page::follow(*tab, numbers.clone())),
                    TabEvent::Closed(target) => followed.remove(&target),
                    TabEvent::Changed(_) => {}
                }
            }
        });
        tabs
    }

    fn add(&self, page: Page) {
        let mut list = self.lock();
        list.current.get_or_insert_with(|| page.target().clone());
        list.pages.push(page);
        drop(list);
        self.0.news.send_replace(());
    }

    fn remove(&self, target: &TargetId) {
        let mut list = self.lock();
        if let Some(at) = list.position(target) {
            list.pages.remove(at);
            if list.current.as_ref() == Some(target) {
                let last = list.pages.len().checked_sub(1);
                let next = last.map(|last| list.pages[at.min(last)].target().clone());
                list.current = next;
            }
        }
        drop(list);
        self.0.news.send_replace(());
    }

    /// All tabs in the order in which they came.
    pub(crate) fn list(&self) -> Vec<Page> {
        self.lock().pages.clone()
    }

    /// The tab that tools act on.
    pub(crate) fn current(&self) -> Option<Page> {
        let list = self.lock();
        let at = list.position(list.current.as_ref()?)?;
        list.pages.get(at).cloned()
    }

    /// Has tools act on a tab from here on.
    pub(crate) fn select(&self, target: &TargetId) {
        self.lock().current = Some(target.clone());
        self.0.news.send_replace(());
    }

    /// Waits until tools act on another tab than this.
    pub(crate) async fn another_is_current(&self, page: Option<&Page>) {
        let known = page.map(Page::target);
        self.until(|list| (list.current.as_ref() != known).then_some(()))
            .await;
    }

    /// Waits for a tab to come.
    pub(crate) async fn opened(&self, is_meant: impl Fn(&Page) -> bool) -> Option<Page> {
        self.until(|list| list.pages.iter().find(|page| is_meant(page)).cloned())
            .await
    }

    /// Waits for a tab to be gone.
    pub(crate) async fn closed(&self, target: &TargetId) {
        self.until(|list| list.position(target).is_none().then_some(()))
            .await;
    }

    async fn until<T>(&self, look: impl Fn(&List) -> Option<T>) -> Option<T> {
        let mut news = self.0.news.subscribe();
        loop {
            news.borrow_and_update();
            if let Some(found) = look(&self.lock()) {
                return Some(found);
            }
            news.changed().await.ok()?;
        }
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn position(&self, target: &TargetId) -> Option<usize> {
        self.pages.iter().position(|page| page.target() == target)
    }
}
