//! What is done at once, and what is remembered between two times.

use std::sync::{Mutex, PoisonError};

use futures_util::future::{BoxFuture, FutureExt as _, try_join_all};
use tokio::sync::OnceCell;

use super::mouse::{Button, Point};
use crate::native::conn::{Events, Session};
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::Command;
use crate::native::protocol::input::{
    DispatchDragEvent, DispatchKeyEvent, DispatchMouseEvent, InsertText, SetIgnoreInputEvents,
};
use crate::native::protocol::page::JavascriptDialogOpening;

/// One thing that a hand does.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// With the mouse.
    Mouse(DispatchMouseEvent),
    /// With a key.
    Key(DispatchKeyEvent),
    /// With an input method.
    Text(InsertText),
    /// With something that is dragged.
    Drag(DispatchDragEvent),
}

/// Why what was begun is not known to be done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Halt {
    /// The page shows a dialog and stands still until that is answered.
    #[error("the page shows a dialog; answer it with browser_handle_dialog")]
    Dialog,
    /// The browser refuses or does not answer.
    #[error(transparent)]
    Failed(#[from] CdpError),
}

/// The keyboard and the mouse of one page.
#[derive(Debug)]
pub struct Input {
    session: Session,
    held: Mutex<Held>,
    /// Set once the page hears of what is done: a new one hears of no input.
    heard: OnceCell<()>,
}

/// What a hand holds.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) mouse: Point,
    /// The button that went down last and is not up yet.
    pub(super) button: Option<Button>,
    /// All buttons that are down, added up as the protocol has it.
    pub(super) buttons: u8,
    pub(super) modifiers: u8,
}

impl Input {
    /// Hands at a page, which hold nothing. The session is the page's own, not that of a frame.
    pub fn new(session: Session) -> Self {
        Self {
            session,
            held: Mutex::default(),
            heard: OnceCell::new(),
        }
    }

    /// Does all of this, in order. Returns when the page has handled it, or shows a dialog.
    pub async fn perform(&self, acts: Vec<Act>, deadline: Deadline) -> Result<(), Halt> {
        let listen = async || {
            let listen = SetIgnoreInputEvents { ignore: false };
            self.call(listen, deadline).await.map(drop)
        };
        self.heard.get_or_try_init(listen).await?;
        let done = try_join_all(acts.into_iter().map(|act| self.send(act, deadline)));
        self.unless_dialog(done).await.map(drop)
    }

    /// What a future gives that is about to make the page do something, unless a dialog opens
    /// before.
    pub(super) async fn unless_dialog<T>(
        &self,
        work: impl Future<Output = Result<T, CdpError>>,
    ) -> Result<T, Halt> {
        let mut events = self.session.events();
        let dialog = async {
            let opening = events.find(|_: JavascriptDialogOpening| Some(()));
            if opening.await.is_none() {
                // The page is gone, which the work is told itself.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            done = work => Ok(done?),
            () = dialog => Err(Halt::Dialog),
        }
    }

    /// Runs a command at the page.
    pub(super) async fn call<C: Command>(
        &self,
        command: C,
        deadline: Deadline,
    ) -> Result<C::Reply, CdpError> {
        self.session.call_within(deadline.left(), command).await
    }

    /// Listens to the page from here on.
    pub(super) fn events(&self) -> Events {
        self.session.events()
    }

    /// Looks at what is held, or changes it.
    pub(super) fn remember<T>(&self, change: impl FnOnce(&mut Held) -> T) -> T {
        change(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn send(&self, act: Act, deadline: Deadline) -> BoxFuture<'_, Result<(), CdpError>> {
        match act {
            Act::Mouse(event) => self.call(event, deadline).map(done).boxed(),
            Act::Key(event) => self.call(event, deadline).map(done).boxed(),
            Act::Drag(event) => self.call(event, deadline).map(done).boxed(),
            Act::Text(text) => self.call(text, deadline).map(done).boxed(),
        }
    }
}

fn done<T>(reply: Result<T, CdpError>) -> Result<(), CdpError> {
    reply.map(drop)
}
