//! The world that an instance has at present.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::call::{EngineError, PageInfo};
use tokio::sync::RwLock;

use super::given::Given;
use super::tabs::Tabs;
use super::visited::Visited;
use crate::native::answer::{Answer, Headers};
use crate::native::browser::{Place, SharedBrowser, World};
use crate::native::conn::Session;
use crate::native::protocol::{ContextId, TargetId};

/// A world with its tabs.
#[derive(Debug)]
pub(crate) struct Room {
    /// Taken away when the world is disposed of.
    place: RwLock<Option<Place>>,
    browser: Arc<SharedBrowser>,
    context: Option<ContextId>,
    downloads: Option<PathBuf>,
    tabs: Tabs,
    given: Given,
    visited: Visited,
    headers: Mutex<Headers>,
    /// What calls have done that nobody waited for to the end.
    late: Mutex<Vec<Answer>>,
}

impl Room {
    pub(super) fn new(world: World) -> Self {
        let (place, first, events) = world.into_parts();
        let downloads = place.downloads().map(Path::to_owned);
        Self {
            browser: place.browser().clone(),
            context: place.context().cloned(),
            given: Given::beside(downloads.as_deref()),
            downloads,
            place: RwLock::new(Some(place)),
            tabs: Tabs::follow(first, events),
            visited: Visited::default(),
            headers: Mutex::default(),
            late: Mutex::default(),
        }
    }

    /// Its tabs.
    pub(crate) fn tabs(&self) -> &Tabs {
        &self.tabs
    }

    /// The browser that it is in.
    pub(crate) fn browser(&self) -> &Arc<SharedBrowser> {
        &self.browser
    }

    /// The browser itself, for commands that are for worlds as a whole.
    pub(crate) fn session(&self) -> &Session {
        self.browser.session()
    }

    /// Its context; none for the profile of a browser.
    pub(crate) fn context(&self) -> Option<&ContextId> {
        self.context.as_ref()
    }

    /// Where its downloads go; none where files are out of reach.
    pub(crate) fn downloads(&self) -> Option<&Path> {
        self.downloads.as_deref()
    }

    /// The files that were laid out for it.
    pub(crate) fn given(&self) -> &Given {
        &self.given
    }

    /// The sites that it has been at.
    pub(super) fn visited(&self) -> &Visited {
        &self.visited
    }

    /// Remembers where its tabs stand. Says whether anything is new.
    pub(crate) fn note_headers(&self, tabs: &[(TargetId, PageInfo)]) -> bool {
        for (_, page) in tabs {
            self.visited.note(&page.url);
        }
        let mut headers = self.headers.lock().unwrap_or_else(PoisonError::into_inner);
        headers.note(tabs)
    }

    /// Keeps what a call has done for the next answer to tell.
    pub(super) fn finished_late(&self, answer: Answer) {
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        late.push(answer);
    }

    /// What calls have done that nobody waited for to the end.
    pub(crate) fn take_late(&self) -> Vec<Answer> {
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut late)
    }

    /// The place while it is there: for as long as somebody looks at it, it is not disposed of.
    pub(super) fn place(&self) -> &RwLock<Option<Place>> {
        &self.place
    }

    /// Ends the world with all that it held, and proves it.
    pub(super) async fn dispose(&self, deadline: Duration) -> Result<(), EngineError> {
        let place = self.place.write().await.take();
        let disposed = match place {
            Some(place) => place.dispose(deadline).await,
            None => Ok(()),
        };
        self.given
            .clear()
            .await
            .map_err(|error| EngineError::ResetFailed {
                detail: format!("files that were laid out cannot be removed ({error})"),
            })?;
        disposed
    }
}
