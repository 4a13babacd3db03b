//! Files and directories that only their owner may read, and names beside a database.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};

/// Makes the directory, and those above it, readable by the owner only. One that exists is left as
/// it is: it may be shared on purpose, and the files in it are private anyway.
pub(crate) fn make_private_dir(dir: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(StoreError::io(dir))
}

/// Makes the file if it is missing, and private in any case. SQLite gives its side files the
/// permissions of the database, so this holds for them as well.
pub(crate) fn make_private_file(path: &Path) -> Result<()> {
    let make = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).mode(0o600).open(path)?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(())
    };
    make().map_err(StoreError::io(path))
}

/// Makes a rename or a new name in this directory durable.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// The name with something appended: `greenroom.db` and `-wal` give `greenroom.db-wal`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The size of a file, zero where there is none.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path)
        .map(|meta| meta.len())
        .unwrap_or_default()
}
