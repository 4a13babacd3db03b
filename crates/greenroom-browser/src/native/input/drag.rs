//! Dragging, within a page and from outside.
//!
//! A drag belongs to the system, which a page without a window has not. The browser tells us when
//! the page begins one in place of handing it to the system, and takes from us what the system
//! would say. A page that only watches the mouse never begins one, and gets the moves as they are.

use super::hands::{Act, Halt, Input};
use super::mouse::{Button, Point};
use crate::native::conn::{Events, Notice};
use crate::native::deadline::Deadline;
use crate::native::protocol::input::{
    DispatchDragEvent, DragData, DragEventKind, DragIntercepted, SetInterceptDrags,
};

impl Input {
    /// Drags what is at one place to another.
    pub async fn drag(&self, from: Point, to: Point, deadline: Deadline) -> Result<(), Halt> {
        self.call(SetInterceptDrags { enabled: true }, deadline)
            .await?;
        let carried = self.carry(from, to, deadline).await;
        // A page that is gone intercepts nothing any more.
        let _ = self
            .call(SetInterceptDrags { enabled: false }, deadline)
            .await;
        carried
    }

    /// Drops something from outside of the page.
    pub async fn drop_at(&self, at: Point, data: DragData, deadline: Deadline) -> Result<(), Halt> {
        let kinds = [
            DragEventKind::DragEnter,
            DragEventKind::DragOver,
            DragEventKind::Drop,
        ];
        let modifiers = self.remember(|held| held.modifiers);
        let act = |kind| {
            let data = data.clone();
            Act::Drag(DispatchDragEvent {
                kind,
                x: at.x,
                y: at.y,
                data,
                modifiers,
            })
        };
        self.perform(kinds.map(act).into(), deadline).await
    }

    async fn carry(&self, from: Point, to: Point, deadline: Deadline) -> Result<(), Halt> {
        let mut events = self.events();
        let begin = vec![self.moved(from), self.pressed(Button::Left, 1)];
        self.perform(begin, deadline).await?;
        let midway = Point {
            x: (from.x + to.x) / 2.0,
            y: (from.y + to.y) / 2.0,
        };
        let moves = vec![self.moved(midway), self.moved(to)];
        let begun = tokio::select! {
            biased;
            begun = events.find(|drag: DragIntercepted| Some(drag.data)) => begun,
            moved = self.perform(moves, deadline) => {
                moved?;
                // One more move, so that word of a drag has overtaken its answer.
                self.perform(vec![self.moved(to)], deadline).await?;
                told(&mut events)
            }
        };
        let release = self.released(Button::Left, 1);
        match begun {
            // The drop is the end of the button too: a page hears of no other.
            Some(data) => self.drop_at(to, data, deadline).await,
            None => self.perform(vec![release], deadline).await,
        }
    }
}

/// The drag that was told of already, if one was.
fn told(events: &mut Events) -> Option<DragData> {
    while let Some(notice) = events.try_next() {
        if let Notice::Event(event) = notice
            && let Some(drag) = event.read::<DragIntercepted>()
        {
            return Some(drag.data);
        }
    }
    None
}
