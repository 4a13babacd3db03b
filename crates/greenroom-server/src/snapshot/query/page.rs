//! The page that a query runs over.

use serde_json::Value;

use super::super::tree::{parse, to_json};
use super::QueryError;
use super::limits::{MAX_LINES, MAX_SNAPSHOT};

/// The tree form of a snapshot, if it is of a size that can be asked.
pub(super) fn tree_form(snapshot: &str) -> Result<Value, QueryError> {
    if snapshot.len() > MAX_SNAPSHOT {
        return Err(QueryError::PageTooLarge {
            size: snapshot.len(),
            limit: MAX_SNAPSHOT,
            unit: "bytes",
        });
    }
    let lines = snapshot.bytes().filter(|byte| *byte == b'\n').count() + 1;
    if lines > MAX_LINES {
        return Err(QueryError::PageTooLarge {
            size: lines,
            limit: MAX_LINES,
            unit: "lines",
        });
    }
    Ok(to_json(&parse(snapshot)))
}
