//! Sections as text.

/// Text that grows by sections, each with a title that an agent can look for.
#[derive(Debug, Default)]
pub(super) struct Text(Vec<String>);

impl Text {
    /// Adds a section, unless there is nothing in it.
    pub(super) fn section(&mut self, title: &str, lines: &[String]) {
        if !lines.is_empty() {
            self.0.push(format!("### {title}\n{}", lines.join("\n")));
        }
    }

    /// Adds a section in a code block.
    pub(super) fn code(&mut self, title: &str, language: &str, lines: &[String]) {
        if !lines.is_empty() {
            let body = lines.join("\n");
            self.0
                .push(format!("### {title}\n```{language}\n{body}\n```"));
        }
    }

    /// Whether nothing was said yet.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn finish(self) -> String {
        self.0.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_follow_each_other_and_empty_ones_are_left_out() {
        let mut text = Text::default();
        text.section("Result", &["4".to_owned()]);
        text.section("Events", &[]);
        text.code("Snapshot", "yaml", &["- a".to_owned(), "- b".to_owned()]);
        assert_eq!(
            text.finish(),
            "### Result\n4\n### Snapshot\n```yaml\n- a\n- b\n```"
        );
    }
}
