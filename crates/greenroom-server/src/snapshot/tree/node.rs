//! One element of a page.

use std::borrow::Cow;

/// One element, or one piece of text between elements (role `text`).
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// How many elements it stands in.
    pub depth: usize,
    /// The place of the element it stands in, if it stands in one.
    pub parent: Option<usize>,
    /// Its ARIA role.
    pub role: Cow<'a, str>,
    /// Its accessible name.
    pub name: Option<Cow<'a, str>>,
    /// What tools call it by.
    pub reference: Option<Cow<'a, str>>,
    /// What holds for it, in the order of the line: `level`, `checked`, `disabled`, `cursor`, ….
    pub states: Vec<(Cow<'a, str>, State<'a>)>,
    /// Its text, if all that it contains is text.
    pub text: Option<Cow<'a, str>>,
    /// Where a link leads, as the page wrote it.
    pub url: Option<Cow<'a, str>>,
    /// What an empty field shows.
    pub placeholder: Option<Cow<'a, str>>,
}

/// The value of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State<'a> {
    /// It holds: `[checked]`.
    On,
    /// It is a number: `[level=2]`.
    Number(u32),
    /// It is a word: `[checked=mixed]`.
    Word(Cow<'a, str>),
}

impl<'a> Node<'a> {
    /// An element of which nothing but the role is known yet.
    pub(super) fn new(role: Cow<'a, str>) -> Self {
        Self {
            depth: 0,
            parent: None,
            role,
            name: None,
            reference: None,
            states: Vec::new(),
            text: None,
            url: None,
            placeholder: None,
        }
    }

    /// A piece of text.
    pub(super) fn of_text(text: Cow<'a, str>) -> Self {
        Self {
            text: Some(text),
            ..Self::new(Cow::Borrowed(super::TEXT))
        }
    }

    /// Its ARIA role.
    pub fn role(&self) -> &str {
        &self.role
    }

    /// The value of a state, if the line had it.
    pub fn state(&self, name: &str) -> Option<&State<'a>> {
        let (_, state) = self.states.iter().find(|(key, _)| key == name)?;
        Some(state)
    }

    /// The level of a heading or of an item in a tree.
    pub fn level(&self) -> Option<u32> {
        match self.state("level")? {
            State::Number(level) => Some(*level),
            State::On | State::Word(_) => None,
        }
    }

    /// Whether it is text and nothing else.
    pub(super) fn is_plain_text(&self) -> bool {
        self.role == super::TEXT
            && self.text.is_some()
            && self.name.is_none()
            && self.reference.is_none()
            && self.states.is_empty()
            && self.url.is_none()
            && self.placeholder.is_none()
    }

    /// The same, borrowing nothing.
    pub(super) fn into_owned<'b>(self) -> Node<'b> {
        Node {
            depth: self.depth,
            parent: self.parent,
            role: own(self.role),
            name: self.name.map(own),
            reference: self.reference.map(own),
            states: self.states.into_iter().map(own_state).collect(),
            text: self.text.map(own),
            url: self.url.map(own),
            placeholder: self.placeholder.map(own),
        }
    }
}

fn own<'b>(text: Cow<'_, str>) -> Cow<'b, str> {
    Cow::Owned(text.into_owned())
}

fn own_state<'b>((key, state): (Cow<'_, str>, State<'_>)) -> (Cow<'b, str>, State<'b>) {
    let state = match state {
        State::On => State::On,
        State::Number(number) => State::Number(number),
        State::Word(word) => State::Word(own(word)),
    };
    (own(key), state)
}
