//! The way from a path to a connection that may be written to.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::check::{self, Depth};
use super::runs::{self, DeadRun, RunId, RunLock};
use super::schema::{self, Origin};
use super::{connection, header};
use crate::error::{Result, StoreError};
use crate::files;
use crate::options::{Check, Options};

/// Up to 3.51.2 a write that raced the reset of the log could corrupt the file.
const OLDEST_SOUND_SQLITE: i32 = 3_051_003;

/// A database that is ready.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    pub(crate) conn: Connection,
    pub(crate) run: RunId,
    pub(crate) lock: RunLock,
    /// A run was killed and the file is too large to be checked before it serves.
    pub(crate) check_due: bool,
}

pub(crate) fn open(path: &Path, options: &Options) -> Result<Opened> {
    sound_sqlite()?;
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        files::make_private_dir(dir)?;
    }
    files::make_private_file(path)?;
    open_file(path, options).map_err(|error| error.in_file(path))
}

fn sound_sqlite() -> Result<()> {
    if rusqlite::version_number() < OLDEST_SOUND_SQLITE {
        return Err(StoreError::OldSqlite {
            found: rusqlite::version(),
        });
    }
    Ok(())
}

fn open_file(path: &Path, options: &Options) -> Result<Opened> {
    let origin = look(path, options)?;
    // Locked before its row exists, so that nobody can take this run for a dead one.
    let lock = RunLock::acquire(path)?;
    let mut conn = connection::open_writer(path, options)?;
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::NoSharedMemory {
            path: path.to_owned(),
        });
    }
    let dead = match origin {
        Origin::New => Vec::new(),
        _ => runs::dead(&conn, path)?,
    };
    let check_due = check_if_needed(&conn, path, options, !dead.is_empty())?;
    schema::migrate(&mut conn)?;
    let run = enter(&mut conn, path, &dead, &lock)?;
    Ok(Opened {
        path: path.to_owned(),
        conn,
        run,
        lock,
        check_due,
    })
}

/// Looks before anything is written: not even the journal mode of another program's file changes.
fn look(path: &Path, options: &Options) -> Result<Origin> {
    if let Some(detail) = header::cut_short(path).map_err(StoreError::io(path))? {
        return Err(StoreError::Corrupt {
            path: path.to_owned(),
            detail,
        });
    }
    if files::size(path) == 0 {
        return Ok(Origin::New);
    }
    let conn = Connection::open(path)?;
    conn.busy_timeout(options.busy_timeout)?;
    match schema::origin(&conn)? {
        Origin::Foreign => Err(StoreError::Foreign {
            path: path.to_owned(),
        }),
        Origin::Newer { version: found } => {
            let known = schema::newest();
            Err(StoreError::NewerSchema {
                path: path.to_owned(),
                found,
                known,
            })
        }
        known => Ok(known),
    }
}

fn enter(conn: &mut Connection, path: &Path, dead: &[DeadRun], lock: &RunLock) -> Result<RunId> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    runs::bury(&tx, dead)?;
    let run = runs::begin(&tx, lock)?;
    tx.commit()?;
    if !dead.is_empty() {
        runs::forget(path, dead);
        tracing::warn!(
            runs = dead.len(),
            "a former run ended without closing the database"
        );
    }
    Ok(run)
}

/// Answers whether a check is still due.
fn check_if_needed(
    conn: &Connection,
    path: &Path,
    options: &Options,
    unclean: bool,
) -> Result<bool> {
    let large = files::size(path) > options.check_inline_bytes;
    match options.check {
        Check::Always => {}
        Check::AfterUncleanEnd if !unclean => return Ok(false),
        Check::AfterUncleanEnd if large => return Ok(true),
        Check::AfterUncleanEnd => {}
    }
    check::check(conn, path, Depth::Whole)?;
    Ok(false)
}
