//! One line of a snapshot, without its indentation.
//!
//! ```text
//! - role "name" [state] [state=value] [ref=e1]: text
//! - 'role "name: with what YAML would misread" [ref=e2]':
//! - /url: https://example.com/
//! ```

use std::borrow::Cow;

use super::node::{Node, State};
use super::quoted;

/// The dialect has a dozen states. A line with more than this is not of the dialect, and looking
/// for doubles among few of them costs nothing worth counting.
const MAX_STATES: usize = 16;

/// Keys of the tree form that are not states: a line that claims them is not of the dialect.
const RESERVED: [&str; 9] = [
    "role",
    "name",
    "ref",
    "text",
    "url",
    "placeholder",
    "depth",
    "children",
    "nodes",
];

/// What a line says.
pub(super) enum Line<'a> {
    /// An element or a piece of text.
    Node(Node<'a>),
    /// Where the link that it stands in leads.
    Url(Cow<'a, str>),
    /// What the field that it stands in shows while it is empty.
    Placeholder(Cow<'a, str>),
}

/// Reads a line. One that does not fit the dialect is text.
pub(super) fn read(line: &str) -> Line<'_> {
    if let Some(value) = line.strip_prefix("- /url: ") {
        return Line::Url(quoted::value(value));
    }
    if let Some(value) = line.strip_prefix("- /placeholder: ") {
        return Line::Placeholder(quoted::value(value));
    }
    let node = line.strip_prefix("- ").and_then(element);
    Line::Node(node.unwrap_or_else(|| Node::of_text(Cow::Borrowed(line))))
}

fn element(item: &str) -> Option<Node<'_>> {
    let (mut node, rest) = match item.strip_prefix('\'') {
        Some(quoted) => quoted_key(quoted)?,
        None => key(item)?,
    };
    match rest {
        "" | ":" => {}
        _ => node.text = Some(quoted::value(rest.strip_prefix(": ")?)),
    }
    Some(node)
}

fn quoted_key(text: &str) -> Option<(Node<'_>, &str)> {
    let (whole, rest) = quoted::single(text)?;
    let node = match whole {
        Cow::Borrowed(whole) => whole_key(whole)?,
        Cow::Owned(whole) => whole_key(&whole)?.into_owned(),
    };
    Some((node, rest))
}

fn whole_key(text: &str) -> Option<Node<'_>> {
    match key(text)? {
        (node, "") => Some(node),
        _ => None,
    }
}

/// Role, name and states, and what follows them.
fn key(text: &str) -> Option<(Node<'_>, &str)> {
    let (role, mut rest) = word(text)?;
    let mut node = Node::new(Cow::Borrowed(role));
    if let Some(quote) = rest.strip_prefix(" \"") {
        let (name, after) = quoted::double(quote)?;
        node.name = Some(name);
        rest = after;
    }
    while let Some(bracket) = rest.strip_prefix(" [") {
        let (inside, after) = bracket.split_once(']')?;
        state(&mut node, inside)?;
        rest = after;
    }
    Some((node, rest))
}

fn state<'a>(node: &mut Node<'a>, inside: &'a str) -> Option<()> {
    if let Some(reference) = inside.strip_prefix("ref=") {
        if node.reference.is_some() || !is_reference(reference) {
            return None;
        }
        node.reference = Some(Cow::Borrowed(reference));
        return Some(());
    }
    let (key, rest) = word(inside)?;
    let known = node.state(key).is_some() || RESERVED.contains(&key);
    if known || node.states.len() == MAX_STATES {
        return None;
    }
    let value = match rest.strip_prefix('=') {
        Some(value) => state_value(key, value)?,
        None if rest.is_empty() => State::On,
        None => return None,
    };
    node.states.push((Cow::Borrowed(key), value));
    Some(())
}

fn state_value<'a>(key: &str, value: &'a str) -> Option<State<'a>> {
    if key == "level" {
        return value.parse().ok().map(State::Number);
    }
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,".contains(&byte);
    (!value.is_empty() && value.bytes().all(fits)).then_some(State::Word(Cow::Borrowed(value)))
}

fn is_reference(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

/// A role or the name of a state: lower-case letters, then also digits and hyphens.
fn word(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(|first: char| first.is_ascii_lowercase()) {
        return None;
    }
    let inside = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let end = text.bytes().position(|byte| !inside(byte));
    Some(text.split_at(end.unwrap_or(text.len())))
}
