//! The elements of a snapshot in document order.
//!
//! A tree is kept flat, as a list of nodes with their depths, because depth is the page's to
//! choose: nested boxes would have to be dropped, printed and walked by recursion, and a page of
//! a few megabytes can nest deep enough to exhaust a stack.

mod json;
mod line;
mod node;
mod parse;
mod quoted;
mod texts;
mod walk;

pub use json::to_json;
pub use node::{Node, State};
pub use parse::parse;
pub(crate) use walk::{Found, walk};

/// The role of text that belongs to no element of its own.
pub(crate) const TEXT: &str = "text";
/// The role of an element that means nothing by itself: a `div`, a `span`.
const GENERIC: &str = "generic";

/// A parsed snapshot. The nodes are in document order; a node's descendants follow it directly and
/// are those of greater depth.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    lines: usize,
}

impl<'a> Tree<'a> {
    /// Every node, parents before their children.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// How many lines the text had.
    pub fn lines(&self) -> usize {
        self.lines
    }
}
