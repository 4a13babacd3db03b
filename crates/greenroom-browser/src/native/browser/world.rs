//! An isolated place with a page in it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::place::Place;
use super::router::TabEvent;
use super::seats::Seat;
use super::settings::WorldSettings;
use super::shared::SharedBrowser;
use super::tab::Tab;
use crate::call::{EngineError, Stage};
use crate::native::conn::Session;
use crate::native::error::CdpError;
use crate::native::protocol::runtime::Evaluate;
use crate::native::protocol::{ContextId, TargetId};

/// A world: a context, or the profile of a browser of its own. Ready to navigate.
///
/// [`World::dispose`] ends it and proves it. One that is dropped is disposed of in the background.
#[derive(Debug)]
pub struct World {
    place: Place,
    /// The page that the world began with.
    pub first: Tab,
    /// The pages that come and go from here on, the first one not included.
    pub tabs: mpsc::Receiver<TabEvent>,
}

impl World {
    /// Makes a world of its own in a browser.
    pub(super) async fn create(
        browser: Arc<SharedBrowser>,
        seat: Seat,
        deadline: Duration,
    ) -> Result<Self, EngineError> {
        let end = Instant::now() + deadline;
        let place = Place::new_context(browser, seat, deadline).await?;
        Self::open_in(place, end).await
    }

    /// Makes a world of the browser's own profile, with one blank page.
    pub(super) async fn of_profile(
        browser: Arc<SharedBrowser>,
        seat: Seat,
        deadline: Duration,
    ) -> Result<Self, EngineError> {
        let end = Instant::now() + deadline;
        let mut world = Self::open_in(Place::profile(browser, seat), end).await?;
        let others = world.place.leave_only(&world.first.target).await?;
        // Pages of the holder before may have been told of already, and must not be shown.
        let gone = world.place.browser().router().until_gone(&others);
        timeout_at(end, gone)
            .await
            .map_err(|_| EngineError::ResetFailed {
                detail: "pages of the holder before do not close".to_owned(),
            })?;
        while world.tabs.try_recv().is_ok() {}
        Ok(world)
    }

    /// Opens the first page. Whatever goes wrong, the place is given back.
    async fn open_in(place: Place, end: Instant) -> Result<Self, EngineError> {
        let mut tabs = place.browser().router().register(place.context());
        let making =
            async { tokio::try_join!(first_tab(&place, &mut tabs), place.keep_downloads_apart()) };
        let begun = Instant::now();
        let made = timeout_at(end, making).await;
        let (first, ()) = made.map_err(|_| EngineError::Timeout {
            what: "a new page".to_owned(),
            stage: Stage::Starting,
            after: begun.elapsed(),
        })??;
        Ok(Self { place, first, tabs })
    }

    /// The browser that it is in.
    pub fn browser(&self) -> &Arc<SharedBrowser> {
        self.place.browser()
    }

    /// Its context; none for the profile of a browser.
    pub fn context(&self) -> Option<&ContextId> {
        self.place.context()
    }

    /// Its first page.
    pub fn page(&self) -> &Session {
        &self.first.session
    }

    /// Where its downloads go; none where files are out of reach.
    pub fn downloads(&self) -> Option<&Path> {
        self.place.downloads()
    }

    /// What its pages are to be, for those that come later.
    pub fn settings(&self) -> &WorldSettings {
        self.browser().settings()
    }

    /// Opens one more page. It comes to [`World::tabs`] like any other.
    pub async fn open(&self, url: &str) -> Result<TargetId, CdpError> {
        self.place.open(url).await
    }

    /// Closes a page without asking it.
    pub async fn close(&self, target_id: TargetId, within: Duration) -> Result<(), CdpError> {
        self.place.close(target_id, within).await
    }

    /// Proves that its first page answers.
    pub async fn probe(&self, deadline: Duration) -> Result<(), CdpError> {
        let one = Evaluate::value_of("1");
        self.page().call_within(deadline, one).await.map(drop)
    }

    /// Whether its browser lives.
    pub fn is_alive(&self) -> bool {
        self.browser().is_alive()
    }

    /// Takes the world apart, for an owner that follows its pages in a task of their own: the place
    /// keeps the world alive and disposes of it.
    pub fn into_parts(self) -> (Place, Tab, mpsc::Receiver<TabEvent>) {
        (self.place, self.first, self.tabs)
    }

    /// Ends the world and all that it held. If that cannot be proved, its browser takes in nobody
    /// any more.
    pub async fn dispose(self, deadline: Duration) -> Result<(), EngineError> {
        self.place.dispose(deadline).await
    }
}

/// Opens a page and waits until it has come.
async fn first_tab(place: &Place, tabs: &mut mpsc::Receiver<TabEvent>) -> Result<Tab, CdpError> {
    let target = place.open("about:blank").await?;
    while let Some(event) = tabs.recv().await {
        if let TabEvent::Opened(tab) = event
            && tab.target == target
        {
            return Ok(*tab);
        }
    }
    // The router has ended, because the browser has.
    let death = place.browser().ended().await;
    Err(CdpError::Ended { death, sent: true })
}
