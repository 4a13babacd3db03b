//! The files that hold large values for a while.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Ticket;
use crate::db::runs;
use crate::error::{Reason, Result, StoreError};
use crate::files;
use crate::options::Durability;

/// A segment that has become this long takes no more.
const LONG: u64 = 64 << 20;

/// The directory of one database, and within it that of this run.
#[derive(Clone, Debug)]
pub(crate) struct SpoolDir {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    run: String,
    durability: Durability,
    segments: Mutex<Segments>,
}

#[derive(Debug, Default)]
struct Segments {
    /// The one that takes values, with the length that it will have once they are written.
    current: Option<(Arc<Segment>, u64)>,
    /// Those that take no more.
    full: Vec<Arc<Segment>>,
    made: u64,
}

#[derive(Debug)]
struct Segment {
    name: String,
    path: PathBuf,
    file: File,
}

/// Keeps a segment from being removed until the row that names it is committed or given up.
#[derive(Debug)]
pub(crate) struct Claim {
    _segment: Arc<Segment>,
}

impl SpoolDir {
    pub(crate) fn open(database: &Path, run: &str, durability: Durability) -> Result<Self> {
        let root = files::with_suffix(database, "-spool");
        files::make_private_dir(&root.join(run))?;
        let (run, segments) = (run.to_owned(), Mutex::default());
        Ok(Self {
            shared: Arc::new(Shared {
                root,
                run,
                durability,
                segments,
            }),
        })
    }

    /// Appends values one after the other. Full durability waits until they are on the disk.
    pub(crate) fn write(&self, values: &[&[u8]]) -> Result<(Claim, Vec<Ticket>)> {
        self.append(values).map_err(|error| not_persisted(&error))
    }

    fn append(&self, values: &[&[u8]]) -> io::Result<(Claim, Vec<Ticket>)> {
        let length = values.iter().map(|value| value.len() as u64).sum();
        let (segment, mut offset) = self.claim(length)?;
        let mut tickets = Vec::with_capacity(values.len());
        for value in values {
            segment.file.write_all_at(value, offset)?;
            let (run, name) = (self.shared.run.clone(), segment.name.clone());
            tickets.push(Ticket {
                offset,
                crc: crc32fast::hash(value),
                run,
                name,
            });
            offset += value.len() as u64;
        }
        if self.shared.durability == Durability::Full {
            segment.file.sync_data()?;
        }
        Ok((Claim { _segment: segment }, tickets))
    }

    /// A place of this length at the end of a segment.
    fn claim(&self, length: u64) -> io::Result<(Arc<Segment>, u64)> {
        let mut segments = self.segments();
        let (segment, end) = match segments.current.take() {
            Some(current) => current,
            None => (self.make(&mut segments)?, 0),
        };
        if end + length < LONG {
            segments.current = Some((Arc::clone(&segment), end + length));
        } else {
            segments.full.push(Arc::clone(&segment));
        }
        Ok((segment, end))
    }

    fn make(&self, segments: &mut Segments) -> io::Result<Arc<Segment>> {
        segments.made += 1;
        let name = segments.made.to_string();
        let dir = self.shared.root.join(&self.shared.run);
        let path = dir.join(&name);
        let file = OpenOptions::new()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(&path)?;
        if self.shared.durability == Durability::Full {
            files::sync_dir(&dir)?;
        }
        Ok(Arc::new(Segment { name, path, file }))
    }

    /// Opens a value. One that has been moved into the database since its row was read may not be
    /// found; whoever looks again finds it there.
    pub(crate) fn open_value(&self, ticket: &Ticket, length: u64) -> io::Result<io::Take<File>> {
        let path = self.shared.root.join(&ticket.run).join(&ticket.name);
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(ticket.offset))?;
        Ok(file.take(length))
    }

    /// Removes what is not needed, if `all_settled`, asked after it was seen what may go, says that
    /// no committed response has its values in a file.
    pub(crate) fn tidy(
        &self,
        database: &Path,
        all_settled: impl FnOnce() -> Result<bool>,
    ) -> Result<()> {
        let dead = self.dead_runs(database);
        let unclaimed = self.unclaimed();
        if (dead.is_empty() && unclaimed.is_empty()) || !all_settled()? {
            return Ok(());
        }
        for segment in &unclaimed {
            let _ = fs::remove_file(&segment.path);
        }
        self.segments()
            .full
            .retain(|full| !unclaimed.iter().any(|gone| Arc::ptr_eq(full, gone)));
        for dir in dead {
            let _ = fs::remove_dir_all(dir);
        }
        Ok(())
    }

    /// Segments that take no more and that nobody is about to name. The current one is among them
    /// if nothing in it waits: the next value begins a new one.
    fn unclaimed(&self) -> Vec<Arc<Segment>> {
        let mut segments = self.segments();
        if let Some((current, _)) = segments
            .current
            .take_if(|(now, _)| Arc::strong_count(now) == 1)
        {
            segments.full.push(current);
        }
        let full = segments.full.iter();
        full.filter(|segment| Arc::strong_count(segment) == 1)
            .cloned()
            .collect()
    }

    fn dead_runs(&self, database: &Path) -> Vec<PathBuf> {
        let dirs = fs::read_dir(&self.shared.root)
            .into_iter()
            .flatten()
            .flatten();
        let is_dead = |dir: &fs::DirEntry| {
            let run = dir.file_name();
            run.to_str()
                .is_some_and(|run| !runs::is_alive(database, run))
        };
        dirs.filter(is_dead).map(|dir| dir.path()).collect()
    }

    fn segments(&self) -> MutexGuard<'_, Segments> {
        self.shared
            .segments
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
