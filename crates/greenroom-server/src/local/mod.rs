//! How the programs of one data directory find each other.
//!
//! One server may run on a data directory: it holds the lock, and writes down where it listens.
//! `greenroom stdio`, `status` and `call` read that and speak to it over a Unix socket that only this
//! user can open: a client connected that way is this user, and needs no token.

mod claim;
mod client;
mod socket;

pub use claim::{Claim, ClaimError, Running};
pub use client::LocalClient;
pub use socket::{connect, listen, serve_socket, socket_path};
