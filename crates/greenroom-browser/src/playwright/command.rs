//! The upstream's command line, from what an instance is to be.
//!
//! Three options of the upstream work against a pool and are always set. It closes an idle browser
//! after an hour and says nothing (`--idle-timeout 0`). It lets a navigation take longer than a
//! call may (`--timeout-navigation`). It rests for half a second after every action
//! (`--timeout-settle`): that wait is for work which an action causes later, and Playwright itself
//! waits for a navigation that the action causes at once. Measured with links, forms, assignments
//! to `location`, resolved promises and timers of up to 5 ms, idle and under load, no rest at all
//! reported the new page every time, in Chromium and in Firefox. Tools that a page offers of its
//! own (`--no-webmcp`) are not collected: our list of tools must not change with the page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::windows::PathStyle;
use crate::Machine;
use crate::call::EngineError;
use crate::find::{BrowserKind, PINNED_UPSTREAM, find_browser, find_node, find_upstream};
use crate::spec::LaunchSpec;

/// The longest that an action may wait for its element, as the upstream itself has it.
const ACTION_TIMEOUT: Duration = Duration::from_secs(5);

/// A command, ready to be started.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UpstreamCommand {
    pub(super) program: PathBuf,
    pub(super) args: Vec<OsString>,
    /// What has no option of its own, to be written to [`Directories::config`].
    pub(super) config: Value,
}

/// Where an upstream keeps its things.
#[derive(Debug, Clone)]
pub(super) struct Directories {
    /// Where it runs and writes.
    pub(super) output: PathBuf,
    /// A profile that goes with the instance.
    pub(super) profile: PathBuf,
    /// The file for its configuration.
    pub(super) config: PathBuf,
}

/// Builds the command. Looks for programs, so it blocks.
pub(super) fn build(
    spec: &LaunchSpec,
    machine: &Machine,
    directories: &Directories,
    paths: &PathStyle,
) -> Result<UpstreamCommand, EngineError> {
    let (program, leading) = upstream(spec, machine, paths)?;
    let mut options = Options {
        args: leading,
        paths,
    };
    browser(spec, machine, &mut options)?;
    profile(spec, directories, &mut options)?;
    behaviour(spec, &mut options);
    options.path("--output-dir", &directories.output)?;
    options.path("--config", &directories.config)?;
    Ok(UpstreamCommand {
        program,
        args: options.args,
        config: config(spec),
    })
}

/// What to run, and the arguments that come first: configured, or the pinned one with Node.
fn upstream(
    spec: &LaunchSpec,
    machine: &Machine,
    paths: &PathStyle,
) -> Result<(PathBuf, Vec<OsString>), EngineError> {
    if let Some([program, args @ ..]) = spec.upstream_command.as_deref() {
        return Ok((program.into(), args.iter().map(Into::into).collect()));
    }
    let found = find_upstream(machine.program.as_deref(), &machine.data_dir);
    let upstream = found.ok_or_else(|| EngineError::Missing {
        what: format!("@playwright/mcp {PINNED_UPSTREAM}"),
        fix: "run `greenroom doctor --fix`, or set UPSTREAM_COMMAND".to_owned(),
    })?;
    let node = match paths {
        PathStyle::Unix => find_node(&machine.places),
        PathStyle::Windows { .. } => machine.places.on_path("node.exe"),
    };
    let node = node.ok_or_else(|| missing_node(paths))?;
    Ok((node, vec![paths.argument(&upstream.cli)?]))
}

fn missing_node(paths: &PathStyle) -> EngineError {
    let (what, fix) = match paths {
        PathStyle::Unix => ("Node.js on PATH", "apt-get install nodejs"),
        PathStyle::Windows { .. } => (
            "node.exe on PATH",
            "install Node.js on Windows and let WSL see the PATH of Windows",
        ),
    };
    EngineError::Missing {
        what: what.to_owned(),
        fix: fix.to_owned(),
    }
}

/// Which browser, and how it is started.
fn browser(
    spec: &LaunchSpec,
    machine: &Machine,
    options: &mut Options<'_>,
) -> Result<(), EngineError> {
    let (name, executable) = match options.paths {
        PathStyle::Unix => found_browser(spec, machine)?,
        // Windows has its own browsers, which the upstream finds there.
        PathStyle::Windows { .. } => (spec.kind.as_str(), spec.executable.clone()),
    };
    options.value("--browser", name);
    if let Some(executable) = executable {
        options.path("--executable-path", &executable)?;
    }
    if spec.headless {
        options.flag("--headless");
    }
    if spec.kind.is_chromium_family() && !spec.wsl_windows {
        let sandboxed = spec
            .sandbox
            .unwrap_or_else(|| machine.sandbox.is_available());
        options.flag(if sandboxed {
            "--sandbox"
        } else {
            "--no-sandbox"
        });
    }
    Ok(())
}

/// The upstream's name for the browser, and its executable where the upstream would not find it.
fn found_browser(
    spec: &LaunchSpec,
    machine: &Machine,
) -> Result<(&'static str, Option<PathBuf>), EngineError> {
    let configured = spec.executable.as_deref();
    let found =
        find_browser(spec.kind, spec.headless, configured, &machine.places).map_err(|error| {
            EngineError::NoBrowser {
                reason: error.to_string(),
            }
        })?;
    let own_build = found.playwright_build || is_own_build(&found.path, machine);
    let name = match spec.kind {
        // Only a build of Playwright's own speaks its protocol for Firefox; others speak BiDi.
        BrowserKind::Firefox if !own_build => "moz-firefox",
        kind => kind.as_str(),
    };
    let by_itself = configured.is_none()
        && match spec.kind {
            BrowserKind::Chrome | BrowserKind::Msedge => true,
            _ => found.playwright_build && !found.headless_shell,
        };
    Ok((name, (!by_itself).then_some(found.path)))
}

fn is_own_build(path: &Path, machine: &Machine) -> bool {
    let builds = machine.places.playwright_browsers.as_deref();
    builds.is_some_and(|builds| path.starts_with(builds))
}

fn profile(
    spec: &LaunchSpec,
    directories: &Directories,
    options: &mut Options<'_>,
) -> Result<(), EngineError> {
    if !spec.isolated {
        let profile = spec.user_data_dir.as_ref().unwrap_or(&directories.profile);
        return options.path("--user-data-dir", profile);
    }
    options.flag("--isolated");
    match &spec.storage_state {
        Some(state) => options.path("--storage-state", state),
        None => Ok(()),
    }
}

fn behaviour(spec: &LaunchSpec, options: &mut Options<'_>) {
    let navigation = below(spec.timeout);
    options.milliseconds("--timeout-settle", settle(spec.kind));
    options.milliseconds("--timeout-navigation", navigation);
    options.milliseconds("--timeout-action", navigation.min(ACTION_TIMEOUT));
    options.milliseconds("--idle-timeout", Duration::ZERO);
    options.flag("--no-webmcp");
    if let Some(size) = spec.viewport {
        options.value(
            "--viewport-size",
            &format!("{}x{}", size.width, size.height),
        );
    }
    if let Some(agent) = &spec.user_agent {
        options.value("--user-agent", agent);
    }
    if let Some(proxy) = &spec.proxy_server {
        options.value("--proxy-server", proxy);
    }
    if spec.ignore_https_errors {
        options.flag("--ignore-https-errors");
    }
    if !spec.capabilities.is_empty() {
        options.value("--caps", &spec.capabilities.join(","));
    }
}

/// How long the upstream rests after an action. WebKit could not be measured, and a frame or so
/// is little beside what its actions take.
fn settle(kind: BrowserKind) -> Duration {
    match kind {
        BrowserKind::Webkit => Duration::from_millis(20),
        _ => Duration::ZERO,
    }
}

/// A little less than a call may take, so that the upstream's own words arrive in time.
fn below(timeout: Duration) -> Duration {
    let margin = (timeout / 10).clamp(Duration::from_millis(250), Duration::from_secs(2));
    timeout.saturating_sub(margin).max(timeout / 2)
}

/// What has no option: arguments of the browser, and a window where there may be no display, for
/// else the upstream would go without one and not say so.
fn config(spec: &LaunchSpec) -> Value {
    let mut launch = Map::new();
    launch.insert("headless".to_owned(), spec.headless.into());
    if !spec.args.is_empty() {
        launch.insert("args".to_owned(), json!(spec.args));
    }
    if spec.kind == BrowserKind::Firefox {
        // A page that Firefox kept in memory comes back without an event over BiDi, for which
        // `browser_navigate_back` then waits in vain. Playwright's Chromium keeps none either.
        let preferences = json!({"browser.sessionhistory.max_total_viewers": 0});
        launch.insert("firefoxUserPrefs".to_owned(), preferences);
    }
    json!({"browser": {"launchOptions": launch}})
}

struct Options<'a> {
    args: Vec<OsString>,
    paths: &'a PathStyle,
}

impl Options<'_> {
    fn flag(&mut self, name: &str) {
        self.args.push(name.into());
    }

    fn value(&mut self, name: &str, value: &str) {
        self.args.extend([name.into(), value.into()]);
    }

    fn milliseconds(&mut self, name: &str, value: Duration) {
        self.value(name, &value.as_millis().to_string());
    }

    fn path(&mut self, name: &str, path: &Path) -> Result<(), EngineError> {
        let path = self.paths.argument(path)?;
        self.args.extend([name.into(), path]);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
