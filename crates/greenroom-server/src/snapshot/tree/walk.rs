//! From lines to what they add to a page, one at a time.
//!
//! Indentation says what contains what. It is compared, not divided by two, so that a text that
//! something else has indented or cut still has a shape: a line stands in the nearest line above
//! that is indented less.
//!
//! Whoever needs a page only in passing, such as its outline, walks it and keeps nothing.

use std::borrow::Cow;
use std::str::Lines;

use super::line::{self, Line};
use super::node::Node;

/// What a line adds.
pub(crate) enum Found<'a> {
    /// One more node. Its place is the number of nodes before it.
    Node(Node<'a>),
    /// Where the link at a place leads.
    Url(usize, Cow<'a, str>),
    /// What the field at a place shows while it is empty.
    Placeholder(usize, Cow<'a, str>),
}

/// Walks a snapshot. It takes time in proportion to the text and cannot fail: what does not fit
/// the dialect becomes text.
pub(crate) fn walk(text: &str) -> Walk<'_> {
    Walk {
        lines: text.lines(),
        open: Vec::new(),
        nodes: 0,
    }
}

/// A walk on its way.
pub(crate) struct Walk<'a> {
    lines: Lines<'a>,
    /// The nodes that the next line may stand in, outermost first.
    open: Vec<Open>,
    nodes: usize,
}

struct Open {
    indent: usize,
    place: usize,
    has_url: bool,
    has_placeholder: bool,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        loop {
            let line = self.lines.next()?;
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            let content = content.trim_end();
            if !content.is_empty() {
                return Some(self.add(indent, content));
            }
        }
    }
}

impl<'a> Walk<'a> {
    fn add(&mut self, indent: usize, content: &'a str) -> Found<'a> {
        while self.open.pop_if(|open| open.indent >= indent).is_some() {}
        match (line::read(content), self.open.last_mut()) {
            (Line::Node(node), _) => self.node(indent, node),
            (Line::Url(url), Some(holder)) if !holder.has_url => {
                holder.has_url = true;
                Found::Url(holder.place, url)
            }
            (Line::Placeholder(text), Some(holder)) if !holder.has_placeholder => {
                holder.has_placeholder = true;
                Found::Placeholder(holder.place, text)
            }
            // A property of nothing, or one said twice, is kept as the text that it is.
            _ => self.node(indent, Node::of_text(Cow::Borrowed(content))),
        }
    }

    fn node(&mut self, indent: usize, mut node: Node<'a>) -> Found<'a> {
        node.depth = self.open.len();
        node.parent = self.open.last().map(|holder| holder.place);
        self.open.push(Open {
            indent,
            place: self.nodes,
            has_url: false,
            has_placeholder: false,
        });
        self.nodes += 1;
        Found::Node(node)
    }
}
