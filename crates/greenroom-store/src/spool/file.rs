//! Files that hold large values for a while.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ticket;
use crate::error::{Reason, Result, StoreError};
use crate::files;
use crate::ids::RefId;
use crate::options::Durability;

/// The directory of one database, and within it that of this run.
#[derive(Clone, Debug)]
pub(crate) struct SpoolDir {
    root: Arc<Path>,
    run: Arc<str>,
    durability: Durability,
}

/// A file that is removed unless the row that names it is committed.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    path: PathBuf,
    kept: bool,
}

/// A value to be written.
type Piece<'a> = &'a [u8];

impl SpoolDir {
    pub(crate) fn open(database: &Path, run: &str, durability: Durability) -> Result<Self> {
        let root = files::with_suffix(database, "-spool");
        files::make_private_dir(&root.join(run))?;
        Ok(Self {
            root: root.into(),
            run: run.into(),
            durability,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes values one after the other. Full durability waits until they are on the disk.
    pub(crate) fn write(
        &self,
        ref_id: RefId,
        pieces: &[Piece<'_>],
    ) -> Result<(SpoolFile, Vec<Ticket>)> {
        let name = ref_id.to_string();
        let path = self.root.join(&*self.run).join(&name);
        let file = SpoolFile { path, kept: false };
        self.fill(&file.path, pieces)
            .map_err(|error| not_persisted(&error))?;
        let mut offset = 0;
        let mut tickets = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let (run, name) = (self.run.to_string(), name.clone());
            tickets.push(Ticket {
                offset,
                crc: crc32fast::hash(piece),
                run,
                name,
            });
            offset += piece.len() as u64;
        }
        Ok((file, tickets))
    }

    fn fill(&self, path: &Path, pieces: &[Piece<'_>]) -> io::Result<()> {
        let mut file = OpenOptions::new()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(path)?;
        pieces.iter().try_for_each(|piece| file.write_all(piece))?;
        if self.durability == Durability::Full {
            file.sync_all()?;
            path.parent().map_or(Ok(()), files::sync_dir)?;
        }
        Ok(())
    }

    /// Opens a value. One that has been moved into the database since its row was read is not
    /// found; whoever looks again finds it there.
    pub(crate) fn open_piece(&self, ticket: &Ticket, length: u64) -> io::Result<io::Take<File>> {
        let mut file = File::open(self.path_of(ticket))?;
        file.seek(SeekFrom::Start(ticket.offset))?;
        Ok(file.take(length))
    }

    pub(crate) fn remove(&self, ticket: &Ticket) {
        let _ = fs::remove_file(self.path_of(ticket));
    }

    fn path_of(&self, ticket: &Ticket) -> PathBuf {
        self.root.join(&ticket.run).join(&ticket.name)
    }
}

impl SpoolFile {
    /// The row that names it is committed.
    pub(crate) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The checksum of what a reader gives, and how much that is.
pub(crate) fn crc_of(mut bytes: impl Read) -> io::Result<(u32, u64)> {
    let mut hasher = crc32fast::Hasher::new();
    let mut piece = vec![0; 64 << 10];
    let mut length = 0;
    loop {
        match bytes.read(&mut piece)? {
            0 => return Ok((hasher.finalize(), length)),
            read => {
                hasher.update(&piece[..read]);
                length += read as u64;
            }
        }
    }
}

fn not_persisted(error: &io::Error) -> StoreError {
    tracing::warn!(%error, "a large value could not be written");
    let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
    let reason = if full.contains(&error.kind()) {
        Reason::DiskFull
    } else {
        Reason::DiskError
    };
    StoreError::NotPersisted { reason }
}
