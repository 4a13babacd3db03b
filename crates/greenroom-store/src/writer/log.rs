//! Folding the write-ahead log back into the file.
//!
//! SQLite would do this inside the commit that makes the log too long, while a caller waits for it.
//! Here a thread of its own does it beside the writer, which goes on appending. Only a log that
//! grows faster than that thread folds it is folded by the writer itself, since a log can start
//! over only when all of it is folded, and would otherwise grow without bound.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use crate::db::connection;
use crate::error::{Result, StoreError};
use crate::options::Options;

/// Pages that wait to be folded before it is worth its while: 4 MiB.
const WORTHWHILE: i64 = 1024;

/// Pages in the log, folded or not, from which on it must start over: 64 MiB.
const OVERLONG: i64 = 16_384;

/// Pages in the log, and how many of them are in the file as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Log {
    pages: i64,
    folded: i64,
}

/// The thread that folds.
#[derive(Debug)]
pub(crate) struct Folder {
    wake: SyncSender<()>,
    thread: JoinHandle<()>,
}

impl Folder {
    pub(crate) fn start(path: PathBuf, options: Options) -> Result<Self> {
        // One word is enough to wake it, and more are not kept.
        let (wake, woken) = sync_channel(1);
        let name = path.clone();
        let thread = thread::Builder::new()
            .name("store-folder".into())
            .spawn(move || run(&path, &options, &woken))
            .map_err(StoreError::io(&name))?;
        Ok(Self { wake, thread })
    }

    /// After a commit: wakes the thread if there is something to do, or does it here if it must be.
    pub(crate) fn look_after(&self, conn: &Connection) -> rusqlite::Result<()> {
        let log = look(conn, "PRAGMA wal_checkpoint(NOOP)")?;
        if log.pages >= OVERLONG {
            fold(conn)?;
        } else if log.pages - log.folded >= WORTHWHILE {
            let _ = self.wake.try_send(());
        }
        Ok(())
    }

    /// Ends the thread and waits for it to let go of the database.
    pub(crate) fn stop(self) {
        drop(self.wake);
        let _ = self.thread.join();
    }
}

fn run(path: &std::path::Path, options: &Options, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        // Opened anew each time: it is seldom, and nothing of it can then outlive a failing disk.
        let folded = connection::open_writer(path, options).and_then(|conn| fold(&conn));
        if let Err(error) = folded {
            tracing::warn!(%error, "the log could not be folded into the database");
        }
    }
}

/// Folds what no reader still needs, and waits for nobody.
fn fold(conn: &Connection) -> rusqlite::Result<()> {
    look(conn, "PRAGMA wal_checkpoint(PASSIVE)").map(|_| ())
}

/// Folds everything and empties the log file, where no one else stands in the way.
pub(crate) fn fold_all(conn: &Connection) -> rusqlite::Result<()> {
    look(conn, "PRAGMA wal_checkpoint(TRUNCATE)").map(|_| ())
}

fn look(conn: &Connection, pragma: &str) -> rusqlite::Result<Log> {
    conn.prepare_cached(pragma)?.query_row([], |row| {
        Ok(Log {
            pages: row.get(1)?,
            folded: row.get(2)?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(conn: &Connection) -> Log {
        look(conn, "PRAGMA wal_checkpoint(NOOP)").unwrap()
    }

    fn grow(conn: &Connection, bytes: usize) {
        conn.execute("INSERT INTO t VALUES (zeroblob(?1))", [bytes])
            .unwrap();
    }

    #[test]
    fn a_short_log_is_left_alone_a_long_one_folded_beside_and_an_overlong_one_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.db");
        std::fs::write(&path, "").unwrap();
        let conn = connection::open_writer(&path, &Options::default()).unwrap();
        conn.execute_batch("CREATE TABLE t (x)").unwrap();
        let folder = Folder::start(path, Options::default()).unwrap();
        folder.look_after(&conn).unwrap();
        assert_eq!(log(&conn).folded, 0);

        grow(&conn, 5 << 20);
        assert!(log(&conn).pages > WORTHWHILE);
        folder.look_after(&conn).unwrap();
        folder.stop();
        assert_eq!(log(&conn).folded, log(&conn).pages);

        let (wake, _never_woken) = sync_channel(1);
        let asleep = Folder {
            wake,
            thread: thread::spawn(|| ()),
        };
        grow(&conn, 70 << 20);
        assert!(log(&conn).pages >= OVERLONG && log(&conn).folded < OVERLONG);
        asleep.look_after(&conn).unwrap();
        assert_eq!(log(&conn).folded, log(&conn).pages);
    }
}
