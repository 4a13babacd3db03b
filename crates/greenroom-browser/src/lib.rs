//! Browser engines, and the process supervision below them.
//!
//! [`process`] owns child process trees: it starts them, keeps their last words, stops all of
//! them, and clears away what a dead Greenroom left behind. It knows nothing of browsers or MCP.
//! Engines stand on top of it and are the only ones that talk to a child. [`find`] looks for what
//! they run, [`sandbox`] tells whether Chromium's sandbox can be on.

pub mod call;
mod engine;
mod error;
pub mod find;
mod host;
mod json;
mod media_type;
pub mod native;
pub mod playwright;
pub mod process;
mod profile;
pub mod sandbox;
mod spec;

pub use engine::Engine;
pub use error::{Error, Unready};
pub use host::{Host, Machine};
pub use spec::{LaunchSpec, ViewportSize};
