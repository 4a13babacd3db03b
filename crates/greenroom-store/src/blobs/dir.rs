//! The directory of blobs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::BlobId;
use crate::error::{Result, StoreError};
use crate::files;

/// Where blobs are, and where they are written before they are complete.
#[derive(Debug)]
pub(crate) struct BlobDir {
    root: PathBuf,
    /// Of this run alone, so that what a dead run left can be told from what is being written.
    scratch: PathBuf,
    next: AtomicU64,
}

/// The directory is locked, shared or alone, until this is dropped.
#[derive(Debug)]
pub(crate) struct DirLock {
    _held: File,
}

impl BlobDir {
    pub(crate) fn open(database: &Path, run: &str) -> Result<Self> {
        let root = files::with_suffix(database, "-blobs");
        files::make_private_dir(&root)?;
        files::make_private_file(&root.join("lock"))?;
        let scratch = root.join("tmp").join(run);
        Ok(Self {
            root,
            scratch,
            next: AtomicU64::new(0),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn scratch_root(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where a blob is.
    pub(crate) fn path_of(&self, id: BlobId) -> PathBuf {
        let hex = id.hex();
        self.root.join(&hex[..2]).join(&hex[2..4]).join(hex)
    }

    /// A new file for a blob that is not complete.
    pub(crate) fn new_scratch(&self) -> Result<(PathBuf, File)> {
        files::make_private_dir(&self.scratch)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.scratch.join(number.to_string());
        let mut options = OpenOptions::new();
        let file = options.create_new(true).write(true).mode(0o600).open(&path);
        file.map(|file| (path.clone(), file))
            .map_err(StoreError::io(&path))
    }

    /// Waits until nobody removes files, and keeps it so.
    pub(crate) fn lock_shared(&self) -> Result<DirLock> {
        let path = self.root.join("lock");
        let lock = || -> io::Result<DirLock> {
            let held = File::open(&path)?;
            held.lock_shared()?;
            Ok(DirLock { _held: held })
        };
        lock().map_err(StoreError::io(&path))
    }

    /// Takes the directory alone, if nobody puts a file into its place now.
    pub(crate) fn try_lock_alone(&self) -> Result<Option<DirLock>> {
        let path = self.root.join("lock");
        let held = File::open(&path).map_err(StoreError::io(&path))?;
        match held.try_lock() {
            Ok(()) => Ok(Some(DirLock { _held: held })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StoreError::Io {
                path,
                source: error,
            }),
        }
    }

    /// Moves a complete file into its place and makes that durable. A file of the right size that
    /// is there already is the same one.
    pub(crate) fn place(&self, scratch: &Path, id: BlobId, size: u64) -> Result<()> {
        let path = self.path_of(id);
        let dir = path.parent().expect("BUG: a blob is two levels down");
        if path.exists() && files::size(&path) == size {
            return fs::remove_file(scratch).map_err(StoreError::io(scratch));
        }
        files::make_private_dir(dir)?;
        let place = || -> io::Result<()> {
            fs::rename(scratch, &path)?;
            // The directory, and those above it that may be new.
            dir.ancestors().take(3).try_for_each(files::sync_dir)
        };
        place().map_err(StoreError::io(&path))
    }

    /// Removes a file. One that is missing is fine: that was the aim.
    pub(crate) fn remove(&self, id: BlobId) {
        let path = self.path_of(id);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %path.display(), "a blob could not be removed");
        }
    }
}

impl Drop for BlobDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.scratch);
    }
}
