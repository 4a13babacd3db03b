//! What a page is made to believe, in every process that its frames are in.
//!
//! The browser takes such settings process by process: so a page remembers them for frames that
//! come later, or that go to another process.

use std::sync::{Mutex, PoisonError};

use futures_util::future::join_all;

use super::Page;
use super::error::ToolError;
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::emulation::SetEmulatedMedia;

/// The settings that reach all frames.
#[derive(Debug, Default)]
pub(super) struct Emulated(Mutex<Option<SetEmulatedMedia>>);

impl Emulated {
    fn media(&self) -> Option<SetEmulatedMedia> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_media(&self, media: Option<SetEmulatedMedia>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = media;
    }
}

impl Page {
    /// Sets the medium and its features for all frames, those to come among them.
    pub(crate) async fn emulate(
        &self,
        media: SetEmulatedMedia,
        deadline: Deadline,
    ) -> Result<(), ToolError> {
        let before = self.0.emulated.media();
        // Remembered first: a frame that comes in between takes it from here.
        self.0.emulated.set_media(Some(media.clone()));
        let told = self.session().call_within(deadline.left(), media.clone());
        if let Err(error) = told.await {
            self.0.emulated.set_media(before);
            return Err(error.into());
        }
        let own = self.session().id();
        let frames = self.read(|books| books.frames.sessions());
        let frames = frames.iter().filter(|session| session.id() != own);
        let told =
            join_all(frames.map(|session| session.call_within(deadline.left(), media.clone())));
        for result in told.await {
            match result {
                // A frame that has gone believes nothing any more.
                Err(error) if !error.is_page_gone() => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes a frame in a process of its own believe what the others do.
    pub(super) async fn emulate_in(&self, session: &Session) -> Result<(), CdpError> {
        match self.0.emulated.media() {
            Some(media) => session.call(media).await.map(drop),
            None => Ok(()),
        }
    }
}
