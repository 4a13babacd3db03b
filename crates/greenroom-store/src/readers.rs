//! Connections that only read, used from threads where blocking is allowed.

use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;

use crate::db::connection;
use crate::error::{Result, StoreError};
use crate::spool::SpoolDir;

/// One moment of the database, and the values that were still files then.
pub(crate) struct View<'c> {
    pub(crate) conn: &'c Connection,
    pub(crate) spool: &'c SpoolDir,
}

impl Deref for View<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.conn
    }
}

/// A few connections that are opened when first needed and kept.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    spool: SpoolDir,
    busy_timeout: Duration,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(
        path: &Path,
        spool: &SpoolDir,
        count: usize,
        busy_timeout: Duration,
    ) -> Arc<Self> {
        Arc::new(Self {
            path: path.to_owned(),
            spool: spool.clone(),
            busy_timeout,
            places: Arc::new(Semaphore::new(count.max(1))),
            idle: Mutex::default(),
        })
    }

    /// Runs a read, in one transaction: whatever it looks at, it sees the same moment.
    pub(crate) async fn run<T, F>(self: &Arc<Self>, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&View<'_>) -> Result<T> + Send + 'static,
    {
        let place = self
            .places
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| StoreError::Closed)?;
        let readers = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            let _place = place;
            readers.run_here(read)
        });
        match task.await {
            Ok(outcome) => outcome,
            Err(join) if join.is_panic() => std::panic::resume_unwind(join.into_panic()),
            Err(_) => Err(StoreError::Closed),
        }
    }

    /// The same on the present thread.
    pub(crate) fn run_here<T>(&self, read: impl Fn(&View<'_>) -> Result<T>) -> Result<T> {
        let mut conn = self.take().map_err(|error| error.in_file(&self.path))?;
        let mut outcome = self.read_once(&mut conn, &read);
        if matches!(&outcome, Err(StoreError::Unreadable { source }) if source.kind() == ErrorKind::NotFound)
        {
            // A value was moved from its file into the database in between. It is there now.
            outcome = self.read_once(&mut conn, &read);
        }
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(conn);
        outcome.map_err(|error| error.in_file(&self.path))
    }

    fn read_once<T>(
        &self,
        conn: &mut Connection,
        read: impl Fn(&View<'_>) -> Result<T>,
    ) -> Result<T> {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let value = read(&View {
            conn: &tx,
            spool: &self.spool,
        })?;
        tx.finish()?;
        Ok(value)
    }

    fn take(&self) -> Result<Connection> {
        if let Some(conn) = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
        {
            return Ok(conn);
        }
        Ok(connection::open_reader(&self.path, self.busy_timeout)?)
    }

    /// Sends waiting readers away and closes the connections that are idle.
    pub(crate) fn close(&self) {
        self.places.close();
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
