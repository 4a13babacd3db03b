//! The handle that everything else is reached through.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::blobs::BlobDir;
use crate::db::open::{self, Opened};
use crate::db::runs::RunId;
use crate::error::{Result, StoreError};
use crate::keeper::{self, Keeper};
use crate::options::Options;
use crate::readers::{Readers, View};
use crate::spool::SpoolDir;
use crate::stats::Counters;
use crate::writer::{self, Writer};

/// A store. Clones share it; it closes itself when the last one is dropped, and
/// [`close`](Self::close) waits for that.
#[derive(Clone, Debug)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    options: Options,
    run: RunId,
    writer: Writer,
    readers: Arc<Readers>,
    keeper: Keeper,
    blobs: Arc<BlobDir>,
    spool: SpoolDir,
    counters: Arc<Counters>,
    ended: Mutex<Option<Ended>>,
}

/// Answers when the threads have ended.
#[derive(Debug)]
struct Ended {
    keeper_ended: oneshot::Receiver<()>,
    writer_ended: oneshot::Receiver<()>,
}

impl Store {
    /// Opens the database, and makes it where there is none.
    pub async fn open(path: impl Into<PathBuf>, options: Options) -> Result<Self> {
        let path = path.into();
        let opening = tokio::task::spawn_blocking(move || Self::open_here(&path, options));
        opening.await.unwrap_or(Err(StoreError::Closed))
    }

    fn open_here(path: &Path, options: Options) -> Result<Self> {
        let opened = open::open(path, &options)?;
        let blobs = Arc::new(BlobDir::open(path, opened.lock.token())?);
        let spool = SpoolDir::open(path, opened.lock.token(), options.durability)?;
        let counters = Arc::new(Counters::default());
        let writer = Writer::new(&options, Arc::clone(&counters));
        let readers = Readers::new(path, &spool, options.readers, options.busy_timeout);
        let Opened { run, check_due, .. } = opened;
        let writer_ended = writer::start(&writer, opened, &options)?;
        let (keeper, keeper_ended) = keeper::start(keeper::Parts {
            path: path.to_owned(),
            writer: writer.clone(),
            blobs: Arc::clone(&blobs),
            spool: spool.clone(),
            counters: Arc::clone(&counters),
            retention: options.retention,
            busy_timeout: options.busy_timeout,
            check_due,
        })?;
        let ended = Mutex::new(Some(Ended {
            keeper_ended,
            writer_ended,
        }));
        let path = path.to_owned();
        let shared = Shared {
            path,
            options,
            run,
            writer,
            readers,
            keeper,
            blobs,
            spool,
            counters,
            ended,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Takes no more writes, finishes those that are queued, and ends the run. Calls that still
    /// run are marked `unknown`, sessions that are active `parked`.
    pub async fn close(&self) {
        let ended = self
            .shared
            .ended
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // Whoever only reads goes first: the last connection tidies up the log, and may write.
        self.shared.keeper.stop();
        self.shared.readers.close();
        if let Some(Ended {
            keeper_ended,
            writer_ended,
        }) = ended
        {
            let _ = keeper_ended.await;
            self.shared.writer.close();
            let _ = writer_ended.await;
        }
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    pub(crate) fn options(&self) -> &Options {
        &self.shared.options
    }

    pub(crate) fn run(&self) -> RunId {
        self.shared.run
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.shared.writer
    }

    pub(crate) fn keeper(&self) -> &Keeper {
        &self.shared.keeper
    }

    pub(crate) fn blob_dir(&self) -> &Arc<BlobDir> {
        &self.shared.blobs
    }

    pub(crate) fn spool(&self) -> &SpoolDir {
        &self.shared.spool
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.shared.counters
    }

    pub(crate) async fn read_with<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&View<'_>) -> Result<T> + Send + 'static,
    {
        self.shared.readers.run(read).await
    }
}

impl Shared {
    fn stop(&self) {
        self.keeper.stop();
        self.writer.close();
        self.readers.close();
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.stop();
    }
}
