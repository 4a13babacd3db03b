//! Reading what a browser or an upstream says, also where a page has made it hard to read.
//!
//! JavaScript strings may hold half of a surrogate pair, and they write it as an escape
//! that no Unicode string can hold; a strict parser refuses the whole message. A page must not be
//! able to make its own answer unreadable, so the lone half becomes the replacement character.

use serde::de::DeserializeOwned;

/// Reads a value; text that does not parse is mended and tried once more.
pub(crate) fn decode<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(text).or_else(|error| match mend(text) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

/// The text with every lone surrogate escape replaced, or `None` if there is none.
fn mend(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended = None;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &text[at..]) {
        at += found;
        at += match (unit(text, at), unit(text, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                let mended = mended.get_or_insert_with(|| text.to_vec());
                mended[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (Some(_), _) => 6,
            // Any other escape is a backslash and the character after it.
            (None, _) => 2,
        };
        at = at.min(text.len());
    }
    mended
}

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_the_replacement_character_and_pairs_stay() {
        let table = [
            (r#""a""#, "a"),
            (r#""\ud83d\ude00""#, "\u{1F600}"),
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\\ud83d \ud83d\n""#, "\\ud83d \u{fffd}\n"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1F600}"),
        ];
        for (json, expected) in table {
            assert_eq!(decode::<String>(json.as_bytes()).unwrap(), expected);
        }
    }

    #[test]
    fn text_that_is_broken_otherwise_is_refused() {
        for broken in [r#""\ud83d"#, r#"{"a":"\"#, "", r#""\uzzzz""#] {
            assert!(decode::<serde_json::Value>(broken.as_bytes()).is_err());
        }
    }
}
