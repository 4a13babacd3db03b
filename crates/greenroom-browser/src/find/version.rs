use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// A program prints its version in well under a second; a browser on a cold disk needs longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that would not tell its version.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// It could not be run.
    #[error("{program} cannot be run: {source}")]
    Run {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// It ended badly.
    #[error("{program} --version failed: {detail}")]
    Failed {
        /// The program.
        program: String,
        /// Its exit status and the first line of what it said.
        detail: String,
    },
    /// It did not answer.
    #[error("{program} --version did not answer within {} s", PATIENCE.as_secs())]
    Silent {
        /// The program.
        program: String,
    },
}

/// The first line that `program --version` prints.
pub async fn program_version(program: &Path) -> Result<String, VersionError> {
    let name = program.display().to_string();
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, output)
        .await
        .map_err(|_| VersionError::Silent {
            program: name.clone(),
        })?
        .map_err(|source| VersionError::Run {
            program: name.clone(),
            source,
        })?;
    let first_line = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    if output.status.success() {
        Ok(first_line(&output.stdout))
    } else {
        Err(VersionError::Failed {
            program: name,
            detail: format!("{}: {}", output.status, first_line(&output.stderr)),
        })
    }
}
