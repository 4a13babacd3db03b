//! Requests go out, and answers come in.

use super::super::Page;
use super::with;
use crate::native::conn::{Event, Session};
use crate::native::protocol::network as net;

pub(super) fn hear(page: &Page, session: &Session, event: &Event) {
    match event.method() {
        "Network.requestWillBeSent" => with(event, |e: net::RequestWillBeSent| {
            page.write(|books| books.journal.network.sent(session, e));
        }),
        "Network.requestWillBeSentExtraInfo" => {
            with(event, |e: net::RequestWillBeSentExtraInfo| {
                page.write(|books| books.journal.network.sent_really(&e));
            });
        }
        "Network.responseReceived" => with(event, |e: net::ResponseReceived| {
            page.write(|books| {
                let is_main = e.frame_id.as_ref() == Some(books.frames.main());
                if is_main && e.kind == "Document" {
                    let status = (e.response.status, e.response.status_text.clone());
                    books.journal.status = Some(status);
                }
                books.journal.network.answered(e);
            });
        }),
        "Network.responseReceivedExtraInfo" => with(event, |e: net::ResponseReceivedExtraInfo| {
            page.write(|books| books.journal.network.answered_really(e));
        }),
        "Network.loadingFinished" => with(event, |e: net::LoadingFinished| {
            page.write(|books| books.journal.network.finished(&e));
        }),
        "Network.loadingFailed" => with(event, |e: net::LoadingFailed| {
            page.write(|books| books.journal.network.failed(e));
        }),
        _ => {}
    }
}
