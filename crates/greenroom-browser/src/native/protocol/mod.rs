//! The part of the DevTools protocol that the engine speaks, written by hand.
//!
//! A [`Command`] is a struct with its parameters; it knows its name and the type of its reply. An
//! [`Event`] is a struct that knows its name. There is one file per domain of the protocol, and
//! only what the engine uses: the whole protocol is some megabytes of code, most of which nobody
//! would call. Fields that are not used are not there, and the reader skips what it does not know,
//! so that a newer browser's additions change nothing.
//!
//! Fields are named as the protocol names them (in snake case), and its documentation says what
//! they mean; comments here say only what that does not.

#[macro_use]
mod declare;

pub mod browser;
pub mod dom;
pub mod dom_storage;
pub mod emulation;
pub mod fetch;
mod ids;
pub mod input;
pub mod log;
pub mod network;
pub mod page;
pub mod runtime;
pub mod storage;
pub mod target;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use ids::{ContextId, FrameId, LoaderId, ObjectId, RequestId, ScriptId, SessionId, TargetId};

/// A command of the protocol: its fields are its parameters.
pub trait Command: Serialize + Send + Sync {
    /// Its name, with its domain.
    const METHOD: &'static str;
    /// What it answers.
    type Reply: DeserializeOwned + Send;
}

/// An event of the protocol: its fields are what it carries.
pub trait Event: DeserializeOwned {
    /// Its name, with its domain.
    const METHOD: &'static str;
}

/// The reply of commands that only say that they are done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Done {}
