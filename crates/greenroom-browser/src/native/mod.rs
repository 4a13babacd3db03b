//! The native engine: Chromium, driven over the DevTools protocol without anything in between.
//!
//! # Theory of operation
//! From below: [`conn`] is a connection to one browser, over a pair of pipes or a websocket, on
//! which commands are matched with their replies and events go to whoever listens. [`protocol`]
//! says which commands and events there are, as types. [`launch`] starts a browser and ends it,
//! and tells how it died. [`browser`] makes worlds in browsers: isolated places with a page each,
//! many to a browser, and keeps the browsers of a pool. [`page`] follows one tab with its frames and
//! asks the script that we keep in each; [`events`] keeps what happens in it. [`engine`] is what the
//! pool sees: an instance that takes calls, runs tools (`tools`), waits for what they have set in
//! motion (`settle`), and answers in the sections that agents know (`answer`).
//!
//! ```text
//! NativeInstance ── Room ── Page ──┐                ┌── tools, settle, answer
//!                    │             ├── Journal      │   (one call at a time per page)
//! Fleet ── SharedBrowser ── World ─┴─ Tab ── Session ── Connection ── pipe or websocket
//!            │                                            │
//!            └── Chromium (process, profile, death) ──────┘
//! ```
//!
//! Whoever drives a page has a [`conn::Session`]: `session.call(Navigate { .. }).await` runs a
//! command, `session.events()` listens. Every wait has a deadline, and whatever ends a wait (a
//! deadline, a page that closes or crashes, a browser that dies) says so in a [`CdpError`].

pub mod actions;
mod answer;
pub mod browser;
pub mod conn;
mod deadline;
pub mod engine;
mod error;
pub mod events;
pub mod input;
pub mod launch;
mod origin;
pub mod page;
pub mod protocol;
mod settle;
mod tools;

pub use browser::{Fleet, FleetOptions};
pub use deadline::Deadline;
pub use engine::{NativeInstance, Source};
pub use error::{CdpError, NO_SUCH_SESSION};
pub use tools::NAMES as TOOLS;
