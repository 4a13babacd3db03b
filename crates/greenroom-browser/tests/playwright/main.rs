//! The playwright engine: its client alone, with a fake upstream, and with the pinned one.
#![allow(clippy::unwrap_used, missing_docs)]

mod client_delivers_at_most_once;
mod client_matches_replies;
mod client_memory_is_bounded;
mod client_survives_the_end;
mod engine;
mod handshake_of_either_era;
mod instance_with_chromium;
mod instance_with_fake;
mod peer;
mod reply_stands_alone;
mod reset_leaves_nothing;
#[path = "../support/mod.rs"]
mod support;
