//! Every call and response on embedded SQLite, and the blobs that they name.
//!
//! # Theory of operation
//!
//! - **Writes** go through one thread that commits whatever is queued in one transaction and
//!   answers afterwards (`writer`). [`Store::call_started`] never waits; [`Store::call_finished`]
//!   resolves after COMMIT, or says within a bounded time why the response was not persisted.
//! - **Reads** run on a few read-only connections, each in one transaction. Every one is scoped by
//!   [`Principal`]: what belongs to others is not found, exactly like what does not exist.
//! - **Large values** are stored as they come, the largest as files beside the database (`spool`).
//!   After the commit a thread of low priority (`keeper`) compresses them into the database, indexes
//!   the words of snapshots and removes what is old, each in steps so short that no caller notices.
//! - **Blobs** are files named by their SHA-256, complete on disk before a row names them.
//! - **Processes** may share the file. Each is a *run* with a lock of its own; what a killed run
//!   left is given an outcome by the next one: calls `unknown`, sessions `parked` (`db::runs`).
//!
//! ```
//! use greenroom_store::{Call, Finish, Mode, Options, Outcome, Principal, ReadRequest, Reader};
//! use greenroom_store::{Content, Reading, RefId, Response, Store, Timestamp};
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), greenroom_store::StoreError> {
//! # let dir = tempfile::tempdir().expect("a directory");
//! let store = Store::open(dir.path().join("greenroom.db"), Options::default()).await?;
//! let ada = Principal::new("ada");
//! let call = Call::new(RefId::new(), ada.clone(), "browser_snapshot", Timestamp::now());
//! store.call_started(&call);
//! let response = Response::new(b"{}".to_vec()).content(Content::snapshot("- button \"Save\""));
//! let finish = Finish::new(Outcome::Success, Duration::from_millis(7)).response(response);
//! let ref_id = call.ref_id;
//! store.call_finished(call, finish).await?;
//!
//! let request = ReadRequest::new(ada, Reader::new("chat"), ref_id).mode(Mode::Diff);
//! assert!(matches!(store.read(request.clone()).await?, Reading::Full { .. }));
//! assert!(matches!(store.read(request).await?, Reading::Unchanged));
//! store.close().await;
//! # Ok(())
//! # }
//! ```

mod blobs;
mod calls;
mod codec;
mod content;
mod cursors;
mod db;
mod error;
mod files;
mod history;
mod ids;
mod keeper;
mod options;
mod readers;
mod sessions;
mod spool;
mod stats;
mod store;
mod timestamp;
mod words;
mod writer;

pub use blobs::{BlobId, BlobInfo, NewBlob};
pub use calls::{
    Call, CallFilter, CallInfo, ConsoleLevel, ConsoleMessage, Content, ContentKind, Finish,
    Outcome, Persisted, Response, ResponseInfo,
};
pub use content::{Block, Line, Matches, Mode, Page, PageRequest, PageStart, SearchRequest};
pub use cursors::{ReadRequest, Reading, WhyFull};
pub use db::quarantine;
pub use error::{DatabaseError, Reason, Result, StoreError};
pub use history::{HistoryQuery, Hit};
pub use ids::{Principal, Reader, RefId, SessionId};
pub use keeper::RetentionReport;
pub use options::{Check, Durability, Options, Retention};
pub use sessions::{NewSession, Session, SessionState};
pub use stats::{Activity, Sizes};
pub use store::Store;
pub use timestamp::Timestamp;
