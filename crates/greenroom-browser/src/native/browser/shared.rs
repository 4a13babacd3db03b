//! One Chromium with many worlds.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::router::Router;
use super::seats::{Seat, Seats};
use super::settings::WorldSettings;
use super::world::World;
use crate::call::{Death, EngineError};
use crate::native::conn::Session;
use crate::native::error::CdpError;
use crate::native::launch::Chromium;
use crate::native::protocol::target::{FilterEntry, SetAutoAttach, SetDiscoverTargets};
use crate::process::Memory;
use crate::{Error, Host, LaunchSpec};

/// A browser that holds up to a number of worlds.
#[derive(Debug)]
pub struct SharedBrowser {
    chromium: Chromium,
    settings: WorldSettings,
    router: Arc<Router>,
    seats: Arc<Seats>,
    /// Told whenever a seat is free again, or the browser retires.
    changed: Arc<Notify>,
}

impl SharedBrowser {
    /// Starts a browser for up to `capacity` worlds.
    pub async fn start(
        label: &str,
        spec: &LaunchSpec,
        host: &Host,
        capacity: usize,
    ) -> Result<Arc<Self>, EngineError> {
        let chromium = Chromium::start(label, spec, host).await?;
        Self::of(chromium, WorldSettings::of(spec), capacity).await
    }

    /// Makes a running browser a shared one.
    pub async fn of(
        chromium: Chromium,
        settings: WorldSettings,
        capacity: usize,
    ) -> Result<Arc<Self>, EngineError> {
        let browser = chromium.session().with_patience(settings.patience);
        // Listening comes first: the answer to the commands is preceded by what they tell of.
        let router = Router::start(browser.clone(), settings.clone());
        let discover = SetDiscoverTargets {
            discover: true,
            filter: Some(vec![FilterEntry::only("page")]),
        };
        tokio::try_join!(
            browser.call(discover),
            browser.call(SetAutoAttach::hold("page")),
        )?;
        Ok(Arc::new(Self {
            chromium,
            settings,
            router,
            seats: Seats::new(capacity),
            changed: Arc::new(Notify::new()),
        }))
    }

    /// Makes a world of its own. When the future is dropped, whatever was made is disposed of.
    pub async fn world(self: &Arc<Self>, deadline: Duration) -> Result<World, EngineError> {
        let seat = self.seat().ok_or_else(|| self.full())?;
        self.world_on(seat, deadline).await
    }

    /// The same, on a seat that was taken before.
    pub(super) async fn world_on(
        self: &Arc<Self>,
        seat: Seat,
        deadline: Duration,
    ) -> Result<World, EngineError> {
        // In a task of its own: a context whose maker goes away between the command and its reply
        // would have no name, and stay.
        let making = tokio::spawn(World::create(self.clone(), seat, deadline));
        made(making.await)
    }

    /// Makes a world of the browser's own profile, for a browser that serves one instance alone.
    pub async fn profile_world(self: &Arc<Self>, deadline: Duration) -> Result<World, EngineError> {
        let seat = self.seat().ok_or_else(|| self.full())?;
        made(tokio::spawn(World::of_profile(self.clone(), seat, deadline)).await)
    }

    /// The browser itself.
    pub fn session(&self) -> &Session {
        self.chromium.session()
    }

    /// The process and the connection below.
    pub fn chromium(&self) -> &Chromium {
        &self.chromium
    }

    /// What its worlds are to be.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// How many worlds it holds, those included that are being made or disposed of.
    pub fn worlds(&self) -> usize {
        self.seats.taken()
    }

    /// How many more it takes.
    pub fn free_seats(&self) -> usize {
        if self.is_alive() {
            self.seats.free()
        } else {
            0
        }
    }

    /// How many it takes in all.
    pub fn capacity(&self) -> usize {
        self.seats.capacity()
    }

    /// Whether it can still be spoken to.
    pub fn is_alive(&self) -> bool {
        self.chromium.is_alive()
    }

    /// Whether it takes in nobody any more, because a world could not be got rid of.
    pub fn is_retired(&self) -> bool {
        self.seats.is_retired()
    }

    /// Resolves when it has ended, and tells how.
    pub async fn ended(&self) -> Arc<Death> {
        self.chromium.ended().await
    }

    /// Proves that it answers.
    pub async fn probe(&self, deadline: Duration) -> Result<(), CdpError> {
        self.chromium.probe(deadline).await
    }

    /// The memory of all its processes.
    pub async fn memory(&self) -> Result<Memory, EngineError> {
        self.chromium.memory().await
    }

    /// Ends it with all its worlds.
    pub async fn stop(&self, grace: Duration) -> Result<(), EngineError> {
        self.retire();
        self.chromium.stop(grace).await
    }

    pub(super) fn seat(&self) -> Option<Seat> {
        if self.is_alive() {
            self.seats.take()
        } else {
            None
        }
    }

    pub(super) fn retire(&self) {
        self.seats.retire();
        self.changed.notify_one();
    }

    pub(super) fn seat_given_back(&self) {
        self.changed.notify_one();
    }

    /// Told whenever a seat is free again, or the browser retires.
    pub(super) fn changed(&self) -> Arc<Notify> {
        self.changed.clone()
    }

    pub(super) fn router(&self) -> &Router {
        &self.router
    }

    pub(super) fn output(&self) -> Option<&Path> {
        self.chromium.output()
    }

    fn full(&self) -> EngineError {
        EngineError::NoBrowser {
            reason: match self.chromium.connection().try_ended() {
                Some(death) => format!("it has ended: {death}; start another one"),
                None => "it has no room for another world; raise CONTEXTS_PER_BROWSER, or start another one".to_owned(),
            },
        }
    }
}

/// A task that was lost with its runtime made nothing.
fn made<T>(
    joined: Result<Result<T, EngineError>, tokio::task::JoinError>,
) -> Result<T, EngineError> {
    joined.unwrap_or_else(|error| {
        let source = std::io::Error::other(error);
        Err(Error::Supervision { source }.into())
    })
}
