//! The store, from outside.
#![allow(clippy::unwrap_used, missing_docs)]

mod blobs;
mod cursors;
mod exact_bytes;
mod faults;
mod history;
mod kills;
mod load;
mod opening;
mod reading;
mod retention;
mod scoping;
mod sessions;
mod spool;
mod support;
