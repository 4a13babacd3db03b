//! One world, as the pool sees it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::call::{EngineError, Stage};
use crate::process::Memory;
use crate::{Host, LaunchSpec};
use serde_json::Value;
use tokio::sync::watch;

use super::Room;
use super::source::Source;
use crate::native::browser::SharedBrowser;
use crate::native::deadline::Deadline;

/// What the end of a world may take in a browser that is busy.
const FOR_A_WORLD: Duration = Duration::from_secs(5);

/// An instance of the native engine.
#[derive(Debug)]
pub struct NativeInstance {
    source: Source,
    /// None between a close and the next call.
    pub(super) room: watch::Sender<Option<Arc<Room>>>,
    /// Held while a world is taken, so that two calls do not take two.
    taking: tokio::sync::Mutex<()>,
    /// What a fresh world begins with.
    begins_with: Option<Arc<Value>>,
}

impl NativeInstance {
    /// Starts an instance in a browser of its own.
    pub async fn start(label: &str, spec: &LaunchSpec, host: &Host) -> Result<Self, EngineError> {
        let source = Source::start(label, spec, host).await?;
        Self::start_from(source, spec).await
    }

    /// Starts an instance whose worlds come from here.
    pub async fn start_from(source: Source, spec: &LaunchSpec) -> Result<Self, EngineError> {
        let instance = Self {
            source,
            room: watch::Sender::new(None),
            taking: tokio::sync::Mutex::default(),
            begins_with: super::restore::read(spec).await?.map(Arc::new),
        };
        instance.room(Deadline::after(spec.start_timeout)).await?;
        Ok(instance)
    }

    /// The world of now; a new one is taken if there is none.
    pub(super) async fn room(&self, deadline: Deadline) -> Result<Arc<Room>, EngineError> {
        if let Some(room) = self.room_of_now() {
            return Ok(room);
        }
        let taking = deadline.limit(self.taking.lock()).await;
        let _taking = taking.ok_or_else(|| EngineError::Timeout {
            what: "a world".to_owned(),
            stage: Stage::Waiting,
            after: deadline.whole(),
        })?;
        if let Some(room) = self.room_of_now() {
            return Ok(room);
        }
        let world = self.source.take(deadline.left()).await?;
        let room = Arc::new(Room::new(world));
        if let Some(state) = &self.begins_with {
            super::restore::restore(&room, state, deadline).await?;
        }
        self.room.send_replace(Some(room.clone()));
        Ok(room)
    }

    pub(super) fn room_of_now(&self) -> Option<Arc<Room>> {
        self.room.borrow().clone()
    }

    /// Leaves nothing of this holder's world to the next, and takes another one.
    pub async fn reset(&self, deadline: Duration) -> Result<(), EngineError> {
        let deadline = Deadline::after(deadline);
        // A call that was given up has no page any more, and can do nothing in the next world.
        self.end_room(deadline).await?;
        self.room(deadline).await.map(drop)
    }

    /// Ends the world of now, if there is one. The next call takes another one.
    pub(super) async fn end_room(&self, deadline: Deadline) -> Result<(), EngineError> {
        let room = self.room.send_replace(None);
        match room {
            Some(room) => room.dispose(deadline.left()).await,
            None => Ok(()),
        }
    }

    /// Fills a fresh world with cookies and storage, as Playwright's `storageState` writes them.
    pub async fn restore(&self, state: &Value, deadline: Duration) -> Result<(), EngineError> {
        let deadline = Deadline::after(deadline);
        let room = self.room(deadline).await?;
        super::restore::restore(&room, state, deadline).await
    }

    /// Ends the world, and the browser if it is the instance's own.
    pub async fn stop(&self, grace: Duration) -> Result<(), EngineError> {
        let Some(browser) = self.source.own() else {
            // Others live in that browser: it must not be given up for want of a moment.
            return self.end_room(Deadline::after(grace.max(FOR_A_WORLD))).await;
        };
        // The end of the browser is the end of its worlds, whatever becomes of this one.
        let _ = self.end_room(Deadline::after(grace)).await;
        browser.stop(grace).await
    }

    /// Lays a file out where the world's pages may be given it, until the world is reset.
    pub async fn lay_out(
        &self,
        folder: &str,
        name: &str,
        contents: &mut tokio::fs::File,
    ) -> std::io::Result<PathBuf> {
        let room = self.room(Deadline::after(FOR_A_WORLD)).await;
        let room = room.map_err(std::io::Error::other)?;
        room.given().lay_out(folder, name, contents).await
    }

    /// The browser's process; 0 for one that runs elsewhere.
    pub fn pid(&self) -> i32 {
        let browser = self.browser();
        browser
            .and_then(|browser| browser.chromium().pid())
            .unwrap_or_default()
    }

    /// The memory of all processes of its browser, which it may share with others.
    pub async fn memory(&self) -> Result<Memory, EngineError> {
        match self.browser() {
            Some(browser) => browser.memory().await,
            None => Ok(Memory::default()),
        }
    }

    /// The end of what its browser has written to stderr.
    pub fn stderr_tail(&self) -> String {
        let browser = self.browser();
        browser.map_or_else(String::new, |browser| browser.chromium().stderr_tail())
    }

    pub(super) fn browser(&self) -> Option<Arc<SharedBrowser>> {
        let room = self.room_of_now();
        let of_room = room.map(|room| room.browser().clone());
        of_room.or_else(|| self.source.own().cloned())
    }
}
