use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

/// Where the server of a data directory can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its process.
    pub pid: u32,
    /// Its URL for clients.
    pub url: String,
    /// Its socket for programs of the same user.
    pub socket: PathBuf,
}

/// Why a data directory cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// A server runs on it.
    #[error("a greenroom server already runs on {}{}; use that one, stop it, or choose another --data-dir", data_dir.display(), running.as_ref().map_or(String::new(), |r| format!(" at {} (pid {})", r.url, r.pid)))]
    Taken {
        /// The directory.
        data_dir: PathBuf,
        /// The server, if it has already said where it listens.
        running: Option<Running>,
    },
    /// The lock cannot be had.
    #[error("cannot lock {}: {source}; check the permissions of the data directory", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The right to be the server of a data directory, held until it is dropped. The kernel gives the
/// lock back when the process ends, however it ends.
#[derive(Debug)]
pub struct Claim {
    data_dir: PathBuf,
    _lock: File,
}

impl Claim {
    /// Claims the directory, which must exist.
    pub fn take(data_dir: &Path) -> Result<Self, ClaimError> {
        let path = data_dir.join("server.lock");
        let lock_error = |source| ClaimError::Lock {
            path: path.clone(),
            source,
        };
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(lock_error)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self {
                data_dir: data_dir.to_owned(),
                _lock: lock,
            }),
            Err(rustix::io::Errno::WOULDBLOCK) => Err(ClaimError::Taken {
                data_dir: data_dir.to_owned(),
                running: Running::read(data_dir),
            }),
            Err(errno) => Err(lock_error(errno.into())),
        }
    }

    /// Tells the other programs of this directory where the server listens.
    pub fn announce(&self, running: &Running) -> io::Result<()> {
        let file = Running::file(&self.data_dir);
        let fresh = file.with_extension("json.new");
        let mut file_of_ours = File::options();
        file_of_ours
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600);
        let text = serde_json::to_vec_pretty(running)?;
        file_of_ours.open(&fresh)?.write_all(&text)?;
        std::fs::rename(fresh, file)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Only what is already gone can fail to be removed; readers check that somebody answers.
        let _ = std::fs::remove_file(Running::file(&self.data_dir));
    }
}

impl Running {
    fn file(data_dir: &Path) -> PathBuf {
        data_dir.join("server.json")
    }

    /// What the server of this directory last announced. It may have died since: connect to find out.
    pub fn read(data_dir: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(Self::file(data_dir)).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_claim_is_refused_with_the_address_of_the_first_and_works_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let first = Claim::take(dir.path()).unwrap();
        let running = Running {
            pid: 7,
            url: "http://localhost:34501/mcp".to_owned(),
            socket: dir.path().join("s"),
        };
        first.announce(&running).unwrap();
        let refused = Claim::take(dir.path()).unwrap_err().to_string();
        assert!(
            refused.contains("http://localhost:34501/mcp (pid 7)"),
            "{refused}"
        );
        drop(first);
        assert_eq!(Running::read(dir.path()), None);
        Claim::take(dir.path()).unwrap();
    }
}
