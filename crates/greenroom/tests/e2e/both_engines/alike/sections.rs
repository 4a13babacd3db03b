//! An answer in its parts.

use std::fmt;

/// The sections of an answer: their headings and what is below each.
#[derive(Clone)]
pub(super) struct Sections(Vec<(String, String)>);

impl Sections {
    /// Takes an answer apart. What stands before the first heading has none.
    pub(super) fn of(said: &str) -> Self {
        let text = format!("\n{said}");
        let section = |part: &str| match part.split_once('\n') {
            Some((heading, body)) => (heading.to_owned(), body.to_owned()),
            None => (part.to_owned(), String::new()),
        };
        let parts = text.split("\n### ").map(section);
        Self(
            parts
                .filter(|(heading, body)| !(heading.is_empty() && body.is_empty()))
                .collect(),
        )
    }

    /// What is below a heading.
    pub(super) fn get(&self, wanted: &str) -> Option<&str> {
        let mut sections = self.0.iter();
        let found = sections.find(|(heading, _)| heading == wanted);
        found.map(|(_, body)| body.as_str())
    }

    /// Writes what is below a heading anew, if it is there.
    pub(super) fn change(&mut self, wanted: &str, change: impl Fn(&str) -> String) {
        for (heading, body) in &mut self.0 {
            if heading == wanted {
                *body = change(body);
            }
        }
    }

    /// Leaves a section out.
    pub(super) fn remove(&mut self, wanted: &str) {
        self.0.retain(|(heading, _)| heading != wanted);
    }
}

impl fmt::Display for Sections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(heading, body)| writeln!(formatter, "### {heading}\n{body}"))
    }
}
