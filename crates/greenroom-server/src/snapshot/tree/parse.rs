//! From a walk to a tree.

use super::node::Node;
use super::walk::{Found, walk};
use super::{TEXT, Tree};

/// Reads a snapshot. It takes time in proportion to the text and cannot fail: what does not fit
/// the dialect becomes text.
pub fn parse(text: &str) -> Tree<'_> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for found in walk(text) {
        match found {
            Found::Node(node) => nodes.push(node),
            Found::Url(place, url) => nodes[place].url = Some(url),
            Found::Placeholder(place, text) => nodes[place].placeholder = Some(text),
        }
    }
    Tree {
        nodes: fold_sole_texts(nodes),
        lines: text.lines().count(),
    }
}

/// Makes text that is all an element contains the element's own.
///
/// The dialect writes such text behind the colon, except where the element has properties and so
/// needs lines of its own: a field with a placeholder and a value. Whoever asks for the value of
/// a field should not have to know that.
fn fold_sole_texts(nodes: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let depths: Vec<usize> = nodes.iter().map(|node| node.depth).collect();
    let mut places = Vec::with_capacity(nodes.len());
    let mut folded: Vec<Node<'_>> = Vec::with_capacity(nodes.len());
    for (at, mut node) in nodes.into_iter().enumerate() {
        let alone = depths.get(at + 1).is_none_or(|next| *next < node.depth);
        if let Some(parent) = node.parent {
            let place: usize = places[parent];
            let holder = &mut folded[place];
            if alone && parent + 1 == at && holds_only(holder, &node) {
                holder.text = node.text;
                places.push(place);
                continue;
            }
            node.parent = Some(place);
        }
        places.push(folded.len());
        folded.push(node);
    }
    folded
}

fn holds_only(holder: &Node<'_>, child: &Node<'_>) -> bool {
    holder.role != TEXT && holder.text.is_none() && child.is_plain_text()
}
