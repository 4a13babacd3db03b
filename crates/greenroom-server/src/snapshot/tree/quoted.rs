//! The three ways in which the dialect quotes.
//!
//! Names are JSON strings. Values are plain, or in double quotes with the escapes of YAML, of
//! which the dialect uses those of JSON and `\xNN`. A whole key that YAML would misread is in
//! single quotes, where a quote is doubled and nothing else is special.

use std::borrow::Cow;

/// The string that begins after an opening `"`, and what follows its closing quote.
pub(super) fn double(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut escaped = false;
    let mut plain = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => (escaped, plain) = (true, false),
            b'"' => {
                let inside = &text[..at];
                let read = if plain {
                    Cow::Borrowed(inside)
                } else {
                    Cow::Owned(unescape(inside))
                };
                return Some((read, &text[at + 1..]));
            }
            _ => {}
        }
    }
    None
}

/// The string that begins after an opening `'`, and what follows its closing quote.
pub(super) fn single(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    let mut doubled = false;
    loop {
        let at = from + text[from..].find('\'')?;
        if text[at + 1..].starts_with('\'') {
            doubled = true;
            from = at + 2;
            continue;
        }
        let inside = &text[..at];
        let read = if doubled {
            Cow::Owned(inside.replace("''", "'"))
        } else {
            Cow::Borrowed(inside)
        };
        return Some((read, &text[at + 1..]));
    }
}

/// A value: quoted if it is quoted as a whole, else what stands there.
pub(super) fn value(text: &str) -> Cow<'_, str> {
    let quoted = if let Some(rest) = text.strip_prefix('"') {
        double(rest)
    } else if let Some(rest) = text.strip_prefix('\'') {
        single(rest)
    } else {
        None
    };
    match quoted {
        Some((read, "")) => read,
        _ => Cow::Borrowed(text),
    }
}

fn unescape(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = escape(&rest[at + 1..], &mut read);
    }
    read.push_str(rest);
    read
}

/// Reads what follows a backslash and gives the rest. An escape that the dialect does not have
/// stays as it is written.
fn escape<'t>(after: &'t str, read: &mut String) -> &'t str {
    let mut chars = after.chars();
    let Some(kind) = chars.next() else {
        read.push('\\');
        return after;
    };
    let rest = chars.as_str();
    let simple = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '"' | '\\' | '/' => kind,
        'x' => return code(kind, rest, 2, read),
        'u' => return utf16(rest, read),
        other => {
            read.push('\\');
            other
        }
    };
    read.push(simple);
    rest
}

/// The character of a hexadecimal number. A number that is no character, such as half a UTF-16
/// pair, becomes the replacement character; what is no number stays as it is written.
fn code<'t>(kind: char, text: &'t str, digits: usize, read: &mut String) -> &'t str {
    let Some(number) = hex(text, digits) else {
        read.push('\\');
        read.push(kind);
        return text;
    };
    read.push(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
    &text[digits..]
}

/// The character of one or two UTF-16 units.
fn utf16<'t>(text: &'t str, read: &mut String) -> &'t str {
    let pair = || {
        let high = hex(text, 4).filter(|unit| (0xd800..0xdc00).contains(unit))?;
        let low = hex(text.get(4..)?.strip_prefix("\\u")?, 4)?;
        let low = low.checked_sub(0xdc00).filter(|unit| *unit < 0x400)?;
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low)
    };
    match pair() {
        Some(character) => {
            read.push(character);
            &text[10..]
        }
        None => code('u', text, 4, read),
    }
}

fn hex(text: &str, digits: usize) -> Option<u32> {
    let digits = text.get(..digits)?;
    // The number parser alone would take a sign as well.
    let all_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    all_digits.then(|| u32::from_str_radix(digits, 16).ok())?
}
