//! The lines of Playwright code that stand for what was done.

/// A text as JavaScript writes it in single quotes.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for each in text.chars() {
        match each {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            each if each.is_control() => quoted.push_str(&format!("\\u{:04x}", each as u32)),
            each => quoted.push(each),
        }
    }
    quoted.push('\'');
    quoted
}

/// Whether code is a function, as far as its beginning tells.
pub(crate) fn is_function(code: &str) -> bool {
    let code = code.trim_start();
    let plain = code.strip_prefix("async").map_or(code, str::trim_start);
    if plain.starts_with("function") {
        return true;
    }
    let Some((head, _)) = plain.split_once("=>") else {
        return false;
    };
    let head = head.trim();
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|each| each.is_alphanumeric() || "_$".contains(each))
    };
    is_word(head) || (head.starts_with('(') && closes_at_end(head))
}

/// Whether the parenthesis that a text begins with is closed by its last character.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, each) in text.char_indices() {
        match each {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + each.len_utf8() == text.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_javascript_reads_them() {
        assert_eq!(quote("a'b\\c\n\u{1}é"), r"'a\'b\\c\n\u0001é'");
    }

    #[test]
    fn functions_are_told_from_expressions() {
        for code in [
            "() => 1",
            "async () => 1",
            "e => e",
            "(a, [b]) => a",
            "function f() {}",
            " async function () {}",
        ] {
            assert!(is_function(code), "{code}");
        }
        for code in [
            "1 + 1",
            "document.title",
            "(() => 1)()",
            "[1].map(x => x)",
            "f(a) || b",
        ] {
            assert!(!is_function(code), "{code}");
        }
    }
}
