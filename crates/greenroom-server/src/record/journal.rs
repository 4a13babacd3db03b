//! The store, as calls see it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use greenroom_config::{Durability, ServerSettings};
use greenroom_store::{
    Options, Principal as Owner, Reader, RefId, Retention, Store, StoreError, Timestamp,
};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::Record;
use crate::identity::{Caller, Principal};
use crate::reply::Rules;

/// Why the record cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct JournalError(#[from] StoreError);

/// How many queries over pages run at once. The largest page takes some 250 MB as a tree.
const QUERIES: usize = 2;

/// Where calls are recorded. Clones share it.
#[derive(Debug, Clone)]
pub struct Journal {
    store: Store,
    rules: Rules,
    /// Tells connections of this process from those of earlier ones, which had the same numbers.
    run: Arc<str>,
    queries: Arc<Semaphore>,
}

impl Journal {
    /// Opens the database of these settings, and makes it where there is none.
    ///
    /// # Errors
    /// When it is damaged, of a newer program, or cannot be opened. The text says what to do.
    pub async fn open(settings: &ServerSettings) -> Result<Self, JournalError> {
        let max_bytes = settings.max_store_mb.saturating_mul(1 << 20);
        let defaults = Options::default();
        let options = Options {
            // One file must not push everything else out.
            max_blob_bytes: defaults.max_blob_bytes.min(max_bytes / 4),
            durability: match settings.durability {
                Durability::Normal => greenroom_store::Durability::Normal,
                Durability::Full => greenroom_store::Durability::Full,
            },
            retention: Some(Retention {
                max_age: settings.retention,
                max_bytes,
                ..Retention::default()
            }),
            ..defaults
        };
        let store = Store::open(&settings.database_path, options).await?;
        Ok(Self {
            store,
            rules: Rules {
                mode: settings.response_mode,
                inline_max: settings.inline_max,
            },
            run: RefId::new().to_string().into(),
            queries: Arc::new(Semaphore::new(QUERIES)),
        })
    }

    /// Opens the database, and moves it aside and begins a new one if it is damaged. Says where the
    /// damaged one is now.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when a damaged one cannot be moved.
    pub async fn open_or_quarantine(
        settings: &ServerSettings,
    ) -> Result<(Self, Option<PathBuf>), JournalError> {
        match Self::open(settings).await {
            Err(JournalError(StoreError::Corrupt { .. })) => {
                let aside = greenroom_store::quarantine(&settings.database_path)?;
                Ok((Self::open(settings).await?, Some(aside)))
            }
            opened => Ok((opened?, None)),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// Opens the record of a call.
    pub(crate) fn begin(
        &self,
        caller: &Caller,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Record {
        let arguments = serde_json::to_string(arguments).unwrap_or_default();
        Record::new(self.clone(), &caller.principal, tool, arguments)
    }

    /// Whose cursor moves when this caller reads.
    pub(crate) fn reader(&self, caller: &Caller) -> Reader {
        match caller.connection {
            Some(connection) => Reader::new(format!("{}/{}", self.run, connection.0)),
            // Requests of their own share the one thing that they have in common.
            None => Reader::new("requests"),
        }
    }

    /// Waits until few enough queries run.
    pub(crate) async fn turn_to_query(&self) -> Option<SemaphorePermit<'_>> {
        self.queries.acquire().await.ok()
    }

    /// What has to be known about the record's health.
    pub(crate) fn health(&self) -> Value {
        let activity = self.store.activity();
        let lost: u64 = activity.not_persisted.values().sum();
        serde_json::json!({
            "damaged": activity.damaged,
            "queued_writes": activity.queue_depth,
            "not_persisted": lost,
        })
    }

    /// Writes what is queued and ends the record: nothing is taken any more.
    pub(crate) async fn close(&self) {
        /// A disk that does not answer must not keep the process.
        const LONGEST: Duration = Duration::from_secs(10);
        if tokio::time::timeout(LONGEST, self.store.close())
            .await
            .is_err()
        {
            tracing::error!("the store did not close in time; the next start checks it");
        }
    }
}

/// A moment as people and programs write it.
pub(crate) fn date(at: Timestamp) -> String {
    let millis = u64::try_from(at.as_millis()).unwrap_or_default();
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    humantime::format_rfc3339_millis(at).to_string()
}

/// A principal in the words of the store.
pub(crate) fn owner(principal: &Principal) -> Owner {
    Owner::new(principal.as_str())
}
