use std::fmt;
use std::path::{Path, PathBuf};

use super::places::{Places, is_executable};

/// The kinds of browser that Greenroom can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BrowserKind {
    /// Chromium, from a distribution or as Playwright builds it.
    Chromium,
    /// Google Chrome.
    Chrome,
    /// Microsoft Edge.
    Msedge,
    /// Firefox: a distribution's, driven over BiDi, or Playwright's own build.
    Firefox,
    /// WebKit, which exists only as Playwright's own build.
    Webkit,
}

impl BrowserKind {
    /// The name used in configuration and status.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Chrome => "chrome",
            Self::Msedge => "msedge",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }

    /// Whether the browser is one of the Chromium family, which speaks CDP.
    pub fn is_chromium_family(self) -> bool {
        matches!(self, Self::Chromium | Self::Chrome | Self::Msedge)
    }

    /// The command that installs it on Debian, or the page-free way to get it elsewhere.
    pub fn install_hint(self) -> &'static str {
        match self {
            Self::Chromium => "apt-get install chromium chromium-headless-shell",
            Self::Chrome => {
                "install the google-chrome-stable package, or set EXECUTABLE_PATH to a Chrome"
            }
            Self::Msedge => {
                "install the microsoft-edge-stable package, or set EXECUTABLE_PATH to an Edge"
            }
            Self::Firefox => "apt-get install firefox-esr",
            Self::Webkit => "npx playwright install --with-deps webkit",
        }
    }

    fn candidates(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &[
                "chromium",
                "chromium-browser",
                "/snap/bin/chromium",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
            ],
            Self::Chrome => &[
                "google-chrome-stable",
                "google-chrome",
                "/opt/google/chrome/chrome",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ],
            Self::Msedge => &[
                "microsoft-edge-stable",
                "microsoft-edge",
                "/opt/microsoft/msedge/msedge",
                "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
            ],
            Self::Firefox => &[
                "firefox-esr",
                "firefox",
                "/Applications/Firefox.app/Contents/MacOS/firefox",
            ],
            Self::Webkit => &[],
        }
    }

    fn playwright_builds(self) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            Self::Chromium => Some((
                "chromium",
                &[
                    "chrome-linux64/chrome",
                    "chrome-linux/chrome",
                    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
                ],
            )),
            Self::Firefox => Some(("firefox", &["firefox/firefox"])),
            Self::Webkit => Some(("webkit", &["pw_run.sh"])),
            Self::Chrome | Self::Msedge => None,
        }
    }
}

impl fmt::Display for BrowserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The headless shell: Chromium without a window system, a third lighter per process.
const SHELLS: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "/usr/lib/chromium/chromium-headless-shell",
];
const SHELL_BUILDS: &[&str] = &[
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-linux/headless_shell",
];

/// A browser that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBrowser {
    /// The executable.
    pub path: PathBuf,
    /// Whether it is the headless shell, which has no window at all.
    pub headless_shell: bool,
    /// Whether it is a build of Playwright's own, which Playwright finds by itself.
    pub playwright_build: bool,
}

/// No such browser, with where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} found: looked for {looked_for}; fix: {}", kind.install_hint())]
pub struct NotFound {
    /// What was asked for.
    pub kind: BrowserKind,
    looked_for: String,
}

/// Finds the browser of this kind. A path the user configured is taken as it is, once it proves to
/// be an executable file. Headless Chromium prefers the headless shell.
pub fn find_browser(
    kind: BrowserKind,
    headless: bool,
    configured: Option<&Path>,
    places: &Places,
) -> Result<FoundBrowser, NotFound> {
    let found = |path, headless_shell, playwright_build| FoundBrowser {
        path,
        headless_shell,
        playwright_build,
    };
    if let Some(path) = configured {
        return if is_executable(path) {
            let shell = path.to_string_lossy().contains("headless");
            Ok(found(path.to_owned(), shell, false))
        } else {
            Err(NotFound {
                kind,
                looked_for: format!("an executable file at {} (EXECUTABLE_PATH)", path.display()),
            })
        };
    }
    if kind == BrowserKind::Chromium && headless {
        if let Some(path) = SHELLS.iter().find_map(|name| places.locate(name)) {
            return Ok(found(path, true, false));
        }
        if let Some(path) = places.playwright_build("chromium_headless_shell", SHELL_BUILDS) {
            return Ok(found(path, true, true));
        }
    }
    if let Some(path) = kind
        .candidates()
        .iter()
        .find_map(|name| places.locate(name))
    {
        return Ok(found(path, false, false));
    }
    if let Some(path) = kind
        .playwright_builds()
        .and_then(|(family, files)| places.playwright_build(family, files))
    {
        return Ok(found(path, false, true));
    }
    Err(NotFound {
        kind,
        looked_for: describe_search(kind, places),
    })
}

fn describe_search(kind: BrowserKind, places: &Places) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !kind.candidates().is_empty() {
        parts.push(format!("{} on PATH", kind.candidates().join(", ")));
    }
    if let (Some((family, _)), Some(dir)) = (kind.playwright_builds(), &places.playwright_browsers)
    {
        parts.push(format!("{}/{family}-*", dir.display()));
    }
    parts.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn executable(dir: &Path, name: &str) -> PathBuf {
        let file = dir.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    fn places(dir: &Path) -> Places {
        Places {
            path: vec![dir.join("bin")],
            playwright_browsers: Some(dir.join("ms-playwright")),
            root: dir.join("root"),
        }
    }

    #[test]
    fn headless_chromium_prefers_the_headless_shell_and_headed_never_takes_it() {
        let dir = tempfile::tempdir().unwrap();
        let shell = executable(dir.path(), "bin/chromium-headless-shell");
        let full = executable(dir.path(), "bin/chromium");
        let places = places(dir.path());
        let headless = find_browser(BrowserKind::Chromium, true, None, &places).unwrap();
        assert_eq!((headless.path, headless.headless_shell), (shell, true));
        let headed = find_browser(BrowserKind::Chromium, false, None, &places).unwrap();
        assert_eq!((headed.path, headed.headless_shell), (full, false));
    }

    #[test]
    fn the_newest_build_of_playwright_is_taken_when_the_system_has_none() {
        let dir = tempfile::tempdir().unwrap();
        executable(dir.path(), "ms-playwright/webkit-999/pw_run.sh");
        let newest = executable(dir.path(), "ms-playwright/webkit-2203/pw_run.sh");
        let found = find_browser(BrowserKind::Webkit, true, None, &places(dir.path())).unwrap();
        assert_eq!((found.path, found.playwright_build), (newest, true));
    }

    #[test]
    fn chrome_is_found_below_opt() {
        let dir = tempfile::tempdir().unwrap();
        let chrome = executable(dir.path(), "root/opt/google/chrome/chrome");
        let found = find_browser(BrowserKind::Chrome, true, None, &places(dir.path())).unwrap();
        assert_eq!(found.path, chrome);
    }

    #[test]
    fn a_missing_browser_says_where_it_was_looked_for_and_what_installs_it() {
        let dir = tempfile::tempdir().unwrap();
        let error =
            find_browser(BrowserKind::Firefox, true, None, &places(dir.path())).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("firefox-esr, firefox"), "{text}");
        assert!(text.contains("apt-get install firefox-esr"), "{text}");
    }

    #[test]
    fn a_configured_path_is_used_alone_and_named_when_it_is_not_executable() {
        let dir = tempfile::tempdir().unwrap();
        executable(dir.path(), "bin/chromium");
        let wrong = dir.path().join("nothing");
        let error = find_browser(
            BrowserKind::Chromium,
            true,
            Some(&wrong),
            &places(dir.path()),
        );
        let text = error.unwrap_err().to_string();
        assert!(
            text.contains("EXECUTABLE_PATH") && text.contains("nothing"),
            "{text}"
        );
        let right = executable(dir.path(), "elsewhere/chrome");
        let found = find_browser(
            BrowserKind::Chromium,
            true,
            Some(&right),
            &places(dir.path()),
        );
        assert_eq!(found.unwrap().path, right);
    }

    #[test]
    fn a_directory_of_the_right_name_is_not_a_browser() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("bin/chromium")).unwrap();
        assert!(find_browser(BrowserKind::Chromium, false, None, &places(dir.path())).is_err());
    }
}
