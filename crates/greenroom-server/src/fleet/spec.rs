//! From settings to what an engine is started with.

use greenroom_browser::find::BrowserKind;
use greenroom_browser::{LaunchSpec, ViewportSize};
use greenroom_config::{Browser, InstanceSettings};

pub(super) fn launch_spec(settings: &InstanceSettings) -> LaunchSpec {
    LaunchSpec {
        headless: settings.headless,
        isolated: settings.isolated,
        timeout: settings.timeout,
        executable: settings.executable_path.clone(),
        args: settings.args.clone(),
        // Instances that differ in nothing but a directory that they do not use are alike.
        user_data_dir: settings.profile_dir.clone().filter(|_| !settings.isolated),
        storage_state: settings.storage_state.clone(),
        viewport: settings.viewport.map(|size| ViewportSize {
            width: size.width,
            height: size.height,
        }),
        user_agent: settings.user_agent.clone(),
        proxy_server: settings
            .proxy_server
            .as_ref()
            .map(|url| url.expose().to_owned()),
        ignore_https_errors: settings.ignore_https_errors,
        sandbox: settings.sandbox,
        cdp_endpoint: settings
            .cdp_endpoint
            .as_ref()
            .map(|url| url.expose().to_owned()),
        upstream_command: settings.upstream_command.clone(),
        wsl_windows: settings.wsl_windows,
        allow_run_code: settings.allow_run_code,
        ..LaunchSpec::new(browser_kind(settings.browser))
    }
}

/// The browser that a setting names, as the engines know it.
pub fn browser_kind(browser: Browser) -> BrowserKind {
    match browser {
        Browser::Chromium => BrowserKind::Chromium,
        Browser::Chrome => BrowserKind::Chrome,
        Browser::Msedge => BrowserKind::Msedge,
        Browser::Firefox => BrowserKind::Firefox,
        Browser::Webkit => BrowserKind::Webkit,
    }
}
