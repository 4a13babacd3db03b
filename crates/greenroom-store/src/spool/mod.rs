//! Where a large value waits before it is in the database.
//!
//! A value is to be safe before its caller is answered, and compressed afterwards. Written into
//! the database as it comes, it would pass through the log, be folded into the file, and be
//! replaced by its compressed form a moment later: three times the writing, all of it on the one
//! thread that every caller waits for. So a large value is first appended to a plain file, on the
//! caller's side. The row that is committed says where it is; the keeper then moves it, compressed,
//! into the database.
//!
//! A killed process loses nothing by this: what it wrote is the system's, and the row is committed
//! after it. With full durability the file is synced before the row. With normal durability a power
//! loss may take the bytes and leave the row; length and checksum tell, and the response is then
//! treated like any other of the last commits that a power loss may take.
//!
//! The files are *segments*, in a directory for each run, and never written twice: whoever reads
//! one may go on, even when it is removed. A segment goes when it takes no more, nothing that was
//! appended to it waits to be committed, and everything that is committed is settled.

mod segment;
mod ticket;

pub(crate) use segment::{Claim, SpoolDir, crc_of};
pub(crate) use ticket::Ticket;

/// Smaller responses go straight into the database: there is little to gain.
pub(crate) const WORTH_A_FILE: usize = 32 << 10;
