//! An outline while a page passes by.

use super::super::tree::{Node, TEXT};
use super::{Heading, Landmark, Outline};

/// How many headings an outline names.
const MAX_HEADINGS: usize = 40;
/// How many landmarks an outline names.
const MAX_LANDMARKS: usize = 20;
/// How much of a name is kept, in characters.
const MAX_NAME: usize = 60;

/// The roles of the parts of a page.
const LANDMARKS: [&str; 10] = [
    "alertdialog",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "form",
    "main",
    "navigation",
    "region",
    "search",
];

#[derive(Default)]
pub(super) struct Builder {
    outline: Outline,
    /// How many nodes have passed.
    nodes: usize,
    /// The last heading without a name, by its place among the nodes: it is told by the text that
    /// stands in it.
    unnamed: Option<usize>,
}

impl Builder {
    /// Takes the next node, in document order.
    pub(super) fn add(&mut self, node: &Node<'_>) {
        let place = self.nodes;
        self.nodes += 1;
        self.outline.counts.add(node.role());
        match node.role() {
            "heading" => self.heading(place, node),
            TEXT => self.piece(node),
            role if LANDMARKS.contains(&role) => self.landmark(node),
            _ => {}
        }
    }

    pub(super) fn finish(self, lines: usize) -> Outline {
        Outline {
            lines,
            ..self.outline
        }
    }

    fn heading(&mut self, place: usize, node: &Node<'_>) {
        self.unnamed = None;
        if self.outline.headings.len() == MAX_HEADINGS {
            self.outline.more_headings += 1;
            return;
        }
        let said = node.name.as_deref().or(node.text.as_deref());
        if said.is_none() {
            self.unnamed = Some(place);
        }
        self.outline.headings.push(Heading {
            level: node.level(),
            text: cut(said.unwrap_or_default()),
            reference: reference(node),
        });
    }

    fn piece(&mut self, node: &Node<'_>) {
        let stands_in_heading = self.unnamed.is_some() && node.parent == self.unnamed;
        let (true, Some(piece), Some(heading)) = (
            stands_in_heading,
            &node.text,
            self.outline.headings.last_mut(),
        ) else {
            return;
        };
        let space = if heading.text.is_empty() { "" } else { " " };
        heading.text = cut(&format!("{}{space}{}", heading.text, cut(piece)));
    }

    fn landmark(&mut self, node: &Node<'_>) {
        if self.outline.landmarks.len() == MAX_LANDMARKS {
            self.outline.more_landmarks += 1;
            return;
        }
        self.outline.landmarks.push(Landmark {
            role: node.role().to_owned(),
            name: node.name.as_deref().map(cut),
            reference: reference(node),
        });
    }
}

fn reference(node: &Node<'_>) -> Option<String> {
    node.reference.as_deref().map(str::to_owned)
}

/// As much of a text as is kept.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
