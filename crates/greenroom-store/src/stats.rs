//! Figures for metrics. Counters only grow; sizes are read when asked for.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{Reason, Result};
use crate::store::Store;

/// What happened since the store was opened, and what waits now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Writes that wait now.
    pub queue_depth: usize,
    /// Bytes that wait now.
    pub queue_bytes: usize,
    /// Transactions committed.
    pub commits: u64,
    /// Writes in them.
    pub writes: u64,
    /// Transactions that failed and were tried again or given up.
    pub failed_attempts: u64,
    /// Writes whose caller was told that they were not persisted, by reason.
    pub not_persisted: BTreeMap<Reason, u64>,
    /// Notes of started calls that found the queue full.
    pub dropped_starts: u64,
    /// How often the connection was replaced after an I/O error.
    pub reopened: u64,
    /// Whether the database was found to be damaged. Nothing is written then.
    pub damaged: bool,
    /// Steps of retention, and the longest of them.
    pub retention_steps: u64,
    /// How long the longest step of retention kept the writer.
    pub longest_retention_step: Duration,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Calls.
    pub calls: u64,
    /// Responses that wait to be compressed and indexed.
    pub unsettled: u64,
    /// Sessions by state.
    pub sessions: BTreeMap<String, u64>,
    /// Blobs.
    pub blobs: u64,
    /// Bytes of all blobs.
    pub blob_bytes: u64,
    /// Bytes of the database that are in use.
    pub used_bytes: u64,
    /// Bytes of the database file.
    pub file_bytes: u64,
    /// Bytes of the file of the log.
    pub log_bytes: u64,
}

/// The counters behind [`Activity`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    commits: AtomicU64,
    writes: AtomicU64,
    failed_attempts: AtomicU64,
    dropped_starts: AtomicU64,
    reopened: AtomicU64,
    damaged: AtomicBool,
    retention_steps: AtomicU64,
    longest_step_us: AtomicU64,
    not_persisted: Mutex<BTreeMap<Reason, u64>>,
}

impl Counters {
    pub(crate) fn committed(&self, writes: usize) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes as u64, Ordering::Relaxed);
    }

    pub(crate) fn attempt_failed(&self) {
        self.failed_attempts.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn note_dropped(&self) {
        self.dropped_starts.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn reopened(&self) {
        self.reopened.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn found_damaged(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    pub(crate) fn retention_step(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.retention_steps.fetch_add(1, Ordering::Relaxed);
        self.longest_step_us.fetch_max(micros, Ordering::Relaxed);
    }

    pub(crate) fn not_persisted(&self, reason: &Reason) {
        let mut counts = self
            .not_persisted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *counts.entry(reason.clone()).or_default() += 1;
    }

    fn read(&self) -> Activity {
        Activity {
            commits: self.commits.load(Ordering::Relaxed),
            writes: self.writes.load(Ordering::Relaxed),
            failed_attempts: self.failed_attempts.load(Ordering::Relaxed),
            dropped_starts: self.dropped_starts.load(Ordering::Relaxed),
            reopened: self.reopened.load(Ordering::Relaxed),
            damaged: self.is_damaged(),
            retention_steps: self.retention_steps.load(Ordering::Relaxed),
            longest_retention_step: Duration::from_micros(
                self.longest_step_us.load(Ordering::Relaxed),
            ),
            not_persisted: self
                .not_persisted
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            ..Activity::default()
        }
    }
}

impl Store {
    /// What happened since the store was opened. Cheap: nothing is queried.
    pub fn activity(&self) -> Activity {
        let (queue_depth, queue_bytes) = self.writer().depth();
        Activity {
            queue_depth,
            queue_bytes,
            ..self.counters().read()
        }
    }

    /// What there is, counted now.
    pub async fn sizes(&self) -> Result<Sizes> {
        let files = self.path().to_owned();
        self.read_with(move |view| crate::keeper::sizes::measure(view, &files))
            .await
    }
}
