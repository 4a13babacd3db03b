//! Why the store says no. Every message ends with what to do next.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why something that was to be kept was not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// No space is left for the database.
    #[error("the disk is full; free space or lower MAX_STORE_MB, it then goes on by itself")]
    DiskFull,
    /// Another process has had the write lock for too long.
    #[error("the database is locked by another process; find what holds it open and close it")]
    Locked,
    /// More waits to be written than may wait.
    #[error("too much waits to be written; retry when the load is lower")]
    QueueFull,
    /// The disk answered too late or not at all.
    #[error("the disk did not answer in time; check the device of the data directory")]
    Stalled,
    /// Reading or writing the file failed.
    #[error("the disk reports errors; check the device and its kernel log")]
    DiskError,
    /// The database is damaged.
    #[error("the database is damaged; restart to have it checked and be told how to move it aside")]
    Damaged,
    /// The store is closing.
    #[error("the store is closed; retry when the server has been started again")]
    Closed,
    /// The database refused the statement.
    #[error("the database refused the write; the log of the server has the details")]
    Refused,
}

/// Every way in which the store refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such thing, or it belongs to someone else: the answer is the same.
    #[error("no such {what}; it may have expired, list what there is and use an id from there")]
    NotFound {
        /// What was asked for.
        what: &'static str,
    },

    /// The write did not reach the database.
    #[error("not persisted: {reason}")]
    NotPersisted {
        /// Why.
        reason: Reason,
    },

    /// The call has its final outcome already.
    #[error("the call {ref_id} has its outcome already; give each call a ref_id of its own")]
    AlreadyFinished {
        /// The call.
        ref_id: crate::RefId,
    },

    /// A session that is to be made exists.
    #[error("the session '{id}' exists already; resume it or choose another name")]
    SessionExists {
        /// The session.
        id: crate::SessionId,
    },

    /// The session is in use by another live process on the same database.
    #[error("the session '{id}' is active in another process (pid {pid}); close it there first")]
    ActiveElsewhere {
        /// The session.
        id: crate::SessionId,
        /// The process that holds it.
        pid: u32,
    },

    /// A value is larger than may be stored or compared.
    #[error("{what} has {size} bytes and {limit} are allowed; send less or raise the limit")]
    TooLarge {
        /// What was too large.
        what: &'static str,
        /// Its size, as far as it was read.
        size: u64,
        /// The limit.
        limit: u64,
    },

    /// The file is damaged, cut short, or no database at all.
    #[error(
        "the database {} is damaged ({detail}); start once with --quarantine-database: \
         it is renamed to {}.corrupt-<time> and a new one is begun", path.display(), path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },

    /// The file was written by a newer program.
    #[error(
        "the database {} has schema {found} and this program knows {known}; \
         use the newer program, or another DATABASE_PATH", path.display()
    )]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema that this program knows.
        known: i64,
    },

    /// The file is a database of some other program.
    #[error(
        "the database {} belongs to another program; choose another DATABASE_PATH", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },

    /// The database is in use and cannot be moved or opened now.
    #[error("the database {} is in use by another process; stop it and retry", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },

    /// The file system cannot hold the database.
    #[error(
        "the file system of {} has no shared memory for the log of a database; \
         choose a DATA_DIR on a local disk", path.display()
    )]
    NoSharedMemory {
        /// The file.
        path: PathBuf,
    },

    /// The SQLite that was linked has a known fault.
    #[error("SQLite {found} may corrupt its log; build with SQLite 3.51.3 or newer")]
    OldSqlite {
        /// The version that was linked.
        found: &'static str,
    },

    /// A file or a directory could not be used.
    #[error("cannot use {}; check its owner, permissions and free space", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// What is stored could not be read back.
    #[error("the stored value cannot be read; check the disk, then have the database checked")]
    Unreadable {
        /// What reading it said.
        #[source]
        source: io::Error,
    },

    /// The database refused.
    #[error("the database refused; the cause follows, retry or have the database checked")]
    Database(#[source] DatabaseError),

    /// The store is closed.
    #[error("the store is closed; retry when the server has been started again")]
    Closed,
}

/// What SQLite said, without its types.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DatabaseError(rusqlite::Error);

impl DatabaseError {
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        self.0.sqlite_error_code()
    }
}

/// The shorthand of this crate.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

impl StoreError {
    pub(crate) const NO_RESPONSE: Self = Self::NotFound { what: "ref_id" };
    pub(crate) const NO_SESSION: Self = Self::NotFound { what: "session_id" };
    pub(crate) const NO_BLOB: Self = Self::NotFound { what: "blob" };

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// Whether the same request may succeed later without any change to it.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NotPersisted { reason } => !matches!(reason, Reason::Damaged | Reason::Refused),
            Self::InUse { .. } | Self::ActiveElsewhere { .. } | Self::Closed => true,
            _ => false,
        }
    }

    /// Says which file is meant, where the cause is the file itself.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        let Self::Database(DatabaseError(error)) = self else {
            return self;
        };
        match Reason::of(&error) {
            Reason::Damaged => Self::Corrupt {
                path: path.to_owned(),
                detail: error.to_string(),
            },
            Reason::Locked => Self::InUse {
                path: path.to_owned(),
            },
            _ => Self::Database(DatabaseError(error)),
        }
    }

    /// Whether the fault lies with the file or the disk, so that whatever shared the transaction
    /// fails with it.
    pub(crate) fn disk_fault(&self) -> Option<Reason> {
        let Self::Database(DatabaseError(error)) = self else {
            return None;
        };
        match Reason::of(error) {
            Reason::Refused => None,
            reason => Some(reason),
        }
    }
}

impl Reason {
    pub(crate) fn of(error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::OutOfMemory
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::DiskError,
            _ => Self::Refused,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(DatabaseError(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retrying_helps_exactly_where_the_cause_can_pass() {
        let persisted = |reason| StoreError::NotPersisted { reason };
        let table = [
            (persisted(Reason::DiskFull), true),
            (persisted(Reason::Locked), true),
            (persisted(Reason::QueueFull), true),
            (persisted(Reason::Damaged), false),
            (persisted(Reason::Refused), false),
            (StoreError::Closed, true),
            (StoreError::NO_RESPONSE, false),
            (StoreError::Foreign { path: "x".into() }, false),
        ];
        for (error, retryable) in table {
            assert_eq!(error.is_retryable(), retryable, "{error}");
        }
    }

    #[test]
    fn every_message_says_what_to_do_next() {
        let path = PathBuf::from("/data/greenroom.db");
        let errors = [
            StoreError::NO_BLOB,
            StoreError::Corrupt {
                path: path.clone(),
                detail: "page 3".into(),
            },
            StoreError::NewerSchema {
                path: path.clone(),
                found: 9,
                known: 1,
            },
            StoreError::InUse { path },
            StoreError::OldSqlite { found: "3.40.0" },
        ];
        for error in errors {
            let text = error.to_string();
            assert!(text.contains("; "), "no remedy in: {text}");
            assert!(
                text.starts_with(char::is_lowercase) || text.starts_with("SQLite"),
                "{text}"
            );
        }
    }
}
