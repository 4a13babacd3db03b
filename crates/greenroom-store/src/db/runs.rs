//! Who has the database open, and who had.
//!
//! Several processes may share one file. Each is a *run*: a row in the database and a lock file
//! beside it, locked for as long as the process lives, whatever ends it. A run whose row has no
//! end and whose lock is free was killed. Its calls that still ran have an unknown outcome, and
//! its sessions are parked: their browsers are gone.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use crate::error::{Result, StoreError};
use crate::files;
use crate::timestamp::Timestamp;

/// The lock of this process on one database. The system frees it when the process ends.
#[derive(Debug)]
pub(crate) struct RunLock {
    token: String,
    file: PathBuf,
    _held: File,
}

/// A run without an end whose process is gone.
#[derive(Debug)]
pub(crate) struct DeadRun {
    id: RunId,
    token: String,
}

/// The row of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunId(i64);

impl RunLock {
    pub(crate) fn acquire(database: &Path) -> Result<Self> {
        let dir = lock_dir(database);
        files::make_private_dir(&dir)?;
        let token = Uuid::now_v7().simple().to_string();
        let file = lock_file(database, &token);
        let held = OpenOptions::new()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(&file)
            .and_then(|held| held.lock().map(|()| held))
            .map_err(StoreError::io(&file))?;
        Ok(Self {
            token,
            file,
            _held: held,
        })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// Whether the process that has this run still lives.
pub(crate) fn is_alive(database: &Path, token: &str) -> bool {
    match File::open(lock_file(database, token)) {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Whether any process has the database open, found without opening it.
pub(crate) fn any_alive(database: &Path) -> bool {
    let Ok(entries) = fs::read_dir(lock_dir(database)) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let token = name.to_str().and_then(|name| name.strip_suffix(".lock"));
        token.is_some_and(|token| is_alive(database, token))
    })
}

/// The runs that were killed.
pub(crate) fn dead(conn: &Connection, database: &Path) -> rusqlite::Result<Vec<DeadRun>> {
    let mut statement = conn.prepare_cached("SELECT id, token FROM runs WHERE ended_at IS NULL")?;
    let open = statement.query_map([], |row| {
        Ok(DeadRun {
            id: RunId(row.get(0)?),
            token: row.get(1)?,
        })
    })?;
    let mut open: Vec<DeadRun> = open.collect::<rusqlite::Result<_>>()?;
    open.retain(|run| !is_alive(database, &run.token));
    Ok(open)
}

/// Gives an outcome to what dead runs left. Their locks are forgotten by the caller, once this
/// is committed.
pub(crate) fn bury(conn: &Connection, dead: &[DeadRun]) -> rusqlite::Result<()> {
    dead.iter().try_for_each(|run| end(conn, run.id))
}

/// Removes the lock files of dead runs.
pub(crate) fn forget(database: &Path, dead: &[DeadRun]) {
    for run in dead {
        let _ = fs::remove_file(lock_file(database, &run.token));
    }
}

/// Enters this run.
pub(crate) fn begin(conn: &Connection, lock: &RunLock) -> rusqlite::Result<RunId> {
    conn.execute(
        "INSERT INTO runs (token, pid, first_seq, started_at) \
         VALUES (?1, ?2, (SELECT coalesce(max(seq), 0) FROM calls), ?3)",
        params![lock.token(), std::process::id(), Timestamp::now()],
    )?;
    Ok(RunId(conn.last_insert_rowid()))
}

/// The process of a run other than this one that still lives.
pub(crate) fn live_pid(
    conn: &Connection,
    database: &Path,
    run: RunId,
) -> rusqlite::Result<Option<u32>> {
    let open: Option<(String, u32)> = conn
        .prepare_cached("SELECT token, pid FROM runs WHERE id = ?1 AND ended_at IS NULL")?
        .query_row(params![run], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(open
        .filter(|(token, _)| is_alive(database, token))
        .map(|(_, pid)| pid))
}

/// Ends a run, one's own at its close or a dead one's.
pub(crate) fn end(conn: &Connection, run: RunId) -> rusqlite::Result<()> {
    conn.execute(
        "UPDATE calls SET outcome = 'unknown' WHERE outcome = 'running' AND run = ?1 \
         AND seq >= (SELECT first_seq FROM runs WHERE id = ?1)",
        params![run],
    )?;
    conn.execute(
        "UPDATE sessions SET state = 'parked', run = NULL WHERE state = 'active' AND run = ?1",
        params![run],
    )?;
    conn.execute(
        "UPDATE runs SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL",
        params![run, Timestamp::now()],
    )?;
    Ok(())
}

fn lock_dir(database: &Path) -> PathBuf {
    files::with_suffix(database, "-runs")
}

fn lock_file(database: &Path, token: &str) -> PathBuf {
    lock_dir(database).join(format!("{token}.lock"))
}

impl rusqlite::types::FromSql for RunId {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        value.as_i64().map(Self)
    }
}

impl rusqlite::ToSql for RunId {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_lives_exactly_as_long_as_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("g.db");
        assert!(!any_alive(&database));
        let lock = RunLock::acquire(&database).unwrap();
        let token = lock.token().to_owned();
        assert!(is_alive(&database, &token));
        assert!(any_alive(&database));
        drop(lock);
        assert!(!is_alive(&database, &token));
        assert!(!any_alive(&database));
    }

    #[test]
    fn a_lock_file_that_nobody_holds_is_that_of_a_dead_run() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("g.db");
        files::make_private_dir(&lock_dir(&database)).unwrap();
        fs::write(lock_file(&database, "left"), "").unwrap();
        assert!(!is_alive(&database, "left"));
    }
}
