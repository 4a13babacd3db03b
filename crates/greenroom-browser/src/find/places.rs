use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where a search looks. Injected, so that tests search a directory of their own.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The directories of `PATH`, in order.
    pub path: Vec<PathBuf>,
    /// The directory into which Playwright installs its own browser builds.
    pub playwright_browsers: Option<PathBuf>,
    /// The root for absolute candidates such as `/opt/google/chrome/chrome`.
    pub root: PathBuf,
}

impl Places {
    /// Places as this environment describes them.
    pub fn from_env(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = lookup("PATH").unwrap_or_default();
        let home = lookup("HOME").map(PathBuf::from);
        let cache = if cfg!(target_os = "macos") {
            "Library/Caches"
        } else {
            ".cache"
        };
        Self {
            path: std::env::split_paths(&path)
                .filter(|dir| dir.is_absolute())
                .collect(),
            playwright_browsers: lookup("PLAYWRIGHT_BROWSERS_PATH")
                .map(PathBuf::from)
                .filter(|dir| dir.is_absolute())
                .or_else(|| home.map(|home| home.join(cache).join("ms-playwright"))),
            root: PathBuf::from("/"),
        }
    }

    /// The first executable of this name on `PATH`.
    pub fn on_path(&self, name: impl AsRef<OsStr>) -> Option<PathBuf> {
        let name = name.as_ref();
        self.path
            .iter()
            .map(|dir| dir.join(name))
            .find(|file| is_executable(file))
    }

    /// The candidate if it is an executable file: absolute ones below `root`, others on `PATH`.
    pub(super) fn locate(&self, candidate: &str) -> Option<PathBuf> {
        match candidate.strip_prefix('/') {
            Some(relative) => Some(self.root.join(relative)).filter(|file| is_executable(file)),
            None => self.on_path(candidate),
        }
    }

    /// The newest build of Playwright's own `family` (`chromium`, `webkit`…) that holds one of
    /// `files`. Builds are directories named `family-<revision>`.
    pub(super) fn playwright_build(&self, family: &str, files: &[&str]) -> Option<PathBuf> {
        let prefix = format!("{family}-");
        let mut builds: Vec<(u64, PathBuf)> = std::fs::read_dir(self.playwright_browsers.as_ref()?)
            .ok()?
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name();
                let revision = name.to_str()?.strip_prefix(&prefix)?.parse().ok()?;
                Some((revision, entry.path()))
            })
            .collect();
        builds.sort_by_key(|(revision, _)| std::cmp::Reverse(*revision));
        builds
            .iter()
            .flat_map(|(_, dir)| files.iter().map(move |file| dir.join(file)))
            .find(|file| is_executable(file))
    }
}

/// A regular file (or a link to one) with an execute bit.
pub(super) fn is_executable(file: &Path) -> bool {
    std::fs::metadata(file)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
