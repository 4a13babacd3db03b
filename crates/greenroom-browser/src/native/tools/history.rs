//! The history of a tab.

use std::time::Duration;

use crate::native::deadline::Deadline;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::page::{GetNavigationHistory, NavigationHistory};

/// The longest that a document takes to be in the place of another, once it is about to be.
const CHANGING: Duration = Duration::from_secs(2);
/// How long a page may be silent meanwhile before it is asked again.
const SILENCE: Duration = Duration::from_millis(20);

/// Where a tab has been. While one document takes the place of another in another process, the
/// browser has no answer for a moment; then it is asked again.
pub(super) async fn history(
    page: &Page,
    deadline: Deadline,
) -> Result<NavigationHistory, ToolError> {
    let patience = deadline.at_most(CHANGING);
    loop {
        let before = page.load();
        let asked = page
            .session()
            .call_within(deadline.left(), GetNavigationHistory {});
        match asked.await {
            Err(error)
                if error.refused_with("Not attached to an active page")
                    && !patience.has_passed() =>
            {
                let has_changed = page.until(|books| {
                    let main = books.frames.main_info()?;
                    (main.load.loader != before.loader).then_some(())
                });
                patience.at_most(SILENCE).limit(has_changed).await;
            }
            history => return Ok(history?),
        }
    }
}
