//! What nodes say in their own words.

use std::borrow::Cow;

use super::{TEXT, Tree};

/// The text of each node, by its place: its inline text, or the pieces of text between its
/// children.
///
/// It is computed for all nodes at once, because looking for one node's pieces means passing over
/// its descendants, and doing that for each of them is not linear.
pub(super) fn own_texts<'t>(tree: &'t Tree<'_>) -> Vec<Option<Cow<'t, str>>> {
    let mut texts: Vec<Option<Cow<'t, str>>> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        texts.push(node.text.as_deref().map(Cow::Borrowed));
        if let (TEXT, Some(parent), Some(piece)) = (node.role(), node.parent, &node.text) {
            append(&mut texts[parent], piece);
        }
    }
    texts
}

fn append<'t>(text: &mut Option<Cow<'t, str>>, piece: &'t str) {
    match text {
        Some(text) => {
            let text = text.to_mut();
            text.push(' ');
            text.push_str(piece);
        }
        None => *text = Some(Cow::Borrowed(piece)),
    }
}
