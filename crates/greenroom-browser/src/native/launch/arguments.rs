//! The browser's command line.
//!
//! What is said for all worlds of a browser is said here, because it then holds for every page,
//! popup and worker from its first request on; what a world has of its own (a proxy, the size of
//! its pages) is said to the world.

use std::ffi::OsString;
use std::path::Path;

use crate::LaunchSpec;
use crate::call::EngineError;

use super::features::FeatureList;

/// A browser that does what it is told and nothing of its own accord.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    "--enable-automation",
    // No questions, no welcome, no reports.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-prompt-on-repost",
    "--disable-breakpad",
    "--disable-hang-monitor",
    "--noerrdialogs",
    "--password-store=basic",
    "--use-mock-keychain",
    // No traffic but that of the pages.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--no-service-autorun",
    // Every page is somebody's foremost page.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    // Popups are told of and held, not swallowed.
    "--disable-popup-blocking",
    // A page that is left is gone: one that is kept alive would come back without an event.
    "--disable-back-forward-cache",
    "--mute-audio",
    "--force-color-profile=srgb",
];

const HEADLESS: &[&str] = &[
    "--headless",
    "--hide-scrollbars",
    // Without a mouse to be seen, pages would take the machine for one without any.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

/// Features that fetch, ask or show things of their own.
const UNWANTED: &[&str] = &[
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "Translate",
];

/// What only we may say, with the setting that is meant for it.
const OURS: &[(&str, &str)] = &[
    ("--user-data-dir", "set USER_DATA_DIR"),
    ("--remote-debugging-pipe", "leave it out"),
    (
        "--remote-debugging-port",
        "leave it out, or set CDP_ENDPOINT",
    ),
    ("--remote-debugging-address", "leave it out"),
    ("--headless", "set HEADLESS"),
    ("--no-sandbox", "set SANDBOX=false"),
];

/// What the arguments depend on beside the instance itself.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    pub(super) profile: &'a Path,
    pub(super) sandboxed: bool,
    /// Whether shared memory is scarce, as it is in containers.
    pub(super) small_shm: bool,
}

/// All arguments, in order.
pub(super) fn arguments(
    spec: &LaunchSpec,
    at: &Circumstances<'_>,
) -> Result<Vec<OsString>, EngineError> {
    let mut args: Vec<String> = ALWAYS.iter().map(|&arg| arg.to_owned()).collect();
    let mut disabled = FeatureList::new("--disable-features", UNWANTED);
    let mut enabled = FeatureList::new("--enable-features", &[]);
    if spec.headless {
        args.extend(HEADLESS.iter().map(|&arg| arg.to_owned()));
    }
    if !at.sandboxed {
        args.push("--no-sandbox".to_owned());
    }
    if at.small_shm {
        args.push("--disable-dev-shm-usage".to_owned());
    }
    args.extend(of_spec(spec));
    for arg in &spec.args {
        refuse_ours(arg)?;
        if !disabled.take(arg) && !enabled.take(arg) {
            args.push(arg.clone());
        }
    }
    disabled.without(&enabled);
    args.extend(disabled.into_argument());
    args.extend(enabled.into_argument());
    let mut args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(at.profile);
    args.push(profile);
    args.push(first_page(spec).into());
    Ok(args)
}

fn of_spec(spec: &LaunchSpec) -> Vec<String> {
    let mut args = Vec::new();
    if let Some(agent) = &spec.user_agent {
        args.push(format!("--user-agent={agent}"));
    }
    if spec.ignore_https_errors {
        args.push("--ignore-certificate-errors".to_owned());
    }
    if let Some(size) = spec.viewport {
        args.push(format!("--window-size={},{}", size.width, size.height));
    }
    // Isolated worlds get it each for themselves; a profile has no other way.
    if let Some(proxy) = spec.proxy_server.as_ref().filter(|_| !spec.isolated) {
        args.push(format!("--proxy-server={proxy}"));
        args.push("--proxy-bypass-list=<-loopback>".to_owned());
    }
    args
}

/// Isolated worlds open pages of their own, and a page beside them would only cost memory.
fn first_page(spec: &LaunchSpec) -> &'static str {
    if spec.isolated {
        "--no-startup-window"
    } else {
        "about:blank"
    }
}

fn refuse_ours(arg: &str) -> Result<(), EngineError> {
    let name = arg.split_once('=').map_or(arg, |(name, _)| name);
    match OURS.iter().find(|(ours, _)| *ours == name) {
        Some((_, fix)) => Err(EngineError::NoBrowser {
            reason: format!("ARGS may not hold {name}, which Greenroom decides; {fix}"),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ViewportSize;
    use crate::find::BrowserKind;

    fn built(spec: &LaunchSpec) -> Result<Vec<String>, EngineError> {
        let at = Circumstances {
            profile: Path::new("/tmp/p"),
            sandboxed: true,
            small_shm: false,
        };
        let args = arguments(spec, &at)?.into_iter();
        Ok(args.map(|arg| arg.into_string().unwrap()).collect())
    }

    fn spec() -> LaunchSpec {
        LaunchSpec::new(BrowserKind::Chromium)
    }

    #[test]
    fn what_the_instance_is_to_be_becomes_arguments() {
        let spec = LaunchSpec {
            user_agent: Some("Mine/1.0 (x)".into()),
            ignore_https_errors: true,
            viewport: Some(ViewportSize {
                width: 800,
                height: 600,
            }),
            ..spec()
        };
        let args = built(&spec).unwrap();
        for expected in [
            "--headless",
            "--user-agent=Mine/1.0 (x)",
            "--ignore-certificate-errors",
            "--window-size=800,600",
            "--user-data-dir=/tmp/p",
        ] {
            assert!(args.iter().any(|arg| arg == expected), "{expected}");
        }
        assert_eq!(args.last().unwrap(), "--no-startup-window");
        assert!(!args.iter().any(|arg| arg == "--no-sandbox"));
    }

    #[test]
    fn a_profile_gets_its_proxy_from_the_command_line_and_a_page() {
        let spec = LaunchSpec {
            proxy_server: Some("http://proxy:3128".into()),
            isolated: false,
            headless: false,
            ..spec()
        };
        let args = built(&spec).unwrap();
        assert!(args.contains(&"--proxy-server=http://proxy:3128".to_owned()));
        assert!(!args.contains(&"--headless".to_owned()));
        assert_eq!(args.last().unwrap(), "about:blank");
    }

    #[test]
    fn the_users_arguments_are_added_and_their_features_joined_with_ours() {
        let spec = LaunchSpec {
            args: vec![
                "--lang=de".into(),
                "--disable-features=Mine".into(),
                "--enable-features=Translate".into(),
            ],
            ..spec()
        };
        let args = built(&spec).unwrap();
        assert!(args.contains(&"--lang=de".to_owned()));
        assert!(args.contains(&"--enable-features=Translate".to_owned()));
        let disabled: Vec<&String> = args
            .iter()
            .filter(|arg| arg.starts_with("--disable-features="))
            .collect();
        assert_eq!(disabled.len(), 1);
        assert!(disabled[0].ends_with(",Mine") && !disabled[0].contains("Translate"));
    }

    #[test]
    fn arguments_that_are_ours_are_refused_with_what_to_do_instead() {
        for (arg, fix) in [
            ("--user-data-dir=/home/me", "USER_DATA_DIR"),
            ("--remote-debugging-port=9222", "CDP_ENDPOINT"),
            ("--headless=old", "HEADLESS"),
        ] {
            let args = vec![arg.to_owned()];
            let error = built(&LaunchSpec { args, ..spec() }).unwrap_err();
            assert!(error.to_string().ends_with(fix), "{error}");
        }
    }
}
