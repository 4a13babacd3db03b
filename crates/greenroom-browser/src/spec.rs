//! What an instance is to be, in words that belong to no engine and to no configuration file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::find::BrowserKind;

/// The time a call may take unless configured otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// The time a start may take: a cold disk and a busy machine included.
const DEFAULT_START_TIMEOUT: Duration = Duration::from_secs(30);

/// One instance, as an engine is asked to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchSpec {
    /// Which browser.
    pub kind: BrowserKind,
    /// Without a window.
    pub headless: bool,
    /// With a profile in memory, which goes with the world.
    pub isolated: bool,
    /// The longest that a call may take; the engine's own limits stay below it.
    pub timeout: Duration,
    /// The longest that a start may take.
    pub start_timeout: Duration,
    /// The browser's executable, if not the one that is found.
    pub executable: Option<PathBuf>,
    /// Further arguments of the browser.
    pub args: Vec<String>,
    /// The profile of an instance that is not isolated; a passing one if none is given.
    pub user_data_dir: Option<PathBuf>,
    /// Cookies and storage that an isolated world begins with.
    pub storage_state: Option<PathBuf>,
    /// The size of a page.
    pub viewport: Option<ViewportSize>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// The proxy for everything that the browser loads.
    pub proxy_server: Option<String>,
    /// Whether certificates are taken as they come.
    pub ignore_https_errors: bool,
    /// The sandbox of Chromium: on, off, or on where it can be.
    pub sandbox: Option<bool>,
    /// A browser that runs elsewhere, by the address of its websocket.
    pub cdp_endpoint: Option<String>,
    /// The upstream's command, if not the one that is found.
    pub upstream_command: Option<Vec<String>>,
    /// Whether the upstream runs with the Node.js of Windows, from WSL.
    pub wsl_windows: bool,
    /// Whether `browser_run_code_unsafe` may be called.
    pub allow_run_code: bool,
    /// Groups of tools beyond the core ones.
    pub capabilities: Vec<String>,
    /// Whether the browser is started with the instance rather than by its first call. Only a
    /// start that includes the browser proves that there is one.
    pub warm: bool,
}

/// The size of a page in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewportSize {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl LaunchSpec {
    /// The profile directory that outlives the instance, if it has one.
    pub(crate) fn kept_profile(&self) -> Option<&Path> {
        self.user_data_dir.as_deref().filter(|_| !self.isolated)
    }

    /// A headless, isolated, warm browser of this kind.
    pub fn new(kind: BrowserKind) -> Self {
        Self {
            kind,
            headless: true,
            isolated: true,
            timeout: DEFAULT_TIMEOUT,
            start_timeout: DEFAULT_START_TIMEOUT,
            executable: None,
            args: Vec::new(),
            user_data_dir: None,
            storage_state: None,
            viewport: None,
            user_agent: None,
            proxy_server: None,
            ignore_https_errors: false,
            sandbox: None,
            cdp_endpoint: None,
            upstream_command: None,
            wsl_windows: false,
            allow_run_code: false,
            capabilities: Vec::new(),
            warm: true,
        }
    }
}
