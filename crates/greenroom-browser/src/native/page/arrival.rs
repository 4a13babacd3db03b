//! Whether the mouse gets to an element in a frame with a process of its own.
//!
//! The browser finds the process that input is for by where frames were on the last picture that it
//! has put together. A frame that was just scrolled to, or just came to be, is elsewhere on that
//! picture or not on it at all, while all documents say rightly where it is: a click would then go
//! to a document around it and be lost there. Nothing tells when the browser has caught up, but a
//! move of the mouse takes the same way as the click and harms nothing.

use serde_json::json;

use super::Element;
use super::error::ToolError;
use super::reach::Spot;
use crate::native::deadline::Deadline;
use crate::native::input::Halt;

/// The browser rounds to whole pixels of the page, and a little is lost on the way into a frame.
const ROUNDING: f64 = 1.5;

impl Element {
    /// Whether its frame gets its input by another way than the page does.
    pub(crate) fn is_apart(&self) -> bool {
        self.session.id() != self.page.session().id()
    }

    /// Moves the mouse to the spot, and says whether the element's frame has seen it there.
    pub(crate) async fn sees_mouse(
        &self,
        spot: Spot,
        deadline: Deadline,
    ) -> Result<bool, ToolError> {
        let slack = ROUNDING * spot.grain.max(1.0);
        let watched = json!({ "x": spot.inside.x, "y": spot.inside.y, "slack": slack });
        let _: () = self.ask("watchMouse", watched, deadline).await?;
        match self.page.input().move_to(spot.on_page, deadline).await {
            // Behind a dialog that the move has opened the frame answers when it is closed.
            Ok(()) | Err(Halt::Dialog) => {}
            Err(Halt::Failed(error)) => return Err(error.into()),
        }
        self.ask("mouseHasCome", (), deadline).await
    }
}
