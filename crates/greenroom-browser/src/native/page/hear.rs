//! Writes down what a page tells.

mod frames;
mod interruptions;
mod network;
mod scripts;

use super::{Page, follow};
use crate::native::conn::{Event, Session};
use crate::native::protocol;
use crate::native::protocol::target::{AttachedToTarget, Crashed};

pub(super) fn hear(page: &Page, session: &Session, event: &Event) {
    let domain = event.method().split('.').next().unwrap_or_default();
    match domain {
        "Page" => frames::hear(page, session, event),
        "Network" => network::hear(page, session, event),
        "Runtime" | "Log" => scripts::hear(page, session, event),
        _ => hear_target(page, session, event),
    }
}

fn hear_target(page: &Page, session: &Session, event: &Event) {
    if let Some(attached) = event.read::<AttachedToTarget>() {
        follow::frame(page, session, attached);
    } else if event.read::<Crashed>().is_some() && session.id() == page.session().id() {
        page.write(|books| {
            books.is_crashed = true;
            books.journal.dialog_closed();
        });
    }
}

/// Reads an event and notes it; one that cannot be read is passed over.
fn with<E: protocol::Event>(event: &Event, note: impl FnOnce(E)) {
    if let Some(event) = event.read() {
        note(event);
    }
}
