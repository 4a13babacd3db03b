//! Frames come, go and load.

use super::super::Page;
use super::super::frames::FrameInfo;
use super::{interruptions, with};
use crate::native::conn::{Event, Session};
use crate::native::protocol::page as told;

pub(super) fn hear(page: &Page, session: &Session, event: &Event) {
    match event.method() {
        "Page.frameAttached" => with(event, |e: told::FrameAttached| {
            page.write(|books| {
                let parent = Some(e.parent_frame_id);
                books.frames.attached(&e.frame_id, parent, session);
            });
        }),
        "Page.frameDetached" => with(event, |e: told::FrameDetached| {
            // One that goes to another process comes back under the same name.
            if e.reason != "swap" {
                page.write(|books| books.frames.removed(&e.frame_id));
            }
        }),
        "Page.frameNavigated" => with(event, |e: told::FrameNavigated| {
            page.write(|books| {
                if e.frame.id == *books.frames.main() {
                    books.journal.loaded(&e.frame.loader_id);
                    books.is_crashed = false;
                }
                books.frames.navigated(&e.frame, session);
                if e.kind == "BackForwardCacheRestore" {
                    // It was kept whole, and tells of no stages again.
                    books.frames.progress(&e.frame.id, |frame| {
                        (frame.load.is_read, frame.load.is_loaded) = (true, true);
                    });
                }
            });
        }),
        "Page.navigatedWithinDocument" => with(event, |e: told::NavigatedWithinDocument| {
            page.write(|books| {
                let change = |frame: &mut FrameInfo| frame.url = e.url;
                books.frames.progress(&e.frame_id, change);
            });
        }),
        "Page.lifecycleEvent" => with(event, |e: told::LifecycleEvent| hear_stage(page, &e)),
        _ => hear_progress(page, session, event),
    }
}

fn hear_stage(page: &Page, stage: &told::LifecycleEvent) {
    if !matches!(stage.name.as_str(), "DOMContentLoaded" | "load") {
        return;
    }
    page.write(|books| {
        books.frames.progress(&stage.frame_id, |frame| {
            if frame.load.loader == stage.loader_id {
                frame.load.is_read = true;
                frame.load.is_loaded |= stage.name == "load";
            }
        });
    });
}

fn hear_progress(page: &Page, session: &Session, event: &Event) {
    match event.method() {
        "Page.frameRequestedNavigation" => with(event, |e: told::FrameRequestedNavigation| {
            if e.disposition == "currentTab" {
                let change = |frame: &mut FrameInfo| frame.load.requested += 1;
                page.write(|books| books.frames.progress(&e.frame_id, change));
            }
        }),
        "Page.frameStartedNavigating" => with(event, |e: told::FrameStartedNavigating| {
            if !e.navigation_type.starts_with("sameDocument") {
                page.write(|books| {
                    books.frames.progress(&e.frame_id, |frame| {
                        frame.load.started += 1;
                        frame.load.is_loading = true;
                    });
                });
            }
        }),
        "Page.frameStartedLoading" => with(event, |e: told::FrameStartedLoading| {
            let change = |frame: &mut FrameInfo| frame.load.is_loading = true;
            page.write(|books| books.frames.progress(&e.frame_id, change));
        }),
        "Page.frameStoppedLoading" => with(event, |e: told::FrameStoppedLoading| {
            page.write(|books| {
                books.frames.progress(&e.frame_id, |frame| {
                    frame.load.is_loading = false;
                    frame.load.ended += 1;
                });
            });
        }),
        _ => interruptions::hear(page, session, event),
    }
}
