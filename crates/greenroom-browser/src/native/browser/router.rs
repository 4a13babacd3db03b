//! Hands each page of a browser to the world that it belongs to.
//!
//! The browser tells of all pages on one session, and holds each new one up until it is let go: so
//! a popup is followed from its first script on. (Chromium holds windows that pages open up even
//! when it is told not to; whoever does not let them go leaves their opener in `window.open` for
//! ever.) They are let go here, at once and without anybody's consent: what a world does with a
//! page, and when, is its own business. A world that is flooded with popups and does not listen
//! has them closed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, error::TrySendError};

use super::settings::WorldSettings;
use super::tab::{self, Tab};
use crate::native::conn::{Event, Notice, Session};
use crate::native::error::CdpError;
use crate::native::protocol::runtime::RunIfWaitingForDebugger;
use crate::native::protocol::target::{
    AttachedToTarget, CloseTarget, DetachFromTarget, DetachedFromTarget, TargetInfo,
    TargetInfoChanged,
};
use crate::native::protocol::{ContextId, SessionId, TargetId};

/// How much may wait for a world to look. It is never full: pages are let in only while little
/// waits, new titles only while there is room besides, and each page that was let in ends once.
const INBOX: usize = 1024;
const ROOM_FOR_PAGES: usize = 256;
const ROOM_FOR_TITLES: usize = 512;

/// What happens to the pages of a world.
#[derive(Debug)]
pub enum TabEvent {
    /// A page has come, by us or by another page.
    Opened(Box<Tab>),
    /// A page has another address or title.
    Changed(Box<TargetInfo>),
    /// A page that was told of has gone.
    Closed(TargetId),
}

/// The worlds of one browser, by context.
#[derive(Debug)]
pub(super) struct Router {
    browser: Session,
    settings: WorldSettings,
    table: Mutex<Table>,
    /// Told whenever a page has gone.
    gone: Notify,
}

#[derive(Debug, Default)]
struct Table {
    worlds: HashMap<ContextId, mpsc::Sender<TabEvent>>,
    /// The world of the browser's own profile: pages of contexts that nobody made.
    profile: Option<mpsc::Sender<TabEvent>>,
    pages: HashMap<SessionId, Page>,
}

/// A page that lives, and whose it is: the news of its end names neither.
#[derive(Debug)]
struct Page {
    target: TargetId,
    context: Option<ContextId>,
    is_told: bool,
}

impl Router {
    /// Routes what the browser tells from here on until it ends.
    pub(super) fn start(browser: Session, settings: WorldSettings) -> Arc<Self> {
        let mut events = browser.events();
        let router = Arc::new(Self {
            browser,
            settings,
            table: Mutex::default(),
            gone: Notify::new(),
        });
        let routing = router.clone();
        tokio::spawn(async move {
            while let Some(notice) = events.next().await {
                match notice {
                    Notice::Event(event) => routing.route(&event),
                    Notice::Missed(missed) => {
                        tracing::warn!(?missed, "more pages come and go than can be followed");
                    }
                }
            }
            *routing.lock() = Table::default();
            routing.gone.notify_waiters();
        });
        router
    }

    /// From here on the pages of this context come here; without one, those of the profile.
    pub(super) fn register(&self, context: Option<&ContextId>) -> mpsc::Receiver<TabEvent> {
        let (sender, inbox) = mpsc::channel(INBOX);
        let mut table = self.lock();
        match context {
            Some(context) => drop(table.worlds.insert(context.clone(), sender)),
            None => table.profile = Some(sender),
        }
        inbox
    }

    pub(super) fn forget(&self, context: Option<&ContextId>) {
        let mut table = self.lock();
        match context {
            Some(context) => drop(table.worlds.remove(context)),
            None => table.profile = None,
        }
    }

    fn route(self: &Arc<Self>, event: &Event) {
        if let Some(attached) = event.read::<AttachedToTarget>() {
            self.attached(attached);
        } else if let Some(detached) = event.read::<DetachedFromTarget>() {
            self.detached(&detached.session_id);
        } else if let Some(changed) = event.read::<TargetInfoChanged>() {
            let info = changed.target_info;
            let context = info.browser_context_id.clone();
            let changed = TabEvent::Changed(Box::new(info));
            self.lock().tell(context.as_ref(), changed);
        }
    }

    fn attached(self: &Arc<Self>, attached: AttachedToTarget) {
        let context = attached.target_info.browser_context_id.as_ref();
        if !self.lock().is_ours(context) {
            return self.let_go(attached.session_id);
        }
        let page = Page {
            target: attached.target_info.target_id.clone(),
            context: attached.target_info.browser_context_id.clone(),
            is_told: false,
        };
        self.lock().pages.insert(attached.session_id.clone(), page);
        let router = self.clone();
        tokio::spawn(async move {
            let (session, target) = (
                attached.session_id.clone(),
                attached.target_info.target_id.clone(),
            );
            match router.furnish(attached).await {
                Ok(tab) => router.announce(&session, tab),
                Err(error) if error.is_page_gone() => {}
                Err(error) => {
                    tracing::warn!(%error, "closing a page that cannot be followed");
                    router.close(target);
                }
            }
        });
    }

    /// Leaves a page alone that is nobody's here: in a browser that runs elsewhere it is somebody
    /// else's.
    fn let_go(&self, session_id: SessionId) {
        let (browser, page) = (
            self.browser.clone(),
            self.browser.sibling(session_id.clone()),
        );
        tokio::spawn(async move {
            let _ = page.call(RunIfWaitingForDebugger {}).await;
            browser.call(DetachFromTarget { session_id }).await
        });
    }

    async fn furnish(&self, attached: AttachedToTarget) -> Result<Tab, CdpError> {
        let session = self.browser.sibling(attached.session_id);
        // Listening comes first: pages tell where they stand when they are asked to tell anything.
        let events = session.events();
        let frames = tab::furnish(&session, &self.settings).await?;
        Ok(Tab {
            target: attached.target_info.target_id,
            opener: attached.target_info.opener_id,
            session,
            events,
            frames,
        })
    }

    /// Tells of a page, unless it has gone meanwhile.
    fn announce(&self, session: &SessionId, tab: Tab) {
        let target = tab.target.clone();
        let taken = {
            let mut table = self.lock();
            let Some(page) = table.pages.get_mut(session) else {
                return;
            };
            page.is_told = true;
            let context = page.context.clone();
            table.tell(context.as_ref(), TabEvent::Opened(Box::new(tab)))
        };
        if !taken {
            tracing::warn!(%target, "closing a page: its world has too many of them");
            self.close(target);
        }
    }

    fn detached(&self, session: &SessionId) {
        let mut table = self.lock();
        if let Some(page) = table.pages.remove(session)
            && page.is_told
        {
            table.tell(page.context.as_ref(), TabEvent::Closed(page.target));
        }
        drop(table);
        self.gone.notify_waiters();
    }

    /// Waits until none of these pages is there any more, and whoever follows them has been told.
    pub(super) async fn until_gone(&self, targets: &[TargetId]) {
        loop {
            let gone = self.gone.notified();
            let is_one = |page: &Page| targets.contains(&page.target);
            if !self.lock().pages.values().any(is_one) {
                return;
            }
            gone.await;
        }
    }

    fn close(&self, target_id: TargetId) {
        let browser = self.browser.clone();
        tokio::spawn(async move { browser.call(CloseTarget { target_id }).await });
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Whether a page of this context is followed here.
    fn is_ours(&self, context: Option<&ContextId>) -> bool {
        let is_known = context.is_some_and(|context| self.worlds.contains_key(context));
        is_known || self.profile.is_some()
    }

    /// Tells the world of a context. `false`: it has too much to look at already.
    fn tell(&self, context: Option<&ContextId>, event: TabEvent) -> bool {
        let world = context.and_then(|context| self.worlds.get(context));
        let Some(world) = world.or(self.profile.as_ref()) else {
            return true;
        };
        let waiting = world.max_capacity() - world.capacity();
        let room = match event {
            TabEvent::Opened(_) => ROOM_FOR_PAGES,
            TabEvent::Changed(_) => ROOM_FOR_TITLES,
            TabEvent::Closed(_) => INBOX,
        };
        // A world that has gone needs to hear nothing.
        waiting < room && !matches!(world.try_send(event), Err(TrySendError::Full(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(title: usize) -> TabEvent {
        let info = serde_json::json!({"targetId": "t", "type": "page", "title": title.to_string(),
            "url": "", "attached": true});
        TabEvent::Changed(Box::new(serde_json::from_value(info).unwrap()))
    }

    #[test]
    fn a_world_that_does_not_look_still_hears_of_every_end() {
        let (sender, mut inbox) = mpsc::channel(INBOX);
        let mut table = Table::default();
        let context = ContextId::from("c");
        table.worlds.insert(context.clone(), sender);
        let titles = (0..2 * INBOX).filter(|title| table.tell(Some(&context), info(*title)));
        assert_eq!(titles.count(), ROOM_FOR_TITLES);
        for _ in 0..ROOM_FOR_PAGES {
            assert!(table.tell(Some(&context), TabEvent::Closed("t".into())));
        }
        assert_eq!(inbox.len(), ROOM_FOR_TITLES + ROOM_FOR_PAGES);
        inbox.close();
        assert!(table.tell(Some(&context), TabEvent::Closed("t".into())));
    }

    #[test]
    fn pages_of_contexts_that_nobody_made_are_the_profiles() {
        let (sender, mut inbox) = mpsc::channel(INBOX);
        let table = Table {
            profile: Some(sender),
            ..Table::default()
        };
        assert!(table.tell(Some(&"unknown".into()), TabEvent::Closed("t".into())));
        assert!(matches!(inbox.try_recv(), Ok(TabEvent::Closed(_))));
    }
}
