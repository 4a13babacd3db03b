//! The table of all tools.
//!
//! Rows are grouped by what an agent wants to do; the order of groups and rows is the
//! order of `tools/list` and never changes at run time, so that clients can cache their
//! prompts. Argument names, types and requiredness of browser tools follow the pinned
//! upstream exactly ([`super::drift`] proves it); the words are our own.

mod content;
mod forms;
mod input;
mod looking;
mod pages;
mod pools;
mod script;
mod sessions;
mod shared;

use super::row::{Kind, Param, Tool};
use super::suggest;

/// The groups of rows in the order in which they are listed.
static GROUPS: [&[Tool]; 8] = [
    pages::ROWS,
    looking::ROWS,
    input::ROWS,
    forms::ROWS,
    script::ROWS,
    pools::ROWS,
    sessions::ROWS,
    content::ROWS,
];

/// Where a call runs and how it answers. Every browser tool takes these; the server
/// instructions explain them once, which is why they are quiet in every schema.
pub static ADDRESS: [Param; 4] = [
    Param::optional(
        "session_id",
        Kind::SessionId,
        "The world to use: from create_new_session, or a name of your own; left out: your connection's own",
    )
    .quiet(),
    Param::optional(
        "browser_pool",
        Kind::Text,
        "The pool to take a browser from; left out: the default pool",
    )
    .quiet(),
    Param::optional(
        "browser_instance",
        Kind::Text,
        "One browser of the pool, by id or alias; left out: any free one",
    )
    .quiet(),
    Param::optional(
        "response_mode",
        Kind::Choice(&["inline", "ref", "auto"]),
        "How much is said: all, only facts and the ref_id, or all unless it is long; left out: as configured",
    )
    .quiet(),
];

/// All rows, in order.
pub fn rows() -> impl Iterator<Item = &'static Tool> {
    GROUPS.iter().copied().flatten()
}

/// The row of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    rows().find(|row| row.name == name)
}

/// The known tool name that was most likely meant.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    suggest::nearest(name, rows().map(|row| row.name))
}
