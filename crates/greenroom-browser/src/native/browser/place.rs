//! What a world has in its browser, and gives back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::seats::Seat;
use super::shared::SharedBrowser;
use crate::call::{EngineError, Stage};
use crate::native::error::CdpError;
use crate::native::protocol::browser::{DownloadBehavior, SetDownloadBehavior};
use crate::native::protocol::target::{
    CloseTarget, CreateBrowserContext, CreateTarget, DisposeBrowserContext, FilterEntry,
    GetBrowserContexts, GetTargets,
};
use crate::native::protocol::{Command as _, ContextId, TargetId};

/// How long a world that nobody disposed of may take to be disposed of.
const LAST_RESORT: Duration = Duration::from_secs(5);

/// A context of a browser, or the browser's own profile.
///
/// One that is dropped before it was disposed of is disposed of in the background.
#[derive(Debug)]
pub struct Place {
    browser: Arc<SharedBrowser>,
    /// None for the browser's own profile.
    context: Option<ContextId>,
    downloads: Option<PathBuf>,
    /// Held until the place is given back.
    seat: Option<Seat>,
    /// Whether this is the last attempt to give it back.
    is_last_resort: bool,
}

impl Place {
    /// Makes a context.
    pub(super) async fn new_context(
        browser: Arc<SharedBrowser>,
        seat: Seat,
        deadline: Duration,
    ) -> Result<Self, CdpError> {
        let proxy_server = browser.settings().proxy_server.clone();
        let context = CreateBrowserContext {
            dispose_on_detach: Some(true),
            // Without this the browser goes straight to the machine's own services.
            proxy_bypass_list: proxy_server.is_some().then(|| "<-loopback>".to_owned()),
            proxy_server,
        };
        let made = browser.session().call_within(deadline, context).await;
        if matches!(made, Err(CdpError::Timeout { .. })) {
            // It may come to be after all, and nobody would know its name.
            browser.retire();
        }
        Ok(Self::new(browser, Some(made?.browser_context_id), seat))
    }

    /// The browser's own profile.
    pub(super) fn profile(browser: Arc<SharedBrowser>, seat: Seat) -> Self {
        Self::new(browser, None, seat)
    }

    fn new(browser: Arc<SharedBrowser>, context: Option<ContextId>, seat: Seat) -> Self {
        let name = context.as_ref().map_or("profile", ContextId::as_str);
        let downloads = browser.output().map(|output| output.join(name));
        Self {
            browser,
            context,
            downloads,
            seat: Some(seat),
            is_last_resort: false,
        }
    }

    /// The browser that it is in.
    pub fn browser(&self) -> &Arc<SharedBrowser> {
        &self.browser
    }

    /// Its context; none for the profile of a browser.
    pub fn context(&self) -> Option<&ContextId> {
        self.context.as_ref()
    }

    /// Where its downloads go; none where files are out of reach.
    pub fn downloads(&self) -> Option<&Path> {
        self.downloads.as_deref()
    }

    /// Opens a page.
    pub async fn open(&self, url: &str) -> Result<TargetId, CdpError> {
        let page = CreateTarget {
            url: url.to_owned(),
            browser_context_id: self.context.clone(),
            ..CreateTarget::default()
        };
        let opened = self.browser.session().call(page).await?;
        Ok(opened.target_id)
    }

    /// Closes a page without asking it.
    pub async fn close(&self, target_id: TargetId, within: Duration) -> Result<(), CdpError> {
        let close = CloseTarget { target_id };
        let closed = self.browser.session().call_within(within, close).await;
        closed.map(drop)
    }

    /// Each world has its own directory; where we could not read it, nothing is downloaded.
    pub(super) async fn keep_downloads_apart(&self) -> Result<(), CdpError> {
        let path = self.downloads.as_ref();
        let apart = SetDownloadBehavior {
            behavior: match path {
                Some(_) => DownloadBehavior::AllowAndName,
                None => DownloadBehavior::Deny,
            },
            events_enabled: true,
            browser_context_id: self.context.clone(),
            download_path: path.map(|path| path.to_string_lossy().into_owned()),
        };
        self.browser.session().call(apart).await.map(drop)
    }

    /// Closes all pages of the profile but one, and says which. A window must stay, or the browser
    /// may end.
    pub(super) async fn leave_only(&self, kept: &TargetId) -> Result<Vec<TargetId>, CdpError> {
        let browser = self.browser.session();
        let pages = GetTargets {
            filter: Some(vec![FilterEntry::only("page")]),
        };
        let (pages, contexts) =
            tokio::try_join!(browser.call(pages), browser.call(GetBrowserContexts {}))?;
        let mut closed = Vec::new();
        for page in pages.target_infos {
            let context = page.browser_context_id.as_ref();
            let of_profile = context.is_none_or(|id| !contexts.browser_context_ids.contains(id));
            if of_profile && page.target_id != *kept {
                let target_id = page.target_id;
                closed.push(target_id.clone());
                // It may have closed itself meanwhile.
                let _ = browser.call(CloseTarget { target_id }).await;
            }
        }
        Ok(closed)
    }

    /// Gives the place back: all that the world held is gone then. If that cannot be proved, the
    /// browser takes in nobody any more.
    pub async fn dispose(mut self, deadline: Duration) -> Result<(), EngineError> {
        self.browser.router().forget(self.context.as_ref());
        let cleared = timeout(deadline, self.clear(deadline)).await;
        let cleared = cleared.unwrap_or_else(|_| Err(late(deadline)));
        if let Err(error) = &cleared {
            tracing::warn!(%error, "a world could not be disposed of; its browser is retired");
            self.browser.retire();
        }
        if let Some(downloads) = &self.downloads {
            // Most worlds never downloaded anything, so that there is nothing to remove.
            let _ = tokio::fs::remove_dir_all(downloads).await;
        }
        drop(self.seat.take());
        self.browser.seat_given_back();
        cleared.map_err(|error| EngineError::ResetFailed {
            detail: error.to_string(),
        })
    }

    async fn clear(&self, deadline: Duration) -> Result<(), CdpError> {
        let Some(context) = &self.context else {
            let blank = self.open("about:blank").await?;
            return self.leave_only(&blank).await.map(drop);
        };
        let dispose = DisposeBrowserContext {
            browser_context_id: context.clone(),
        };
        let browser = self.browser.session();
        browser.call_within(deadline, dispose).await.map(drop)
    }
}

/// Clearing a profile takes several commands, which have one deadline together.
fn late(after: Duration) -> CdpError {
    CdpError::Timeout {
        method: CloseTarget::METHOD,
        stage: Stage::Answering,
        after,
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        let (Some(seat), Ok(runtime)) = (self.seat.take(), runtime) else {
            return;
        };
        if self.is_last_resort || !self.browser.is_alive() {
            drop(seat);
            self.browser.seat_given_back();
            return;
        }
        let last = Self {
            browser: self.browser.clone(),
            context: self.context.clone(),
            downloads: self.downloads.clone(),
            seat: Some(seat),
            is_last_resort: true,
        };
        runtime.spawn(last.dispose(LAST_RESORT));
    }
}
