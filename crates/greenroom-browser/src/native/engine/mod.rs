//! An instance of the native engine: one world that serves one holder at a time.
//!
//! # Theory of operation
//! A [`NativeInstance`] has a room: a world with its tabs, made when it is first needed and thrown
//! away whole at each reset. Worlds come from a source: the browsers of a pool, or a browser of its
//! own.
//!
//! Calls take turns. Each runs in a task that keeps its turn until it is done, whatever becomes of
//! its caller: an input that was begun is ended, and the next call does not meet it half way. What
//! blocks a page ends the waiting at once, though: the caller is told of the dialog, and what the
//! call was at goes on behind it when somebody has answered. Steps that were to follow are left.
//!
//! # What ends a call
//! Its answer; a dialog or a file chooser; its deadline; the end of the page's process or of the
//! browser. The last three are errors of the engine, because nothing is known of the outcome;
//! everything else is an answer.

mod calling;
mod given;
mod health;
mod instance;
mod opening;
mod restore;
mod room;
mod source;
mod tabs;
mod visited;

pub use instance::NativeInstance;
pub use source::Source;

pub(crate) use restore::{collect as collect_state, replace as replace_state};
pub(crate) use room::Room;
