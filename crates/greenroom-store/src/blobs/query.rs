//! Looking up and reading blobs. Only what a principal has named is there for it.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{BlobId, put};
use crate::error::{Result, StoreError};
use crate::ids::Principal;
use crate::readers::View;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// What is known about a blob without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlobInfo {
    /// Its name.
    pub id: BlobId,
    /// Its size in bytes.
    pub size: u64,
    /// Its media type, as this principal last gave it.
    pub mime: String,
    /// When this principal last named it.
    pub named_at: Timestamp,
    /// How often this principal names it.
    pub refs: u64,
}

impl Store {
    /// What is known about one blob.
    pub async fn blob(&self, principal: Principal, id: BlobId) -> Result<BlobInfo> {
        self.read_with(move |view| find(view, &principal, id)).await
    }

    /// The blobs of a principal, last named first.
    pub async fn blobs(&self, principal: Principal, limit: usize) -> Result<Vec<BlobInfo>> {
        self.read_with(move |view| {
            // SQLite takes a bare column from the row that has the maximum.
            let mut statement = view.prepare_cached(
                "SELECT b.sha256, b.size, r.mime, max(r.created_at), count(*) \
                 FROM blob_refs r JOIN blobs b ON b.sha256 = r.sha256 WHERE r.principal = ?1 \
                 GROUP BY b.sha256 ORDER BY 4 DESC LIMIT ?2",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![principal, limit], blob_info)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// A range of a blob. Shorter where the blob ends, empty past its end.
    pub async fn read_blob(
        &self,
        principal: Principal,
        id: BlobId,
        offset: u64,
        length: usize,
    ) -> Result<Vec<u8>> {
        let dir = Arc::clone(self.blob_dir());
        self.read_with(move |view| {
            let info = find(view, &principal, id)?;
            let mut file = put::open_file(&dir, id)?;
            let length = (length as u64).min(info.size.saturating_sub(offset));
            let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
            file.seek(SeekFrom::Start(offset))
                .and_then(|_| file.take(length).read_to_end(&mut bytes))
                .map_err(StoreError::io(&dir.path_of(id)))?;
            Ok(bytes)
        })
        .await
    }

    /// A blob as a file to be read from, for answers that are streamed. It stays readable even if
    /// the blob is removed meanwhile.
    pub async fn open_blob(
        &self,
        principal: Principal,
        id: BlobId,
    ) -> Result<(BlobInfo, tokio::fs::File)> {
        let dir = Arc::clone(self.blob_dir());
        self.read_with(move |view| {
            let info = find(view, &principal, id)?;
            let file = put::open_file(&dir, id)?;
            Ok((info, tokio::fs::File::from_std(file)))
        })
        .await
    }
}

fn find(view: &View<'_>, principal: &Principal, id: BlobId) -> Result<BlobInfo> {
    view.prepare_cached(
        "SELECT b.sha256, b.size, r.mime, max(r.created_at), count(*) \
         FROM blob_refs r JOIN blobs b ON b.sha256 = r.sha256 \
         WHERE r.sha256 = ?1 AND r.principal = ?2 GROUP BY b.sha256",
    )?
    .query_row(params![id, principal], blob_info)
    .optional()?
    .ok_or(StoreError::NO_BLOB)
}

fn blob_info(row: &Row<'_>) -> rusqlite::Result<BlobInfo> {
    Ok(BlobInfo {
        id: row.get(0)?,
        size: row.get(1)?,
        mime: row.get(2)?,
        named_at: row.get(3)?,
        refs: row.get(4)?,
    })
}
