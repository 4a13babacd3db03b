//! Follows the sessions of a page, each in a task of its own.

use tokio::sync::mpsc;

use super::page::CatchUp;
use super::{Page, furnish, hear};
use crate::native::conn::{Events, Missed, Notice, Session};
use crate::native::protocol::page::GetFrameTree;
use crate::native::protocol::target::{AttachedToTarget, TargetKind};

/// How many may wait at once for a follower to catch up: more than there are calls at a time.
const WAITING: usize = 16;

/// Follows a page. It is asked at once for what only the tools need.
pub(super) fn begin(page: &Page, events: Events) {
    let session = page.session().clone();
    start(page, session.clone(), events);
    tokio::spawn(async move { furnish::page(&session).await });
}

/// Follows a frame that is in a process of its own.
pub(super) fn frame(page: &Page, parent: &Session, attached: AttachedToTarget) {
    if attached.target_info.kind() != TargetKind::Frame {
        return;
    }
    let session = parent.sibling(attached.session_id);
    // The frame has the name of its target.
    let id = attached.target_info.target_id.as_str().into();
    page.write(|books| books.frames.attached(&id, None, &session));
    start(page, session.clone(), session.events());
    let page = page.clone();
    tokio::spawn(async move {
        match furnish::frame(&page, &session).await {
            Ok(tree) => page.write(|books| books.frames.learn(&tree, &session)),
            Err(error) if error.is_page_gone() => {}
            Err(error) => tracing::warn!(%error, "a frame cannot be followed"),
        }
    });
}

fn start(page: &Page, session: Session, events: Events) {
    let (sender, asked) = mpsc::channel(WAITING);
    page.followers().push(sender);
    tokio::spawn(listen(page.clone(), session, events, asked));
}

/// Writes down what a session tells until it ends. Whoever wants to be told when all is written is
/// told when there is nothing left to hear.
async fn listen(
    page: Page,
    session: Session,
    mut events: Events,
    mut asked: mpsc::Receiver<CatchUp>,
) {
    loop {
        tokio::select! {
            biased;
            notice = events.next() => match notice {
                Some(Notice::Event(event)) => hear::hear(&page, &session, &event),
                Some(Notice::Missed(missed)) => look_afresh(&page, &session, missed),
                None => break,
            },
            Some(asker) = asked.recv() => {
                // Whoever asked may have gone.
                let _ = asker.send(());
            }
        }
    }
    drop(asked);
    page.followers().retain(|follower| !follower.is_closed());
    end(&page, &session);
}

fn end(page: &Page, session: &Session) {
    page.write(|books| {
        if session.id() == page.session().id() {
            books.is_closed = true;
        }
        if let Some(id) = session.id() {
            books.frames.session_ended(id);
        }
    });
}

/// More happened than could be followed: the frames are asked for again.
fn look_afresh(page: &Page, session: &Session, missed: Missed) {
    if missed.vital == 0 {
        return;
    }
    tracing::warn!(?missed, "a page changes faster than it can be followed");
    let (page, session) = (page.clone(), session.clone());
    tokio::spawn(async move {
        if let Ok(tree) = session.call(GetFrameTree {}).await {
            page.write(|books| books.frames.learn(&tree.frame_tree, &session));
        }
    });
}
