//! One transaction over a batch of jobs.

use rusqlite::{Connection, TransactionBehavior};

use super::job::{Applied, Job};
use crate::error::Reason;

/// Runs all jobs and commits them, or leaves no trace. Afterwards each job knows its own outcome.
pub(crate) fn commit(conn: &mut Connection, jobs: &mut [Job]) -> Result<(), Reason> {
    let tx = conn
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(|error| told(&error))?;
    for job in jobs {
        run_one(&tx, job)?;
    }
    tx.commit().map_err(|error| told(&error))
}

/// A savepoint by hand: its statements are prepared once, while those of rusqlite's guard would be
/// parsed anew for every job. Where one fails, the transaction that surrounds it is rolled back.
fn run_one(tx: &Connection, job: &mut Job) -> Result<(), Reason> {
    run(tx, "SAVEPOINT job")?;
    if job.apply(tx)? == Applied::Undo {
        run(tx, "ROLLBACK TO job")?;
    }
    run(tx, "RELEASE job")
}

fn run(tx: &Connection, statement: &str) -> Result<(), Reason> {
    let run = tx
        .prepare_cached(statement)
        .and_then(|mut statement| statement.execute([]));
    run.map(|_| ()).map_err(|error| told(&error))
}

fn told(error: &rusqlite::Error) -> Reason {
    let reason = Reason::of(error);
    if reason != Reason::Locked {
        tracing::warn!(%error, "a transaction failed");
    }
    reason
}
