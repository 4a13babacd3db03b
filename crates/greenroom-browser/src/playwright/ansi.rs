use std::borrow::Cow;

/// The text without the escape sequences that colour a terminal. Upstream's errors carry them.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split('\u{1b}');
    plain.extend(parts.next());
    for part in parts {
        plain.push_str(after_sequence(part));
    }
    Cow::Owned(plain)
}

/// What follows a control sequence: parameters, intermediates, one final byte.
fn after_sequence(part: &str) -> &str {
    let Some(sequence) = part.strip_prefix('[') else {
        return part;
    };
    let rest = sequence.trim_start_matches(|c| matches!(c, '\u{20}'..='\u{3f}'));
    match rest.chars().next() {
        Some(end @ '\u{40}'..='\u{7e}') => &rest[end.len_utf8()..],
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_words_stay() {
        for (text, expected) in [
            ("plain [2m", "plain [2m"),
            ("\u{1b}[2m  - navigating\u{1b}[22m", "  - navigating"),
            ("\u{1b}[38;5;196mred\u{1b}[0m", "red"),
            ("a\u{1b}[", "a"),
            ("a\u{1b}", "a"),
            ("\u{1b}[1mж\u{1b}[1ж", "жж"),
        ] {
            assert_eq!(strip(text), expected, "{text:?}");
        }
    }
}
