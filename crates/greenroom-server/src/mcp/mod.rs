//! The MCP edge: every revision from 2024-11-05 to 2026-07-28, over byte streams and HTTP.
//!
//! There are two eras. In the *legacy* one a client opens a session with `initialize` and its
//! requests belong to it. In the *new* one (2026-07-28) there are no sessions: each request says
//! what it needs, and closing its response stream cancels it. rmcp speaks both through one
//! [`Handler`]; which era a request is of is decided from that request, never from the handler.
//!
//! What the service is told apart from the call is only who makes it: a byte stream is one
//! `connection` in either era, a legacy HTTP session is one, and a request of the new era over
//! HTTP has none. A connection ends with its stream or session: its calls are dropped, then the
//! service hears of it.
//!
//! - [`serve_stream`]: one client over stdin and stdout or a socket (`stream`, framing in `lines`).
//! - [`Endpoint`]: many clients over HTTP, as a tower service (`endpoint`, `sessions`).
//! - `resources`: stored binaries, listed and read.

mod answer;
mod catalogue;
mod connection;
mod endpoint;
mod handler;
mod identity;
mod lines;
mod output;
mod progress;
mod request_id;
mod resources;
mod sessions;
mod stream;
mod unanswered;

pub use endpoint::{Endpoint, EndpointOptions};
pub use handler::Handler;
pub use stream::{StreamEnd, serve_stream, stdio};
