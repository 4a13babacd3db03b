//! What agents call keys, beside the names that the web has for them.

use super::layout::{self, Key};

/// Other names, in small letters.
#[rustfmt::skip]
const ALSO: &[(&str, &str)] = &[
    ("ctrl", "Control"), ("ctl", "Control"), ("cmd", "Meta"), ("command", "Meta"),
    ("win", "Meta"), ("windows", "Meta"), ("super", "Meta"), ("option", "Alt"), ("opt", "Alt"),
    ("esc", "Escape"), ("return", "Enter"), ("del", "Delete"), ("ins", "Insert"),
    ("pgup", "PageUp"), ("pgdn", "PageDown"), ("pgdown", "PageDown"),
    ("left", "ArrowLeft"), ("right", "ArrowRight"), ("up", "ArrowUp"), ("down", "ArrowDown"),
    ("spacebar", "Space"),
];

/// The key of commands: on a Mac, `Meta`.
const COMMAND: &str = if cfg!(target_os = "macos") {
    "Meta"
} else {
    "Control"
};

/// The key that a name or a character stands for.
///
/// Characters are taken as they are: `A` is the capital one. Names are taken in any case, and the
/// shorter ones that people use are names too.
pub(super) fn key_of(name: &str) -> Option<Key> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Some(layout::writing(character).unwrap_or_else(|| foreign(character)));
    }
    if name.eq_ignore_ascii_case("ControlOrMeta") {
        return layout::named(COMMAND);
    }
    if name.eq_ignore_ascii_case("plus") {
        return layout::writing('+');
    }
    layout::named(name).or_else(|| layout::named(spelling(name)?))
}

/// The name as the web spells it.
fn spelling(name: &str) -> Option<&'static str> {
    let exact = layout::names().find(|known| known.eq_ignore_ascii_case(name));
    let also = || {
        ALSO.iter()
            .find(|(also, _)| also.eq_ignore_ascii_case(name))
    };
    exact.or_else(|| also().map(|(_, known)| *known))
}

/// A name that is close to one that is not known, for the error.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let wanted = name.to_ascii_lowercase();
    let close = |known: &&str| {
        let known = known.to_ascii_lowercase();
        known.contains(&wanted) || wanted.contains(&known)
    };
    layout::names()
        .filter(|known| known.len() > 2 && wanted.len() > 2)
        .filter(close)
        .min_by_key(|known| known.len().abs_diff(wanted.len()))
}

/// A character that is on no key here: some other keyboard has one that writes it.
fn foreign(character: char) -> Key {
    Key {
        code: "",
        key: character.to_string(),
        number: 0,
        text: Some(character.to_string()),
        location: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_in_any_case_and_characters_as_they_are() {
        let key = |name| key_of(name).unwrap().key;
        assert_eq!(key("enter"), "Enter");
        assert_eq!(key("ESC"), "Escape");
        assert_eq!(key("ctrl"), "Control");
        assert_eq!((key("a"), key("A")), ("a".into(), "A".into()));
        assert_eq!(key("é"), "é");
        assert_eq!(key("plus"), "+");
        assert_eq!(key("Up"), "ArrowUp");
        assert_eq!(key("Space"), " ");
        assert_eq!(key_of("Nope"), None);
    }

    #[test]
    fn a_name_that_is_almost_right_leads_to_the_right_one() {
        assert_eq!(nearest("EnterKey"), Some("Enter"));
        assert_eq!(nearest("Arrow"), Some("ArrowUp"));
        assert_eq!(nearest("zzz"), None);
    }
}
