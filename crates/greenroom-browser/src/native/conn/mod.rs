//! The connection to a Chromium.
//!
//! # Theory of operation
//! One task owns the connection (`task`): it writes what callers ask and reads what the browser
//! says, and neither waits for the other. A caller enters its command in a table (`pending`),
//! hands the text over, and waits for the reply within its deadline; whatever ends the wait takes
//! the command out of the table. Sessions are *flat*: all targets share one connection, and each
//! message names its session (`sessions`).
//!
//! # What a slow or a hostile page can do
//! To others, nothing. Replies go straight to their callers. Events go to a bounded queue per
//! listener (`queue`), which drops rather than waits, and says what it dropped. Messages are
//! bounded while they are read (`frame`). A page that dies takes only its own commands with it.
//!
//! # How it ends
//! When the stream ends or the process does, everybody who waits is told at once, with how the
//! browser ended; whoever asks later is told the same.
//!
//! The stream is a pair of pipes to a child, or a websocket to a browser elsewhere
//! (`websocket`), behind one type.

mod connection;
mod event;
mod frame;
mod message;
mod pending;
mod queue;
mod session;
mod sessions;
mod task;
mod transport;
mod websocket;

pub use super::protocol::SessionId;
pub use connection::Connection;
pub use event::Event;
pub use frame::{FRAME_LIMIT, Frame, FrameReader};
pub use queue::{Missed, Notice};
pub use session::Session;
pub use sessions::Events;
pub use transport::{FrameWriter, Sink, Source};
pub use websocket::{EndpointError, connect};
