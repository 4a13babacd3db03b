//! Removing what is too old or too much.
//!
//! A pass walks from the oldest call on, in windows. Each window is one short transaction of the
//! writer, behind all callers and ended early when it takes too long, so that a store of any size
//! is cleared without anyone waiting for it. What a session still needs is stepped over: while it
//! is active or parked, its newest response and its newest page stay.
//!
//! Then, likewise in steps: ended sessions, cursors and runs that nobody used for as long, blobs
//! that nothing names any more, and pages of the file that are free.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::Instant;

use super::removal::{self, Rule, Step};
use super::{Worker, sizes};
use crate::blobs::sweep;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// However long a step took, the next one need not wait longer than this.
const LONGEST_REST: Duration = Duration::from_millis(20);

/// What a pass removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionReport {
    /// Calls, with their responses.
    pub calls: u64,
    /// Blobs.
    pub blobs: u64,
    /// Transactions that it took.
    pub steps: u64,
}

impl Worker {
    pub(super) fn retain(&self, now: Timestamp) -> Result<RetentionReport> {
        let Some(rules) = self.parts.retention else {
            return Ok(RetentionReport::default());
        };
        // Only what is settled is removed. A full disk may not let it settle, but must not keep
        // the rest from being removed.
        self.log("settle responses", self.settle_all());
        let mut report = RetentionReport::default();
        let cutoff = now.before(rules.max_age);
        let by_age = Rule::OlderThan(cutoff);
        self.walk(by_age, &mut report, |_| Ok(Some(by_age)))?;
        self.forget_unused(cutoff, &mut report)?;
        self.remove_blobs(&mut report)?;
        // A little below the limit, so that the next call does not start the next pass.
        let target = rules.max_bytes / 100 * 95;
        if self.total_bytes()? > rules.max_bytes
            && let Some(by_size) = self.surplus(target, None)?
        {
            self.walk(by_size, &mut report, |step| {
                self.surplus(target, Some(step))
            })?;
            self.remove_blobs(&mut report)?;
            self.remove_oldest_uploads(target, &mut report)?;
        }
        self.shrink(&mut report)?;
        Ok(report)
    }

    /// Removes calls from the oldest on. After each step `next` says which rule goes on.
    fn walk(
        &self,
        rule: Rule,
        report: &mut RetentionReport,
        next: impl Fn(&Step) -> Result<Option<Rule>>,
    ) -> Result<()> {
        let (mut floor, mut rule) = (0, rule);
        loop {
            let step = self.step(report, move |conn| removal::remove_some(conn, rule, floor))?;
            report.calls += step.removed;
            floor = step.floor;
            match next(&step)? {
                Some(next) if !step.done && !self.orders.is_stopped() => rule = next,
                _ => return Ok(()),
            }
            self.log("settle responses", self.settle_if_quiet());
        }
    }

    /// What is still too much. With the calls of a time go the uploads of that time and the blobs
    /// that only they named.
    fn surplus(&self, target: u64, step: Option<&Step>) -> Result<Option<Rule>> {
        if let Some(up_to) = step.and_then(|step| step.up_to) {
            self.parts
                .writer
                .chore(move |conn| removal::forget_blob_refs(conn, up_to).map(|_| ()))?;
            while sweep::remove_unnamed(&self.parts.blobs, &self.readers, &self.parts.writer)? > 0 {
            }
        }
        let surplus = self.total_bytes()?.saturating_sub(target);
        Ok((surplus > 0).then_some(Rule::Surplus(surplus)))
    }

    /// Uploads that are newer than every call that could go.
    fn remove_oldest_uploads(&self, target: u64, report: &mut RetentionReport) -> Result<()> {
        while self.total_bytes()? > target
            && !self.orders.is_stopped()
            && self.step(report, removal::forget_oldest_upload)? > 0
        {
            self.remove_blobs(report)?;
        }
        Ok(())
    }

    fn total_bytes(&self) -> Result<u64> {
        self.readers
            .run_here(|view| Ok(sizes::used_bytes(view)? + sizes::blob_bytes(view)?))
    }

    fn forget_unused(&self, cutoff: Timestamp, report: &mut RetentionReport) -> Result<()> {
        while self.step(report, move |conn| removal::forget_blob_refs(conn, cutoff))? > 0 {}
        while self.step(report, move |conn| removal::forget_rows(conn, cutoff))? > 0 {}
        Ok(())
    }

    fn remove_blobs(&self, report: &mut RetentionReport) -> Result<()> {
        let (blobs, writer) = (&self.parts.blobs, &self.parts.writer);
        while let removed @ 1.. = sweep::remove_unnamed(blobs, &self.readers, writer)? {
            report.blobs += removed as u64;
            report.steps += 1;
        }
        Ok(())
    }

    /// Rewrites the word index without what was removed from it, once that is a good part of it.
    fn clean_words(&self, report: &mut RetentionReport) -> Result<()> {
        if !self
            .readers
            .run_here(|view| removal::words_need_cleaning(view))?
        {
            return Ok(());
        }
        let mut more = self.step(report, removal::begin_cleaning_words)?;
        while more && !self.orders.is_stopped() {
            more = self.step(report, removal::clean_some_words)?;
        }
        Ok(())
    }

    /// Gives free pages back to the system, but keeps some: they are about to be used again.
    fn shrink(&self, report: &mut RetentionReport) -> Result<()> {
        self.clean_words(report)?;
        loop {
            let (pages, free, _) = self.readers.run_here(|view| sizes::pages(view))?;
            if free <= (pages / 10).max(removal::VACUUM_PAGES) || self.orders.is_stopped() {
                return Ok(());
            }
            self.step(report, removal::free_some_pages)?;
        }
    }

    /// One short transaction, timed from when it has the writer to its commit.
    fn step<T: Send + 'static>(
        &self,
        report: &mut RetentionReport,
        mut work: impl FnMut(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (value, begun) = self.parts.writer.chore(move |conn| {
            let begun = Instant::now();
            Ok((work(conn)?, begun))
        })?;
        let took = begun.elapsed();
        self.parts.counters.retention_step(took);
        // Most of the time belongs to the callers, so that most of them meet no step at all.
        self.orders.rest((2 * took).min(LONGEST_REST));
        report.steps += 1;
        Ok(value)
    }
}
