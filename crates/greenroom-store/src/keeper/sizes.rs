//! Counting what there is. These look at all principals and give away nothing but numbers.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;

use crate::error::Result;
use crate::files;
use crate::stats::Sizes;

pub(crate) fn measure(conn: &Connection, database: &Path) -> Result<Sizes> {
    let count = |sql: &str| -> rusqlite::Result<u64> {
        conn.prepare_cached(sql)?.query_row([], |row| row.get(0))
    };
    Ok(Sizes {
        calls: calls(conn)?,
        unsettled: count("SELECT count(*) FROM responses WHERE settled = 0")?,
        sessions: sessions(conn)?,
        blobs: count("SELECT count(*) FROM blobs")?,
        blob_bytes: blob_bytes(conn)?,
        used_bytes: used_bytes(conn)?,
        file_bytes: files::size(database),
        log_bytes: files::size(&files::with_suffix(database, "-wal")),
    })
}

pub(crate) fn calls(conn: &Connection) -> Result<u64> {
    Ok(conn
        .prepare_cached("SELECT count(*) FROM calls")?
        .query_row([], |row| row.get(0))?)
}

/// Bytes of the database without the pages that wait to be used again.
pub(crate) fn used_bytes(conn: &Connection) -> Result<u64> {
    let (pages, free, size) = pages(conn)?;
    Ok(pages.saturating_sub(free) * size)
}

/// Pages of the file, those of them that are free, and the size of one.
pub(crate) fn pages(conn: &Connection) -> Result<(u64, u64, u64)> {
    let number = |pragma| conn.pragma_query_value(None, pragma, |row| row.get::<_, u64>(0));
    Ok((
        number("page_count")?,
        number("freelist_count")?,
        number("page_size")?,
    ))
}

pub(crate) fn blob_bytes(conn: &Connection) -> Result<u64> {
    Ok(conn
        .prepare_cached("SELECT coalesce(sum(size), 0) FROM blobs")?
        .query_row([], |row| row.get(0))?)
}

fn sessions(conn: &Connection) -> Result<BTreeMap<String, u64>> {
    let mut statement =
        conn.prepare_cached("SELECT state, count(*) FROM sessions GROUP BY state")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
