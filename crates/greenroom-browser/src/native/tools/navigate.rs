//! `browser_navigate`.

use std::time::Duration;

use super::address::complete;
use super::arguments::Arguments;
use super::code::quote;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::deadline::Deadline;
use crate::native::page::{Load, Page, ToolError};
use crate::native::protocol::LoaderId;
use crate::native::protocol::page::Navigate;

/// How long the browser may take to show that a page cannot be had.
const SHOWN: Duration = Duration::from_millis(500);
/// How long pictures and the like are waited for, once the document itself is here.
const REST: Duration = Duration::from_secs(5);

pub(super) async fn navigate(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let url = complete(arguments.required("url")?)?;
    let page = work.page().await?;
    let line = format!("await page.goto({});", quote(&url));
    page.about_to(std::slice::from_ref(&line));
    go(&page, &url, work.deadline).await?;
    Ok(Answer::showing().ran(line))
}

/// Loads an address in a page.
pub(super) async fn go(page: &Page, url: &str, deadline: Deadline) -> Result<(), ToolError> {
    page.write(|books| books.journal.sent_elsewhere());
    let downloads = page.read(|books| books.journal.downloads.begun());
    let navigate = Navigate {
        url: url.to_owned(),
        ..Navigate::default()
    };
    let navigated = page.session().call_within(deadline.left(), navigate).await;
    let navigated = navigated.map_err(|error| late(error.into(), url, deadline))?;
    if let Some(why) = navigated.error_text {
        page.catch_up(deadline).await;
        let is_download = navigated.is_download.unwrap_or(false)
            || page.read(|books| books.journal.downloads.begun()) > downloads;
        if is_download {
            return Ok(());
        }
        until_shown(page, navigated.loader_id, deadline).await;
        return Err(unreachable(&format!("page.goto: {why} at {url}"), &why));
    }
    // None was begun within the same document.
    if navigated.loader_id.is_some() {
        page.catch_up(deadline).await;
        until_loaded(page, url, deadline).await?;
    }
    Ok(())
}

/// Waits for the browser's own page that says why there is none, so that answers agree on where
/// the page stands. There is none when the load was given up.
async fn until_shown(page: &Page, loader: Option<LoaderId>, deadline: Deadline) {
    let shown = page.until(|books| {
        let load = &books.frames.main_info()?.load;
        (Some(&load.loader) == loader.as_ref()).then_some(())
    });
    if loader.is_some() {
        deadline.at_most(SHOWN).limit(shown).await;
    }
}

/// Waits until a document has been read, and a while longer for what belongs to it.
pub(super) async fn until_loaded(
    page: &Page,
    url: &str,
    deadline: Deadline,
) -> Result<(), ToolError> {
    let read = page.until(|books| books.frames.main_info()?.load.is_read.then_some(()));
    match deadline.limit(read).await {
        Some(Some(())) => {}
        Some(None) => return Err(ToolError::PageClosed),
        None => return Err(waited(url, deadline)),
    }
    let is_over = |load: &Load| load.is_loaded && !load.is_loading;
    let loaded = page.until(|books| is_over(&books.frames.main_info()?.load).then_some(()));
    // A page that goes on loading is a page all the same.
    deadline.at_most(REST).limit(loaded).await;
    Ok(())
}

/// An address did not answer in time.
pub(super) fn waited(url: &str, deadline: Deadline) -> ToolError {
    ToolError::Waited {
        what: "page.goto".to_owned(),
        after: deadline.whole(),
        hint: format!(
            "{url} did not answer in time. Check the address, try again, or raise TIMEOUT."
        ),
    }
}

/// A server that does not answer is not a browser that does not.
fn late(error: ToolError, url: &str, deadline: Deadline) -> ToolError {
    use crate::native::error::CdpError;
    match error {
        ToolError::Browser(CdpError::Timeout { .. }) => waited(url, deadline),
        other => other,
    }
}

/// An address cannot be had: as the upstream tells it, and what to do about it.
pub(super) fn unreachable(told: &str, why: &str) -> ToolError {
    let advice = match why {
        "net::ERR_NAME_NOT_RESOLVED" => "There is no such host: check the address.",
        "net::ERR_CONNECTION_REFUSED" => {
            "Nothing listens there: check host and port, or start the server."
        }
        "net::ERR_INTERNET_DISCONNECTED" => "There is no network: try again later.",
        why if why.starts_with("net::ERR_CERT") => {
            "Its certificate is not trusted: use another address, or set IGNORE_HTTPS_ERRORS."
        }
        "net::ERR_ABORTED" => "The page gave the load up: take a snapshot to see where it stands.",
        _ => "Check the address, or try another one.",
    };
    ToolError::Argument(format!("{told}. {advice}"))
}
