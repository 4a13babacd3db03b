//! Removing files that nothing names.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, params};

use super::{BlobDir, BlobId};
use crate::db::runs;
use crate::error::{Result, StoreError};
use crate::readers::Readers;
use crate::writer::Writer;

/// How many blobs one step removes.
const STEP: u32 = 32;

/// Removes some blobs that no row names, and answers how many. None while a blob is being put
/// into its place: another time will do.
pub(crate) fn remove_unnamed(dir: &BlobDir, readers: &Readers, writer: &Writer) -> Result<usize> {
    let Some(_alone) = dir.try_lock_alone()? else {
        return Ok(0);
    };
    // Looked for by a reader: the writer should not walk through all blobs.
    let unnamed = readers.run_here(|view| unnamed(view))?;
    if unnamed.is_empty() {
        return Ok(0);
    }
    let removed = writer.chore(move |conn| forget(conn, &unnamed))?;
    removed.iter().for_each(|id| dir.remove(*id));
    Ok(removed.len())
}

fn unnamed(conn: &Connection) -> Result<Vec<BlobId>> {
    let mut statement = conn.prepare_cached(
        "SELECT b.sha256 FROM blobs b WHERE NOT EXISTS \
         (SELECT 1 FROM blob_refs r WHERE r.sha256 = b.sha256) LIMIT ?1",
    )?;
    let rows = statement.query_map(params![STEP], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Removes the rows of those that are still unnamed.
fn forget(conn: &Connection, ids: &[BlobId]) -> Result<Vec<BlobId>> {
    let mut statement = conn.prepare_cached(
        "DELETE FROM blobs WHERE sha256 = ?1 AND NOT EXISTS \
         (SELECT 1 FROM blob_refs r WHERE r.sha256 = ?1)",
    )?;
    let mut gone = Vec::new();
    for id in ids {
        if statement.execute(params![id])? > 0 {
            gone.push(*id);
        }
    }
    Ok(gone)
}

/// Removes what dead runs were writing and files without a row, a directory at a time.
pub(crate) fn sweep(dir: &BlobDir, database: &Path, readers: &Readers) -> Result<()> {
    for scratch in entries(&dir.scratch_root()) {
        let run = scratch
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if !runs::is_alive(database, run) {
            let _ = fs::remove_dir_all(&scratch);
        }
    }
    for first in entries(dir.root()).filter(|path| is_fan(path)) {
        for second in entries(&first).filter(|path| is_fan(path)) {
            sweep_one(dir, &second, readers)?;
        }
    }
    Ok(())
}

fn sweep_one(dir: &BlobDir, fan: &Path, readers: &Readers) -> Result<()> {
    // Whatever is being put now has its row soon; the next start looks again.
    let Some(_alone) = dir.try_lock_alone()? else {
        return Ok(());
    };
    let name = |path: &Path| path.file_name()?.to_str().and_then(BlobId::from_hex);
    let ids: Vec<BlobId> = entries(fan).filter_map(|path| name(&path)).collect();
    let orphans = readers.run_here(|view| without_row(view, &ids))?;
    for id in orphans {
        tracing::info!(%id, "removing a blob that nothing names");
        dir.remove(id);
    }
    Ok(())
}

fn without_row(conn: &Connection, ids: &[BlobId]) -> Result<Vec<BlobId>> {
    let mut known = conn.prepare_cached("SELECT 1 FROM blobs WHERE sha256 = ?1")?;
    let mut missing = Vec::new();
    for id in ids {
        if !known.exists(params![id]).map_err(StoreError::from)? {
            missing.push(*id);
        }
    }
    Ok(missing)
}

fn entries(dir: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

fn is_fan(path: &Path) -> bool {
    path.is_dir() && path.file_name().is_some_and(|name| name.len() == 2)
}
