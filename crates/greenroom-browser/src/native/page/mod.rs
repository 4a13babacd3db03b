//! One tab: its frames, what happens in them, and questions to the script that we keep in each.
//!
//! # Theory of operation
//! A [`Page`] follows its session in a task (`follow`), and the sessions of frames that Chromium
//! keeps in other processes. What they tell goes into its books: the frames (`frames`), and all
//! that tools report later (`crate::native::events`). Whoever waits for something looks at the books again
//! whenever they have changed.
//!
//! Our script (`script`) lives in an isolated world of each frame: it sees the document, and the
//! page's own scripts do not see it. It is put there when a frame is first asked something, and
//! again after each load, because a world ends with its document (`world`).
//!
//! # Naming elements
//! Each document that our script was put into has a number, and its refs begin with it (`f3e12`);
//! the first document of all has none (`e12`). Numbers are not used again within a world, so that
//! a ref of a page that is gone never means something on another one. `find` leads from what an
//! agent calls a target to an [`Element`], through frames where need be.

mod arrival;
mod books;
mod content;
mod deeds;
mod element;
mod emulated;
mod error;
mod evaluate;
mod find;
mod follow;
mod frame;
mod frames;
mod furnish;
mod geometry;
mod hear;
mod mapping;
#[allow(
    clippy::module_inception,
    reason = "the page is what this module is about"
)]
mod page;
mod reach;
mod script;
mod snapshot;
mod texts;
mod watching;
mod world;

pub use element::{Description, Element};
pub use error::ToolError;
pub use evaluate::Given;
pub use frame::Frame;
pub use frames::{FrameInfo, Load};
pub use page::{DocumentNumbers, Page};
pub use snapshot::{Snapshot, SnapshotOptions};

pub(crate) use books::Books;
pub(crate) use reach::Verdict;
