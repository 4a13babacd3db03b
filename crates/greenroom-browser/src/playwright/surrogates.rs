//! Mends JSON text that holds half of a surrogate pair.
//!
//! JavaScript strings may hold a lone surrogate and `JSON.stringify` writes it as an escape that
//! no Unicode string can hold; serde_json refuses the whole document. A page must not be able to
//! make its own answer unreadable, so the lone half becomes the replacement character. The mended
//! text is as long as the original: `\ud800` becomes `\ufffd`.

/// The text with every lone surrogate escape replaced, or `None` if there is none.
pub(super) fn mend(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                lone.push(at);
                at += 6;
            }
            (Some(_), _) => at += 6,
            // Any other escape is a backslash and the character after it.
            (None, _) => at = (at + 2).min(bytes.len()),
        }
    }
    (!lone.is_empty()).then(|| {
        let mut mended = json.to_owned();
        for at in lone {
            mended.replace_range(at..at + 6, "\\ufffd");
        }
        mended
    })
}

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_halves_become_the_replacement_character_and_pairs_stay() {
        for (json, expected) in [
            (r#""a\ud800b""#, Some(r#""a\ufffdb""#)),
            (r#""\uDC00""#, Some(r#""\ufffd""#)),
            (r#""\ud800\ud800\udc00""#, Some(r#""\ufffd\ud800\udc00""#)),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud800""#, None),
            (r#""\\\ud800""#, Some(r#""\\\ufffd""#)),
            (r#""\n\u0041""#, None),
            (r#""\ud80""#, None),
            ("plain", None),
            ("\\", None),
        ] {
            assert_eq!(mend(json).as_deref(), expected, "{json}");
        }
    }

    #[test]
    fn what_is_mended_can_be_parsed() {
        let json = r#"{"t":"x\ud800y\udfff\ud83d\ude00"}"#;
        assert!(serde_json::from_str::<serde_json::Value>(json).is_err());
        let mended = mend(json).unwrap();
        let value: serde_json::Value = serde_json::from_str(&mended).unwrap();
        assert_eq!(value["t"], "x\u{fffd}y\u{fffd}\u{1f600}");
    }
}
