//! Setting a damaged database aside without deleting anything.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::runs;
use crate::error::{Result, StoreError};
use crate::files;
use crate::timestamp::Timestamp;

/// Renames the database and all that stands beside it to `*.corrupt-<time>` and says the new name. Refused
/// while a process has the database open: renaming it would split its writes from its name.
pub fn quarantine(database: &Path) -> Result<PathBuf> {
    if runs::any_alive(database) {
        return Err(StoreError::InUse {
            path: database.to_owned(),
        });
    }
    let aside = free_name(database);
    fs::rename(database, &aside).map_err(StoreError::io(database))?;
    for suffix in ["-wal", "-shm", "-spool", "-blobs"] {
        let side = files::with_suffix(database, suffix);
        match fs::rename(&side, files::with_suffix(&aside, suffix)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::Io {
                    path: side,
                    source: error,
                });
            }
            _ => {}
        }
    }
    tracing::warn!(from = %database.display(), to = %aside.display(), "database set aside");
    Ok(aside)
}

/// Two quarantines within a second must not overwrite each other.
fn free_name(database: &Path) -> PathBuf {
    let second = Timestamp::now().as_millis() / 1000;
    (second..)
        .map(|time| files::with_suffix(database, &format!(".corrupt-{time}")))
        .find(|name| !name.exists())
        .expect("BUG: there is always a later second")
}
