//! A page snapshot as data: a tree, an outline, and the answer to a query.
//!
//! A snapshot is text, one line for each element that assistive technology would speak of:
//!
//! ```text
//! - main [ref=e2]:
//!   - heading "Sign in" [level=1] [ref=e3]
//!   - link "Help" [ref=e4] [cursor=pointer]:
//!     - /url: /help
//!   - paragraph [ref=e5]: Use your work account.
//! ```
//!
//! That text is what is stored and what an agent reads. It is parsed only when someone asks for
//! less than all of it. Parsing borrows from the text, takes one pass, and never fails: a line
//! that does not fit the dialect is kept as text. What a page says may be hostile, so nothing
//! here recurses over the depth of a page, and no cost grows faster than the length of the text.
//!
//! * [`Tree`] holds the elements in document order, each with its depth.
//! * [`to_json`] gives the *tree form*: the JSON that queries see, documented there.
//! * [`Outline`] says in under 2 KB what a page consists of and where its parts are.
//! * [`Query`] is a JMESPath expression with bounds on its time and memory.
//!
//! Everything here computes and nothing waits: on a server, call it from `spawn_blocking`.

mod outline;
mod query;
mod tree;

#[cfg(test)]
mod tests;

pub use outline::{Counts, Heading, Landmark, Outline};
pub use query::{Query, QueryError, query, query_text};
pub use tree::{Node, State, Tree, parse, to_json};
