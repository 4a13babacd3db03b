//! Reading the whole file to see whether it is sound.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, ErrorCode};

use crate::error::{Result, StoreError};

/// How thorough a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Pages and rows.
    Quick,
    /// And every index against its table.
    Whole,
}

/// Fails with [`StoreError::Corrupt`] when the file is not sound.
pub(crate) fn check(conn: &Connection, path: &Path, depth: Depth) -> Result<()> {
    let sql = match depth {
        Depth::Quick => "PRAGMA quick_check(1)",
        Depth::Whole => "PRAGMA integrity_check(1)",
    };
    let verdict: String = conn
        .query_row(sql, [], |row| row.get(0))
        .map_err(|error| StoreError::from(error).in_file(path))?;
    if verdict == "ok" {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        path: path.to_owned(),
        detail: verdict.replace('\n', " "),
    })
}

/// The same, given up as soon as `stop` is set. Answers whether it came to an end.
pub(crate) fn check_until(
    conn: &mut Connection,
    path: &Path,
    stop: &Arc<AtomicBool>,
) -> Result<bool> {
    const STEPS_BETWEEN_LOOKS: i32 = 10_000;
    let flag = Arc::clone(stop);
    conn.progress_handler(
        STEPS_BETWEEN_LOOKS,
        Some(move || flag.load(Ordering::Relaxed)),
    )?;
    let verdict = check(conn, path, Depth::Whole);
    conn.progress_handler(0, None::<fn() -> bool>)?;
    match verdict {
        Err(StoreError::Database(error)) if error.is_interrupted() => Ok(false),
        other => other.map(|()| true),
    }
}

impl crate::error::DatabaseError {
    fn is_interrupted(&self) -> bool {
        self.code() == Some(ErrorCode::OperationInterrupted)
    }
}
