//! How a store behaves, with the reason for every default.

use std::time::Duration;

/// What a commit survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Any crash of ours. After a power loss the last commits may be missing; the rest is sound.
    #[default]
    Normal,
    /// A power loss too, if the disk keeps what it says it has written.
    Full,
}

/// When the whole file is read and checked at open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// When a process that had the file open was killed. A file too large to be checked before
    /// the first call (see [`Options::check_inline_bytes`]) is checked while it serves.
    #[default]
    AfterUncleanEnd,
    /// Always, and before anything else.
    Always,
}

/// What is kept, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Calls older than this go.
    pub max_age: Duration,
    /// Beyond this size, database and blobs together, the oldest calls go.
    pub max_bytes: u64,
    /// How often this is looked at.
    pub every: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            max_age: Duration::from_secs(168 * 3600),
            max_bytes: 2048 << 20,
            // Often enough that a burst is noticed, seldom enough to cost nothing.
            every: Duration::from_secs(60),
        }
    }
}

/// How a store behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What a commit survives.
    pub durability: Durability,
    /// When the whole file is checked.
    pub check: Check,
    /// A file larger than this is checked in the background after an unclean end.
    pub check_inline_bytes: u64,
    /// What is kept. `None` keeps everything.
    pub retention: Option<Retention>,
    /// How many writes may wait.
    pub queue_writes: usize,
    /// How many bytes may wait. One larger write passes alone.
    pub queue_bytes: u32,
    /// How long one attempt waits for a lock that another process holds.
    pub busy_timeout: Duration,
    /// How long a write may take in all before its caller goes on without it.
    pub persist_timeout: Duration,
    /// The largest value of a call. SQLite itself ends at 1 GB.
    pub max_value_bytes: u64,
    /// The largest blob.
    pub max_blob_bytes: u64,
    /// How large the database file may become. `None` leaves it to the disk.
    pub max_file_bytes: Option<u64>,
    /// How many reads run at once.
    pub readers: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::default(),
            check: Check::default(),
            // About a second of reading on a slow disk.
            check_inline_bytes: 256 << 20,
            retention: Some(Retention::default()),
            queue_writes: 1024,
            // A hundred and sixty answers of 100 KB: far more than callers that run at once,
            // and small beside the memory of one browser.
            queue_bytes: 16 << 20,
            busy_timeout: Duration::from_secs(2),
            // Two attempts and some: an agent would rather have its answer than wait longer.
            persist_timeout: Duration::from_secs(5),
            max_value_bytes: 256 << 20,
            max_blob_bytes: 512 << 20,
            max_file_bytes: None,
            readers: 4,
        }
    }
}
