//! `browser_navigate_back`.

use super::history::history;
use super::navigate::{unreachable, until_loaded, waited};
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::deadline::Deadline;
use crate::native::events::Outcome;
use crate::native::page::{Load, Page, ToolError};
use crate::native::protocol::page::NavigateToHistoryEntry;

/// How Playwright does it.
const BACK: &str = "await page.goBack();";

pub(super) async fn back(work: &Work) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let history = history(&page, work.deadline).await?;
    let current = usize::try_from(history.current_index).unwrap_or_default();
    let entry = current
        .checked_sub(1)
        .and_then(|before| history.entries.get(before));
    if let Some(entry) = entry {
        let (before, address) = (page.load(), page.url());
        let requests = page.read(|books| books.journal.network.mark());
        page.about_to(&[BACK.to_owned()]);
        let go = NavigateToHistoryEntry { entry_id: entry.id };
        page.session().call_within(work.deadline.left(), go).await?;
        until_back(&page, &before, &address, work.deadline).await?;
        unless_unreachable(&page, requests, &entry.url)?;
    }
    Ok(Answer::showing().ran(BACK))
}

/// In the history there may be an address that could not be reached, and still cannot be.
fn unless_unreachable(page: &Page, requests: u64, url: &str) -> Result<(), ToolError> {
    if !page.url().starts_with("chrome-error:") {
        return Ok(());
    }
    let why = page.read(|books| {
        let mut since = books.journal.network.since(requests);
        since.find_map(|exchange| match &exchange.outcome {
            Outcome::Failed(why) if exchange.kind == "document" => Some(why.clone()),
            _ => None,
        })
    });
    let why = why.unwrap_or_else(|| "net::ERR_FAILED".to_owned());
    let told = format!("page.goBack: {why}. The page before is {url}");
    Err(unreachable(&told, &why))
}

/// Waits until the page stands elsewhere: in another document, or elsewhere in the same one.
async fn until_back(
    page: &Page,
    before: &Load,
    address: &str,
    deadline: Deadline,
) -> Result<(), ToolError> {
    let elsewhere = page.until(|books| {
        let main = books.frames.main_info()?;
        let is_new = main.load.loader != before.loader;
        (is_new || main.url != address || main.load.ended > before.ended).then_some(is_new)
    });
    match deadline.limit(elsewhere).await {
        Some(Some(true)) => until_loaded(page, "the page before", deadline).await,
        Some(Some(false)) => Ok(()),
        Some(None) => Err(ToolError::PageClosed),
        None => Err(waited("the page before", deadline)),
    }
}
