//! One life of Greenroom on a data directory.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::data_dir::runs_directory;
use super::lock::{self, Claim, FileLock};
use super::marker::UniqueId;
use super::owner::Owner;
use super::remove::remove_tree;
use super::scratch::Scratch;
use super::sweep::{SweepReport, sweep};
use super::{blocking, link};
use crate::Error;

/// Sweepers of other processes can get in the way of a new run, but hardly this often.
const ATTEMPTS: usize = 16;

const REMOVE_DEADLINE: Duration = Duration::from_secs(2);

/// A run: a directory of its own, locked for as long as this value lives.
///
/// Several runs may share a data directory; each sweeps only what dead ones left. A run that is
/// dropped without [`Run::close`] leaves its directory to the next sweep.
#[derive(Debug)]
pub struct Run {
    id: UniqueId,
    path: PathBuf,
    link: PathBuf,
    /// Another name of `path`: the link, or the path itself where /tmp takes no links.
    short: PathBuf,
    children: AtomicU64,
    _lock: FileLock,
}

impl Run {
    /// Sweeps what dead runs left in this data directory, then opens a new one.
    pub async fn open(data_dir: impl Into<PathBuf>) -> Result<(Self, SweepReport), Error> {
        let data_dir = data_dir.into();
        let open = move || {
            let runs = runs_directory(&data_dir)?;
            let report = sweep(&runs)?;
            Ok((Self::create(&runs)?, report))
        };
        blocking(open).await?
    }

    fn create(runs: &Path) -> Result<Self, Error> {
        let failed = |source| Error::RunDirectory {
            path: runs.into(),
            source,
        };
        for _ in 0..ATTEMPTS {
            let id = UniqueId::fresh().map_err(failed)?;
            let path = runs.join(id.as_str());
            if let Some(lock) = claim_new(&path).map_err(failed)? {
                return Self::furnish(id, path, lock);
            }
        }
        Err(failed(ErrorKind::ResourceBusy.into()))
    }

    fn furnish(id: UniqueId, path: PathBuf, lock: FileLock) -> Result<Self, Error> {
        let link = link::choose().map_err(|source| Error::RunDirectory {
            path: path.clone(),
            source,
        })?;
        Owner::this_process(link.clone()).write(&path)?;
        let short = match link::make(&link, &path) {
            Ok(()) => link.clone(),
            Err(error) => {
                tracing::warn!(%error, "cannot link to the run's directory from /tmp; browsers may refuse its long path");
                path.clone()
            }
        };
        Ok(Self {
            id,
            path,
            link,
            short,
            children: AtomicU64::new(0),
            _lock: lock,
        })
    }

    /// The id that marks every process of this run.
    pub fn id(&self) -> &UniqueId {
        &self.id
    }

    /// The run's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Directories for one more child.
    pub fn scratch(&self, label: &str) -> Result<Scratch, Error> {
        let number = self.children.fetch_add(1, Ordering::Relaxed);
        Scratch::create(&self.path, &self.short, label, number)
    }

    /// Removes the run's directory. Its processes must have ended.
    pub async fn close(self) -> Result<(), Error> {
        blocking(move || self.remove()).await?
    }

    /// Blocks.
    pub(super) fn remove(&self) -> Result<(), Error> {
        link::remove(&self.link, &self.path);
        remove_tree(&self.path, REMOVE_DEADLINE).map_err(|source| Error::RunDirectory {
            path: self.path.clone(),
            source,
        })
    }
}

/// Makes the directory and locks it; none when a sweeper took it for dead in between.
fn claim_new(path: &Path) -> io::Result<Option<FileLock>> {
    DirBuilder::new().mode(0o700).create(path)?;
    match lock::create(path)? {
        Claim::Taken(lock) => Ok(Some(lock)),
        Claim::Held | Claim::Missing => Ok(None),
    }
}
