//! The native engine with real browsers.
#![allow(clippy::unwrap_used, missing_docs)]

mod acting;
mod actions;
mod actor;
mod catalog;
mod connection;
mod crowd;
mod fleet;
mod hostile;
mod interruptions;
mod launch;
mod local;
mod looking;
mod page;
mod peer;
mod pictures;
mod pointing;
mod protocol;
mod reset;
mod settling;
mod stage;
mod steps;
mod storage;
mod websocket;
mod worlds;
