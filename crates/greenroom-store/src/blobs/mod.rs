//! Binaries, known by the SHA-256 of what they are.
//!
//! A blob is a file in a directory of two levels, complete and durable before a row names it. Rows
//! say who names it: a principal by uploading it, or one of its calls. The same bytes are stored
//! once, whoever brings them, yet nobody can read what they have not named themselves. When the
//! last name is gone, so is the file.
//!
//! Between the moment at which a file is in its place and the commit of the row that names it, the
//! directory is held with a shared lock; whoever removes files holds it alone. So a file that is
//! just being named again is never removed, whichever process does either.

mod dir;
mod id;
mod put;
mod query;
pub(crate) mod sweep;

pub(crate) use dir::BlobDir;
pub use id::BlobId;
pub use put::NewBlob;
pub use query::BlobInfo;
