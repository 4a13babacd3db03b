//! Child process trees: started, watched, ended to the last process.
//!
//! # What it owns
//! A [`Run`] is one life of Greenroom on a data directory: a directory that is locked for as long
//! as the process lives. A [`Supervisor`] takes charge of a run and starts children in it. Each
//! child has directories of its own ([`Scratch`]), a task that owns its tree, and a handle
//! ([`Child`]) for the engine, which gets stdin and stdout while stderr is kept as a tail of last
//! words.
//!
//! # How a tree ends
//! Whether the root ends by itself or is asked to, its whole tree goes with it. A browser spreads
//! over process groups and sessions, so a group cannot be killed as one; instead every member is
//! looked up in /proc by the signs that `family` lists and killed through a descriptor that cannot mean
//! another process, again and again until none is found. Orphans come to this process, which is
//! their subreaper and collects them. Until its tree is gone the root itself stays uncollected.
//!
//! # When Greenroom is killed
//! Nothing can be done at that moment (see [`Spawn`] on why there is no death signal). The lock
//! of the run is released by the kernel, and the next start finds the run dead, kills its
//! processes by marker and start time, and removes its directory. Runs that are alive are never
//! touched; any number of them may share a data directory.
//!
//! Linux 5.4 or newer: process descriptors must be pollable and waitable.

mod actor;
mod books;
mod child;
mod data_dir;
mod descriptors;
mod environment;
mod exit;
mod family;
mod identity;
mod limits;
mod link;
mod lock;
mod marker;
mod memory;
mod owner;
mod pause;
mod program;
mod readiness;
mod reap;
mod remove;
mod run;
mod scratch;
mod spawn;
mod stderr;
mod supervisor;
mod sweep;
mod table;
mod tree;

pub use child::{Child, ExitWatch};
pub use data_dir::prepare_data_directory;
pub use environment::{PASSED_PREFIXES, PASSED_VARIABLES, child_environment};
pub use exit::{Ended, Exit};
pub use identity::Identity;
pub use limits::{OpenFileLimit, raise_open_file_limit};
pub(crate) use lock::{Claim, FileLock, hold};
pub use marker::{CHILD_VARIABLE, RUN_VARIABLE, UniqueId};
pub use memory::Memory;
pub use reap::spawn_held;
pub use run::Run;
pub use scratch::Scratch;
pub use spawn::Spawn;
pub use stderr::TAIL_BYTES;
pub use supervisor::Supervisor;
pub use sweep::{SweepReport, SweptRun};
pub use table::ProcessInfo;

/// Runs blocking work where it holds nobody up.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, crate::Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|source| crate::Error::Supervision {
        source: std::io::Error::other(source),
    })
}
