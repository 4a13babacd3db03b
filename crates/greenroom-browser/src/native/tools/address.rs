//! Addresses that pages may be sent to.

use crate::native::page::ToolError;

/// What can be opened. Everything else (files, the browser's own pages, scripts in the place of an
/// address) is refused, also in ways to write it that only a browser understands.
const SCHEMES: &[&str] = &["http", "https", "data", "blob"];

/// The address that is meant, if it may be opened. One without a scheme gets one.
pub(crate) fn complete(wanted: &str) -> Result<String, ToolError> {
    // A browser takes these away before it looks at an address.
    let plain: String = wanted
        .chars()
        .filter(|each| !matches!(each, '\t' | '\n' | '\r'))
        .collect();
    let plain = plain.trim_matches(|each: char| each.is_control() || each == ' ');
    if plain.is_empty() {
        return Err(ToolError::Argument(
            "The address is empty. Give one like https://example.com.".to_owned(),
        ));
    }
    match scheme_of(plain) {
        None if plain.starts_with("localhost") => Ok(format!("http://{plain}")),
        None => Ok(format!("https://{plain}")),
        Some(scheme) if SCHEMES.contains(&scheme.as_str()) || is_blank(plain) => {
            Ok(plain.to_owned())
        }
        Some(scheme) => Err(ToolError::Argument(format!(
            "Access to \"{scheme}:\" protocol is blocked. Attempted URL: \"{wanted}\". Use an http or https address."
        ))),
    }
}

fn is_blank(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    lower == "about:blank" || lower.starts_with("about:blank#") || lower.starts_with("about:blank?")
}

/// The scheme of an address in lower case. What is followed by a number is a host with its port.
fn scheme_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once(':')?;
    let is_letter = |each: char| each.is_ascii_alphanumeric() || matches!(each, '+' | '-' | '.');
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(is_letter);
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_scheme && !is_port).then(|| scheme.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_without_a_scheme_get_one() {
        for (wanted, expected) in [
            ("https://a/", "https://a/"),
            ("HTTP://a/", "HTTP://a/"),
            ("example.com", "https://example.com"),
            ("example.com:8080/x", "https://example.com:8080/x"),
            ("localhost:3000", "http://localhost:3000"),
            ("localhost", "http://localhost"),
            ("about:blank", "about:blank"),
            ("data:text/html,x", "data:text/html,x"),
            (" https://a/ ", "https://a/"),
        ] {
            assert_eq!(complete(wanted).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_not_of_the_web_is_refused_however_it_is_written() {
        for wanted in [
            "file:///etc/passwd",
            "FILE:///etc/passwd",
            "fi\nle:///etc/passwd",
            "\u{1}file:///etc/passwd",
            "chrome://version",
            "chrome-untrusted://x",
            "devtools://devtools",
            "javascript:alert(1)",
            "java\tscript:alert(1)",
            "view-source:file:///etc/passwd",
            "about:version",
            "filesystem:http://a/",
            "",
        ] {
            assert!(complete(wanted).is_err(), "{wanted:?}");
        }
    }
}
