//! Storing a blob: written aside, hashed on the way, made durable, moved into place, then named.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use super::dir::DirLock;
use super::{BlobDir, BlobId};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId};
use crate::store::Store;
use crate::timestamp::Timestamp;

const PIECE: usize = 128 << 10;
const ROW_BYTES: usize = 256;

/// A blob to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBlob {
    /// Whose.
    pub principal: Principal,
    /// Its media type, as this principal will be told it.
    pub mime: String,
    /// The call that names it. `None` for an upload, which is kept until it is too old.
    pub named_by: Option<RefId>,
}

/// A file that is not in its place yet. Removed if it never gets there; if it does, there is
/// nothing left of this name, which is never used twice.
struct Scratch {
    path: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Store {
    /// Stores what the reader gives (a slice of bytes is a reader too). Resolves when the file is
    /// durable and the row that names it is committed.
    pub async fn put_blob(
        &self,
        new: NewBlob,
        mut bytes: impl AsyncRead + Unpin,
    ) -> Result<BlobId> {
        let limit = self.options().max_blob_bytes;
        let (scratch, id, size) = write_scratch(self.blob_dir(), &mut bytes, limit).await?;
        let lock = place(Arc::clone(self.blob_dir()), scratch, id, size).await?;
        self.writer()
            .write(ROW_BYTES, move |conn| {
                // Held until the row is there, however long it waits and whoever has given up on it.
                let _held = &lock;
                conn.prepare_cached(
                    "INSERT INTO blobs (sha256, size, created_at) VALUES (?1, ?2, ?3) \
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![id, size, Timestamp::now()])?;
                name(conn, id, &new)
            })
            .await?;
        Ok(id)
    }

    /// Lets a call name a blob that its principal has named before.
    pub async fn name_blob(&self, principal: Principal, id: BlobId, ref_id: RefId) -> Result<()> {
        let mime = self.blob(principal.clone(), id).await?.mime;
        let new = NewBlob {
            principal,
            mime,
            named_by: Some(ref_id),
        };
        self.writer()
            .write(ROW_BYTES, move |conn| {
                // It may have been removed since it was looked up.
                let known = conn
                    .prepare_cached("SELECT 1 FROM blobs WHERE sha256 = ?1")?
                    .exists(params![id])?;
                if known {
                    name(conn, id, &new)
                } else {
                    Err(StoreError::NO_BLOB)
                }
            })
            .await
    }
}

fn name(conn: &Connection, id: BlobId, new: &NewBlob) -> Result<()> {
    let ref_id: &[u8] = new
        .named_by
        .as_ref()
        .map_or(&[], |ref_id| ref_id.as_bytes());
    conn.prepare_cached(
        "INSERT INTO blob_refs (sha256, principal, ref_id, mime, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET \
         mime = excluded.mime, created_at = excluded.created_at",
    )?
    .execute(params![
        id,
        new.principal,
        ref_id,
        new.mime,
        Timestamp::now()
    ])?;
    Ok(())
}

async fn write_scratch(
    dir: &BlobDir,
    bytes: &mut (impl AsyncRead + Unpin),
    limit: u64,
) -> Result<(Scratch, BlobId, u64)> {
    let (path, file) = dir.new_scratch()?;
    let scratch = Scratch { path };
    let mut file = tokio::fs::File::from_std(file);
    let mut hash = Sha256::new();
    let mut size = 0;
    let mut piece = vec![0; PIECE];
    loop {
        let length = bytes
            .read(&mut piece)
            .await
            .map_err(StoreError::io(&scratch.path))?;
        if length == 0 {
            break;
        }
        size += length as u64;
        if size > limit {
            return Err(StoreError::TooLarge {
                what: "the blob",
                size,
                limit,
            });
        }
        hash.update(&piece[..length]);
        file.write_all(&piece[..length])
            .await
            .map_err(StoreError::io(&scratch.path))?;
    }
    file.flush().await.map_err(StoreError::io(&scratch.path))?;
    file.sync_all()
        .await
        .map_err(StoreError::io(&scratch.path))?;
    Ok((scratch, BlobId::new(hash.finalize().into()), size))
}

async fn place(dir: Arc<BlobDir>, scratch: Scratch, id: BlobId, size: u64) -> Result<DirLock> {
    let placing = tokio::task::spawn_blocking(move || {
        let lock = dir.lock_shared()?;
        dir.place(&scratch.path, id, size)?;
        Ok(lock)
    });
    placing.await.unwrap_or(Err(StoreError::Closed))
}

/// Opens the file of a blob whose row was found.
pub(super) fn open_file(dir: &BlobDir, id: BlobId) -> Result<File> {
    let path = dir.path_of(id);
    File::open(&path).map_err(StoreError::io(&path))
}
