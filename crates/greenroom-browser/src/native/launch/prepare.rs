//! What a start needs to know before there is a process: all that takes looking at the disk.

use std::ffi::OsString;
use std::path::PathBuf;

use super::arguments::{self, Circumstances};
use super::wrapper;
use crate::call::EngineError;
use crate::find::{FoundBrowser, find_browser};
use crate::process::{FileLock, Scratch};
use crate::{Error, LaunchSpec, Machine, profile};

/// Less shared memory than this, and pages crash that need much of it.
const ENOUGH_SHM: u64 = 512 << 20;

/// Everything that a start needs and that takes looking at the disk.
pub(super) struct Prepared {
    pub(super) program: PathBuf,
    pub(super) args: Vec<OsString>,
    pub(super) lock: Option<FileLock>,
}

/// Looks for the browser and takes its profile.
pub(super) async fn prepare(
    spec: LaunchSpec,
    machine: Machine,
    scratch: &Scratch,
) -> Result<Prepared, EngineError> {
    let passing = scratch.profile();
    let work = move || {
        let browser = find(&spec, &machine)?;
        let sandboxed = spec
            .sandbox
            .unwrap_or_else(|| machine.sandbox.is_available());
        let circumstances = Circumstances {
            profile: spec.kept_profile().unwrap_or(&passing),
            sandboxed,
            small_shm: shared_memory() < ENOUGH_SHM,
        };
        let args = arguments::arguments(&spec, &circumstances)?;
        Ok(Prepared {
            lock: profile::take(&spec, &machine.data_dir)?,
            program: wrapper::unwrapped(browser.path),
            args,
        })
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Supervision {
        source: std::io::Error::other(error),
    })?
}

fn find(spec: &LaunchSpec, machine: &Machine) -> Result<FoundBrowser, EngineError> {
    if !spec.kind.is_chromium_family() {
        let kind = spec.kind;
        return Err(EngineError::NoBrowser {
            reason: format!(
                "the native engine drives Chromium only, not {kind}; set ENGINE=playwright or BROWSER=chromium"
            ),
        });
    }
    let configured = spec.executable.as_deref();
    let found = find_browser(spec.kind, spec.headless, configured, &machine.places);
    let found = found.map_err(|error| EngineError::NoBrowser {
        reason: error.to_string(),
    })?;
    if found.headless_shell && !spec.headless {
        let path = found.path.display();
        return Err(EngineError::NoBrowser {
            reason: format!("{path} has no windows; set HEADLESS=true or another EXECUTABLE_PATH"),
        });
    }
    Ok(found)
}

/// How much shared memory there can be; none where it cannot be told.
fn shared_memory() -> u64 {
    rustix::fs::statvfs("/dev/shm").map_or(0, |shm| shm.f_blocks.saturating_mul(shm.f_frsize))
}
