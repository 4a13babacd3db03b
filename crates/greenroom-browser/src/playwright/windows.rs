//! Paths for a program of Windows that is started from WSL.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Machine;
use crate::call::EngineError;
use crate::process::spawn_held;

/// How a program wants its paths written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathStyle {
    /// As they are.
    Unix,
    /// As Windows sees the file system of WSL.
    Windows {
        /// The tool of WSL that translates them.
        wslpath: PathBuf,
    },
}

impl PathStyle {
    /// The style for an upstream that runs on this side or on that of Windows.
    pub(super) fn choose(wsl_windows: bool, machine: &Machine) -> Result<Self, EngineError> {
        if !wsl_windows {
            return Ok(Self::Unix);
        }
        let wslpath = machine
            .places
            .on_path("wslpath")
            .ok_or_else(|| EngineError::Missing {
                what: "wslpath on PATH".to_owned(),
                fix: "WSL_WINDOWS works inside WSL only: remove it elsewhere".to_owned(),
            })?;
        Ok(Self::Windows { wslpath })
    }

    /// A path as an argument. A path that is no path of this side is one of Windows already.
    /// Runs a program, so it blocks.
    pub(super) fn argument(&self, path: &Path) -> Result<OsString, EngineError> {
        match self {
            Self::Windows { wslpath } if path.is_absolute() => translate(wslpath, path),
            Self::Unix | Self::Windows { .. } => Ok(path.into()),
        }
    }
}

fn translate(wslpath: &Path, path: &Path) -> Result<OsString, EngineError> {
    let run = || {
        let mut command = Command::new(wslpath);
        command.arg("-w").arg(path).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn_held(&mut command)?;
        let mut said = String::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_string(&mut said)?;
        }
        child.wait().map(|status| status.success().then_some(said))
    };
    let translated = run().ok().flatten().map(|said| said.trim().to_owned());
    match translated {
        Some(windows) if !windows.is_empty() => Ok(windows.into()),
        _ => Err(EngineError::Missing {
            what: format!("a name that Windows understands for {}", path.display()),
            fix: format!("see what `wslpath -w {}` says", path.display()),
        }),
    }
}
