//! Turns byte offsets into lines and columns.

/// Where the lines of a text begin.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// Line and column of an offset, both from 1, the column in characters.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let lines = Lines::new("ab\näöü = 1\n\nx");
        let at = |needle: &str| lines.position(lines.text.find(needle).unwrap());
        assert_eq!(at("a"), (1, 1));
        assert_eq!(at("="), (2, 5));
        assert_eq!(at("x"), (4, 1));
        assert_eq!(lines.position(lines.text.len()), (4, 2));
    }
}
