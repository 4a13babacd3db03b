//! The engine that drives an upstream `@playwright/mcp` over its standard streams.
//!
//! # Theory of operation
//!
//! The upstream is a child process that speaks JSON-RPC, one message per line. Bytes become
//! lines in [`framing`], lines become messages in `message`, and [`Client`] matches the replies
//! among them with the calls that wait: one task owns the reading half, one the writing half, and
//! a table under a short lock joins them. [`handshake`] opens the conversation in whichever era
//! of the protocol the peer speaks. [`ReplyReader`] turns the bytes of a result into a
//! [`Reply`](crate::call::Reply): it takes the upstream's Markdown apart, reads back the files
//! that it links to, and leaves no trace of the machine's paths. [`PlaywrightInstance`] puts
//! these together with a supervised process: `command` says what to run, and `browser_watch`
//! notices when the browser dies below an upstream that would not tell.
//!
//! # Calls that nobody waits for
//!
//! The upstream cannot be told to stop. After `notifications/cancelled` its SDK never answers the
//! request, and the tool runs on: a click that was cancelled may still happen, in the world of
//! whoever comes next. So it is not told. A call that is given up stays on the books until its
//! answer comes, and the next one is held back until then; only what ends the browser goes past.
//!
//! The conversation is generic over byte streams, so that its tests script the peer in memory.
//!
//! # Why not rmcp's client
//!
//! rmcp drops a line beyond its limit without a word to the caller, who then waits for the
//! deadline; it loses the fields that its types do not know; and it hands out decoded values, so
//! that the exact bytes of a result, which Greenroom stores, are gone. What a pool needs of a
//! client is small (requests, replies, cancellation, a handshake), and here each failure of the
//! peer ends in an error that says which.

mod ansi;
mod browser_watch;
mod calling;
mod client;
mod command;
mod console;
mod era;
mod files;
pub mod framing;
pub mod handshake;
mod health;
mod instance;
mod launch;
mod links;
mod message;
mod oversize;
mod page;
mod pending;
mod programs;
mod reader;
mod reply;
mod reset;
mod rewrite;
mod sections;
mod windows;
mod writer;

pub use client::{Client, ClientOptions};
pub use era::Era;
pub use files::OutputDir;
pub use handshake::{Handshake, shake_hands};
pub use health::{ClientStats, Health};
pub use instance::PlaywrightInstance;
pub use message::Progress;
pub use reply::ReplyReader;
