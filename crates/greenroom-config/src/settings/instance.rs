//! Settings of one instance.

use std::path::PathBuf;
use std::time::Duration;

use crate::scope::InstanceId;
use crate::values::choices::{Browser, Engine, EngineChoice, Process, ProcessChoice};
use crate::values::secret::MaskedUrl;
use crate::values::value::{Viewport, Warmup};

/// One instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceSettings {
    /// Its id in the pool.
    pub id: InstanceId,
    /// Its second name.
    pub alias: Option<String>,
    /// The kind of browser.
    pub browser: Browser,
    /// The engine that was asked for; [`InstanceSettings::engine`] decides.
    pub engine_choice: EngineChoice,
    /// Whether it runs without a window.
    pub headless: bool,
    /// Whether its profile lives in memory.
    pub isolated: bool,
    /// The process that was asked for; [`InstanceSettings::process`] decides.
    pub process_choice: ProcessChoice,
    /// Deadline of one call.
    pub timeout: Duration,
    /// Whether the upstream runs with the Node.js of Windows.
    pub wsl_windows: bool,
    /// The browser program, if it is not to be looked for.
    pub executable_path: Option<PathBuf>,
    /// Further arguments of the browser.
    pub args: Vec<String>,
    /// Its profile directory, unless it is isolated.
    pub profile_dir: Option<PathBuf>,
    /// A file of cookies and storage to start with.
    pub storage_state: Option<PathBuf>,
    /// The size of the page.
    pub viewport: Option<Viewport>,
    /// The User-Agent that pages see.
    pub user_agent: Option<String>,
    /// The proxy of the browser.
    pub proxy_server: Option<MaskedUrl>,
    /// Whether invalid certificates are accepted.
    pub ignore_https_errors: bool,
    /// Chromium's sandbox; none means wherever it can work.
    pub sandbox: Option<bool>,
    /// A Chromium that runs elsewhere.
    pub cdp_endpoint: Option<MaskedUrl>,
    /// Whether `browser_run_code_unsafe` is served.
    pub allow_run_code: bool,
    /// The playwright-mcp command, if it is not to be looked for.
    pub upstream_command: Option<Vec<String>>,
    /// Idle time before a session is parked.
    pub session_timeout: Duration,
    /// Age at which a parked session is closed.
    pub session_ttl: Duration,
    /// Most tabs.
    pub max_tabs: usize,
    /// Calls after which it is replaced.
    pub recycle_after: Option<u64>,
    /// Age at which it is replaced.
    pub max_age: Option<Duration>,
    /// Memory, in mebibytes, above which it is replaced.
    pub memory_limit_mb: Option<u64>,
    /// What runs in it before it serves.
    pub warmup: Option<Warmup>,
    /// Time between two probes.
    pub health_check_interval: Duration,
    /// Time in which a probe must be answered.
    pub health_check_timeout: Duration,
    /// Missed probes in a row that make it failed.
    pub health_strikes: u32,
    /// Restarts within the window.
    pub max_restart_attempts: u32,
    /// The time in which restarts are counted.
    pub restart_window: Duration,
}

impl InstanceSettings {
    /// The engine that drives it.
    #[must_use]
    pub fn engine(&self) -> Engine {
        engine_of(self.engine_choice, self.browser, self.wsl_windows)
    }

    /// Whose browser process it lives in.
    #[must_use]
    pub fn process(&self) -> Process {
        match self.process_choice {
            ProcessChoice::Shared => Process::Shared,
            ProcessChoice::Dedicated => Process::Dedicated,
            ProcessChoice::Auto if self.isolated && self.engine() == Engine::Native => {
                Process::Shared
            }
            ProcessChoice::Auto => Process::Dedicated,
        }
    }
}

/// The engine that `auto` stands for: native for what it can drive. Browsers
/// on the Windows side are out of its reach.
pub(crate) fn engine_of(choice: EngineChoice, browser: Browser, wsl_windows: bool) -> Engine {
    match choice {
        EngineChoice::Native => Engine::Native,
        EngineChoice::Playwright => Engine::Playwright,
        EngineChoice::Auto if browser.is_chromium_kind() && !wsl_windows => Engine::Native,
        EngineChoice::Auto => Engine::Playwright,
    }
}
