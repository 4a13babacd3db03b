//! A tab, as its users hold it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedMutexGuard, mpsc, oneshot, watch};

use super::books::Books;
use super::deeds::Deeds;
use super::emulated::Emulated;
use super::error::ToolError;
use super::frame::Frame;
use super::frames::{Frames, Load};
use super::{Element, follow};
use crate::native::actions::Media;
use crate::native::browser::Tab;
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::events::Modal;
use crate::native::input::Input;
use crate::native::protocol::page::GetNavigationHistory;
use crate::native::protocol::{FrameId, TargetId};

/// The numbers of documents, shared by all tabs of a world: none is used twice.
#[derive(Debug, Clone, Default)]
pub struct DocumentNumbers(Arc<AtomicU32>);

impl DocumentNumbers {
    pub(super) fn next(&self) -> u32 {
        self.0.fetch_add(1, Relaxed)
    }
}

/// One who waits until a follower has heard all that was said before.
pub(super) type CatchUp = oneshot::Sender<()>;

/// A tab that is followed. Clones are the same tab.
#[derive(Debug, Clone)]
pub struct Page(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) target: TargetId,
    pub(super) opener: Option<TargetId>,
    pub(super) session: Session,
    /// Its keyboard and mouse.
    pub(super) input: Input,
    /// The media features that were set on it.
    pub(super) media: Media,
    /// What all its frames are made to believe.
    pub(super) emulated: Emulated,
    pub(super) numbers: DocumentNumbers,
    books: Mutex<Books>,
    /// Told whenever the books have changed.
    pub(super) news: watch::Sender<()>,
    /// Calls that act on the page take turns.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// What the call whose turn it is has begun to do.
    pub(super) deeds: Mutex<Deeds>,
    /// Those who follow the page's sessions.
    pub(super) followers: Mutex<Vec<mpsc::Sender<CatchUp>>>,
}

impl Page {
    /// Follows a tab from here on.
    pub fn follow(tab: Tab, numbers: DocumentNumbers) -> Self {
        let books = Books::new(Frames::of(&tab.frames, &tab.session));
        let page = Self(Arc::new(Inner {
            target: tab.target,
            opener: tab.opener,
            input: Input::new(tab.session.clone()),
            media: Media::default(),
            emulated: Emulated::default(),
            session: tab.session,
            numbers,
            books: Mutex::new(books),
            news: watch::Sender::new(()),
            turn: Arc::default(),
            deeds: Mutex::default(),
            followers: Mutex::default(),
        }));
        follow::begin(&page, tab.events);
        page
    }

    /// Its name in the browser.
    pub fn target(&self) -> &TargetId {
        &self.0.target
    }

    /// Who opened it, if a page did.
    pub fn opener(&self) -> Option<&TargetId> {
        self.0.opener.as_ref()
    }

    /// Where commands for the page as a whole go: input, pictures, emulation.
    pub fn session(&self) -> &Session {
        &self.0.session
    }

    /// Its keyboard and mouse.
    pub fn input(&self) -> &Input {
        &self.0.input
    }

    /// The media features that were set on it.
    pub(crate) fn media(&self) -> &Media {
        &self.0.media
    }

    /// Its main frame.
    pub fn main_frame(&self) -> Frame {
        let id = self.read(|books| books.frames.main().clone());
        Frame::new(self.clone(), id)
    }

    /// One of its frames.
    pub fn frame(&self, id: FrameId) -> Frame {
        Frame::new(self.clone(), id)
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.read(|books| {
            let url = books.frames.main_info().map(|main| main.url.clone());
            // A window in which nothing was ever shown has none of its own.
            let url = url.filter(|url| !url.is_empty());
            url.unwrap_or_else(|| "about:blank".to_owned())
        })
    }

    /// How far its main frame has come.
    pub fn load(&self) -> Load {
        self.read(|books| {
            let main = books.frames.main_info();
            main.map_or_else(Load::default, |main| main.load.clone())
        })
    }

    /// What blocks it, if anything does.
    pub fn modal(&self) -> Option<Modal> {
        self.read(|books| books.modal().cloned())
    }

    /// Waits for a turn to act on it. A call that was given up, or that a dialog has interrupted,
    /// keeps its turn until it is done.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<()> {
        self.0.turn.clone().lock_owned().await
    }

    /// How often it has opened a window.
    pub(crate) fn popups(&self) -> u64 {
        self.read(|books| books.journal.popups)
    }

    /// Whether its process has ended.
    pub fn is_crashed(&self) -> bool {
        self.read(|books| books.is_crashed)
    }

    /// Whether it has closed.
    pub fn is_closed(&self) -> bool {
        self.read(|books| books.is_closed)
    }

    /// Asks our script in the main frame: `greenroom.<function>(arguments)`.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<T, ToolError> {
        self.main_frame().ask(function, arguments, deadline).await
    }

    /// The element that a target means: a ref, a selector or a locator.
    pub async fn find(&self, target: &str, deadline: Deadline) -> Result<Element, ToolError> {
        super::find::find(self, target, deadline).await
    }

    /// The title of its document, as the browser's history has it: that needs no script, and so it
    /// is to be had while a dialog is open.
    pub async fn title(&self, deadline: Deadline) -> Result<String, ToolError> {
        let history = self
            .0
            .session
            .call_within(deadline.left(), GetNavigationHistory {});
        let history = history.await?;
        let current = usize::try_from(history.current_index).unwrap_or_default();
        let entry = history.entries.into_iter().nth(current);
        Ok(entry.map_or_else(String::new, |entry| entry.title))
    }

    pub(super) fn followers(&self) -> MutexGuard<'_, Vec<mpsc::Sender<CatchUp>>> {
        self.0
            .followers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn books(&self) -> MutexGuard<'_, Books> {
        self.0.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
