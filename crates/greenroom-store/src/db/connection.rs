//! Connections and their settings: one that writes, any number that only read.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::files;
use crate::options::{Durability, Options};

/// Every commit writes each page that it touches to the log, and a call touches several for a few
/// bytes in each. Large values come in the background, where longer chains do not matter.
const PAGE_BYTES: u32 = 4 << 10;

/// The log is folded into the file by a thread of its own, not within a commit. Its file is cut
/// back to this when it starts over.
const WAL_FILE_LIMIT: u32 = 32 << 20;

const WRITER_CACHE_KIB: i64 = 8 << 10;
const READER_CACHE_KIB: i64 = 2 << 10;

pub(crate) fn open_writer(path: &Path, options: &Options) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(options.busy_timeout)?;
    // These two count only while the file is empty. In any other the second would be a write, and a
    // file must not change before it has been found sound.
    if files::size(path) == 0 {
        conn.pragma_update(None, "page_size", PAGE_BYTES)?;
        conn.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    conn.pragma_update(None, "synchronous", synchronous(options.durability))?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", 0)?;
    conn.pragma_update(None, "journal_size_limit", WAL_FILE_LIMIT)?;
    conn.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
    harden(&conn)?;
    if let Some(bytes) = options.max_file_bytes {
        let page: u64 = conn.pragma_query_value(None, "page_size", |row| row.get(0))?;
        conn.pragma_update_and_check(None, "max_page_count", bytes.div_ceil(page), |_| Ok(()))?;
    }
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

pub(crate) fn open_reader(path: &Path, busy: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(busy)?;
    conn.pragma_update(None, "query_only", true)?;
    conn.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    harden(&conn)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// A damaged or hostile file must not run functions of its choosing or lead us astray.
fn harden(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "trusted_schema", false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.pragma_update(None, "temp_store", "MEMORY")
}

fn synchronous(durability: Durability) -> &'static str {
    match durability {
        Durability::Normal => "NORMAL",
        Durability::Full => "FULL",
    }
}
