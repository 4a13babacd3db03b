//! Dialogs, file choosers, windows and downloads: what comes between an action and its outcome.

use super::super::Page;
use super::with;
use crate::native::conn::{Event, Session};
use crate::native::events::{Chooser, Dialog, Modal};
use crate::native::protocol::page as told;

pub(super) fn hear(page: &Page, session: &Session, event: &Event) {
    match event.method() {
        "Page.javascriptDialogOpening" => with(event, |e: told::JavascriptDialogOpening| {
            let dialog = Dialog {
                kind: e.kind,
                message: e.message,
                default_prompt: e.default_prompt,
            };
            page.write(|books| books.journal.opened(Modal::Dialog(dialog)));
        }),
        "Page.javascriptDialogClosed" => page.write(|books| books.journal.dialog_closed()),
        "Page.fileChooserOpened" => with(event, |e: told::FileChooserOpened| {
            let chooser = Chooser {
                session: session.clone(),
                node: e.backend_node_id,
                is_multiple: e.mode == "selectMultiple",
            };
            page.write(|books| books.journal.opened(Modal::Chooser(chooser)));
        }),
        "Page.windowOpen" => page.write(|books| books.journal.popups += 1),
        "Page.downloadWillBegin" => with(event, |e: told::DownloadWillBegin| {
            page.write(|books| books.journal.downloads.began(&e));
        }),
        "Page.downloadProgress" => with(event, |e: told::DownloadProgress| {
            page.write(|books| books.journal.downloads.went_on(&e));
        }),
        _ => {}
    }
}
