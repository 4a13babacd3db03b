//! Scripts write to the console, and their worlds end.

use super::super::Page;
use super::with;
use crate::native::conn::{Event, Session};
use crate::native::protocol::log::EntryAdded;
use crate::native::protocol::runtime;

pub(super) fn hear(page: &Page, session: &Session, event: &Event) {
    match event.method() {
        "Runtime.consoleAPICalled" => with(event, |e: runtime::ConsoleApiCalled| {
            page.write(|books| books.journal.console.called(&e));
        }),
        "Runtime.exceptionThrown" => with(event, |e: runtime::ExceptionThrown| {
            page.write(|books| books.journal.console.threw(&e.exception_details));
        }),
        "Log.entryAdded" => with(event, |e: EntryAdded| {
            page.write(|books| books.journal.console.logged(&e.entry));
        }),
        "Runtime.executionContextDestroyed" => {
            with(event, |e: runtime::ExecutionContextDestroyed| {
                let ended = Some(e.execution_context_id);
                page.write(|books| books.frames.worlds_ended(session, ended));
            });
        }
        "Runtime.executionContextsCleared" => {
            page.write(|books| books.frames.worlds_ended(session, None));
        }
        _ => {}
    }
}
