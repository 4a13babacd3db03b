//! The browser as a whole: its version, its permissions, its downloads.

use serde::Serialize;

use super::{Command, ContextId, Done};

/// What becomes of downloads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DownloadBehavior {
    /// They are refused.
    #[default]
    Deny,
    /// They are kept under the name that `Page.downloadWillBegin` tells, which no page can choose.
    AllowAndName,
}

command! {
    /// What the browser is.
    GetVersion = "Browser.getVersion" -> Version {}

    /// Ends the browser in good order.
    Close = "Browser.close" -> Done {}

    /// Ends the browser in the worst order, for tests.
    Crash = "Browser.crash" -> Done {}

    /// Says what becomes of downloads, and whether they are told of.
    SetDownloadBehavior = "Browser.setDownloadBehavior" -> Done {
        behavior: DownloadBehavior,
        events_enabled: bool,
    } {
        browser_context_id: ContextId,
        download_path: String,
    }

    /// Stops a download.
    CancelDownload = "Browser.cancelDownload" -> Done { guid: String } {
        browser_context_id: ContextId,
    }

    /// Allows what pages must ask for.
    GrantPermissions = "Browser.grantPermissions" -> Done { permissions: Vec<String> } {
        origin: String,
        browser_context_id: ContextId,
    }

    /// Takes back all permissions that were granted.
    ResetPermissions = "Browser.resetPermissions" -> Done {} { browser_context_id: ContextId }
}

received! {
    /// What the browser is.
    Version {
        protocol_version: String,
        /// Such as `Chrome/156.0.0.0`, or `HeadlessChrome/…`.
        product: String,
        revision: String,
        user_agent: String,
        js_version: String,
    }
}
