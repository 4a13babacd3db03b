//! The tools, by name.
//!
//! Each file has those of one kind. A tool takes its arguments from the call, acts on the current
//! tab, and leaves an [`Answer`](super::answer::Answer). What it says and does is what the pinned
//! upstream's tool of the same name does; where the words differ, ours say what to do next.

mod acting;
mod address;
mod arguments;
mod back;
mod code;
mod console;
mod cookies;
mod dialog;
mod evaluate;
mod find;
mod guard;
mod history;
mod literal;
mod media;
mod mouse;
mod navigate;
mod network;
mod page_wide;
mod picture;
mod request;
mod snapshot;
mod state;
mod steps;
mod tabs;
mod upload;
mod wait;
mod web_storage;
mod work;

pub(crate) use code::quote;
pub(crate) use guard::{CLOSE, NAVIGATE, closed, needs_no_turn, refusal};
pub(crate) use literal::{on_one_line, options};
pub use work::NAMES;
pub(crate) use work::Work;
