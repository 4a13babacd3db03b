//! One database file: how it is opened, checked, migrated and set aside.
//!
//! Everything that must be true before the first call is made true here, in this order: the SQLite
//! that was linked is sound; the file is ours alone to read; it is a database, of ours, and of a
//! schema that we know; if a process was killed over it, it is checked; then it is migrated, and
//! what dead runs left half-done is given its outcome.

pub(crate) mod check;
pub(crate) mod connection;
mod header;
pub(crate) mod open;
pub(crate) mod quarantine;
pub(crate) mod runs;
mod schema;

pub use quarantine::quarantine;
