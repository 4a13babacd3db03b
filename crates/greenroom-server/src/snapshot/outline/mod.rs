//! What a page consists of, without the page.
//!
//! An answer too long to be given whole is given as its outline: where the parts of the page are,
//! what its headings say, and how much there is of everything an agent may want to act on. Every
//! heading and landmark keeps its ref, so that the outline is enough for the next step.

mod build;
mod counts;
mod text;

pub use counts::Counts;

use super::tree::{Found, Tree, walk};
use build::Builder;

/// What a page consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The first headings, in document order.
    pub headings: Vec<Heading>,
    /// How many more headings there are.
    pub more_headings: usize,
    /// The first landmarks, in document order.
    pub landmarks: Vec<Landmark>,
    /// How many more landmarks there are.
    pub more_landmarks: usize,
    /// How much there is of what can be acted on or read.
    pub counts: Counts,
    /// How many lines the snapshot has.
    pub lines: usize,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its level, 1 for the most important; a page may leave it out.
    pub level: Option<u32>,
    /// What it says, cut if it is long.
    pub text: String,
    /// What tools call it by.
    pub reference: Option<String>,
}

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landmark {
    /// What kind of part it is.
    pub role: String,
    /// Its name, if the page gives it one, cut if it is long.
    pub name: Option<String>,
    /// What tools call it by.
    pub reference: Option<String>,
}

impl Outline {
    /// The outline of a snapshot. It takes no more memory than the outline itself, so it can be
    /// made of answers that are too long for a tree.
    pub fn of_text(text: &str) -> Self {
        let mut builder = Builder::default();
        for found in walk(text) {
            if let Found::Node(node) = found {
                builder.add(&node);
            }
        }
        builder.finish(text.lines().count())
    }

    /// The outline of a parsed snapshot.
    pub fn of(tree: &Tree<'_>) -> Self {
        let mut builder = Builder::default();
        for node in tree.nodes() {
            builder.add(node);
        }
        builder.finish(tree.lines())
    }

    /// The outline for a model to read: at most 2 KB, whatever the page.
    pub fn to_text(&self) -> String {
        text::write(self)
    }
}
