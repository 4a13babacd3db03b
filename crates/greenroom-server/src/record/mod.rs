//! Every call and its answer, on disk before the client hears of it.
//!
//! A [`Record`] is opened when a call comes in and names it with a `ref_id`. As soon as it is known
//! where the call runs, the store is told that it runs: nobody waits for that, but a crash then leaves
//! `unknown` and not nothing. When the answer is there, pictures and files become blobs, the exact
//! bytes of the result and the page are committed, and only then the answer is shaped and given. A
//! call that is given up on the way, because its client left, ends as `unknown` too.
//!
//! What cannot be stored is answered all the same, flagged `persisted: false`.

mod attachments;
mod evidence;
mod journal;
#[expect(
    clippy::module_inception,
    reason = "a record is what records are made of"
)]
mod record;

pub(crate) use attachments::Attachment;
pub(crate) use evidence::{Evidence, Ran};
pub use journal::{Journal, JournalError};
pub(crate) use journal::{date, owner};
pub(crate) use record::Record;
