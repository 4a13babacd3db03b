//! The keys of a keyboard with the US layout: what a page is told of each.

/// A key as a page sees it: where it is, what it means and what it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The place on the keyboard (`KeyA`); empty for a character that has none.
    pub code: &'static str,
    /// The meaning (`a`, `Enter`).
    pub key: String,
    /// The number by which older pages know it.
    pub number: u32,
    /// What it writes, if it writes.
    pub text: Option<String>,
    /// 0 for most, 1 and 2 for the left and right one of a pair, 3 for the keypad.
    pub location: u8,
}

/// A key that writes: its place, its number, what it writes plain and with shift.
type Writing = (&'static str, u32, char, char);

#[rustfmt::skip]
const SIGNS: &[Writing] = &[
    ("Digit1", 49, '1', '!'), ("Digit2", 50, '2', '@'), ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'), ("Digit5", 53, '5', '%'), ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'), ("Digit8", 56, '8', '*'), ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'), ("Minus", 189, '-', '_'), ("Equal", 187, '=', '+'),
    ("Backquote", 192, '`', '~'), ("BracketLeft", 219, '[', '{'), ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'), ("Semicolon", 186, ';', ':'), ("Quote", 222, '\'', '"'),
    ("Comma", 188, ',', '<'), ("Period", 190, '.', '>'), ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

/// The places of the letters, in the order of the alphabet.
#[rustfmt::skip]
const LETTERS: [&str; 26] = [
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL",
    "KeyM", "KeyN", "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX",
    "KeyY", "KeyZ",
];

/// Keys that have a name: place, meaning, number, location. Where several have one meaning, the
/// first one is meant by it.
#[rustfmt::skip]
const NAMED: &[(&str, &str, u32, u8)] = &[
    ("Enter", "Enter", 13, 0), ("Tab", "Tab", 9, 0), ("Backspace", "Backspace", 8, 0),
    ("Delete", "Delete", 46, 0), ("Escape", "Escape", 27, 0), ("Insert", "Insert", 45, 0),
    ("Home", "Home", 36, 0), ("End", "End", 35, 0),
    ("PageUp", "PageUp", 33, 0), ("PageDown", "PageDown", 34, 0),
    ("ArrowLeft", "ArrowLeft", 37, 0), ("ArrowUp", "ArrowUp", 38, 0),
    ("ArrowRight", "ArrowRight", 39, 0), ("ArrowDown", "ArrowDown", 40, 0),
    ("ShiftLeft", "Shift", 16, 1), ("ShiftRight", "Shift", 16, 2),
    ("ControlLeft", "Control", 17, 1), ("ControlRight", "Control", 17, 2),
    ("AltLeft", "Alt", 18, 1), ("AltRight", "Alt", 18, 2),
    ("MetaLeft", "Meta", 91, 1), ("MetaRight", "Meta", 92, 2),
    ("AltGraph", "AltGraph", 225, 0),
    ("CapsLock", "CapsLock", 20, 0), ("NumLock", "NumLock", 144, 0),
    ("ScrollLock", "ScrollLock", 145, 0), ("Pause", "Pause", 19, 0),
    ("PrintScreen", "PrintScreen", 44, 0), ("ContextMenu", "ContextMenu", 93, 0),
    ("F1", "F1", 112, 0), ("F2", "F2", 113, 0), ("F3", "F3", 114, 0), ("F4", "F4", 115, 0),
    ("F5", "F5", 116, 0), ("F6", "F6", 117, 0), ("F7", "F7", 118, 0), ("F8", "F8", 119, 0),
    ("F9", "F9", 120, 0), ("F10", "F10", 121, 0), ("F11", "F11", 122, 0), ("F12", "F12", 123, 0),
    ("NumpadEnter", "Enter", 13, 3),
    ("AudioVolumeMute", "AudioVolumeMute", 173, 0), ("AudioVolumeDown", "AudioVolumeDown", 174, 0),
    ("AudioVolumeUp", "AudioVolumeUp", 175, 0), ("MediaTrackNext", "MediaTrackNext", 176, 0),
    ("MediaTrackPrevious", "MediaTrackPrevious", 177, 0), ("MediaStop", "MediaStop", 178, 0),
    ("MediaPlayPause", "MediaPlayPause", 179, 0),
];

/// The keypad: place, number, what it writes. Nothing means them but their places, since the same
/// characters are on the main keys.
#[rustfmt::skip]
const KEYPAD: &[(&str, u32, char)] = &[
    ("Numpad0", 96, '0'), ("Numpad1", 97, '1'), ("Numpad2", 98, '2'), ("Numpad3", 99, '3'),
    ("Numpad4", 100, '4'), ("Numpad5", 101, '5'), ("Numpad6", 102, '6'), ("Numpad7", 103, '7'),
    ("Numpad8", 104, '8'), ("Numpad9", 105, '9'), ("NumpadMultiply", 106, '*'),
    ("NumpadAdd", 107, '+'), ("NumpadSubtract", 109, '-'), ("NumpadDecimal", 110, '.'),
    ("NumpadDivide", 111, '/'),
];

/// The key that writes a character, with shift where the character needs it.
pub(super) fn writing(character: char) -> Option<Key> {
    if matches!(character, '\n' | '\r') {
        return named("Enter");
    }
    if character == '\t' {
        return named("Tab");
    }
    let (code, number, _) = place_of(character)?;
    Some(Key {
        code,
        key: character.to_string(),
        number,
        text: Some(character.to_string()),
        location: 0,
    })
}

/// What a key writes while shift is held; itself where shift changes nothing.
pub(super) fn shifted(key: &Key) -> Key {
    let typed = key.text.as_deref().and_then(|text| text.chars().next());
    let Some(with_shift) = typed.filter(|_| key.location == 0).and_then(|typed| {
        let (code, _, with_shift) = place_of(typed)?;
        (code == key.code).then_some(with_shift)
    }) else {
        return key.clone();
    };
    Key {
        key: with_shift.to_string(),
        text: Some(with_shift.to_string()),
        ..key.clone()
    }
}

/// A key by its place (`KeyA`) or its meaning (`Enter`), spelt exactly.
pub(super) fn named(name: &str) -> Option<Key> {
    let of_name = NAMED
        .iter()
        .find(|(code, ..)| *code == name)
        .or_else(|| NAMED.iter().find(|(_, key, ..)| *key == name));
    if let Some(&(code, key, number, location)) = of_name {
        return Some(Key {
            code,
            key: key.to_owned(),
            number,
            text: (key == "Enter").then(|| "\r".to_owned()),
            location,
        });
    }
    if let Some(letter) = LETTERS.iter().position(|code| *code == name) {
        return writing(char::from(b'a' + u8::try_from(letter).unwrap_or_default()));
    }
    if let Some((.., plain, _)) = SIGNS.iter().find(|(code, ..)| *code == name) {
        return writing(*plain);
    }
    let &(code, number, character) = KEYPAD.iter().find(|(code, ..)| *code == name)?;
    Some(Key {
        code,
        key: character.to_string(),
        number,
        text: Some(character.to_string()),
        location: 3,
    })
}

/// All names that mean a key, for whoever looks for one that is spelt almost so.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let named = NAMED.iter().flat_map(|(code, key, ..)| [*key, *code]);
    let signs = SIGNS.iter().map(|(code, ..)| *code);
    let keypad = KEYPAD.iter().map(|(code, ..)| *code);
    named.chain(LETTERS).chain(signs).chain(keypad)
}

/// Where a character is, its number, and what that key writes with shift.
fn place_of(character: char) -> Option<(&'static str, u32, char)> {
    if character.is_ascii_alphabetic() {
        let capital = character.to_ascii_uppercase();
        let letter = usize::from(u8::try_from(capital).ok()? - b'A');
        return Some((LETTERS[letter], u32::from(capital), capital));
    }
    let fits = |sign: &&Writing| sign.2 == character || sign.3 == character;
    let &(code, number, _, with_shift) = SIGNS.iter().find(fits)?;
    Some((code, number, with_shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_key_that_writes_it() {
        for character in ' '..='~' {
            let key = writing(character).unwrap();
            assert_eq!(key.text.as_deref(), Some(&*character.to_string()));
            assert!(!key.code.is_empty() && key.number > 0);
        }
        assert_eq!(writing('é'), None);
    }

    #[test]
    fn shift_changes_what_the_main_keys_write_and_nothing_else() {
        let shift = |name| shifted(&named(name).unwrap()).key;
        assert_eq!(shift("KeyA"), "A");
        assert_eq!(shift("Digit1"), "!");
        assert_eq!(shift("Space"), " ");
        assert_eq!(shift("Enter"), "Enter");
        assert_eq!(shift("Numpad1"), "1");
    }

    #[test]
    fn every_name_means_a_key_and_a_shared_meaning_is_the_left_or_main_one() {
        for name in names() {
            assert!(named(name).is_some(), "{name}");
        }
        assert_eq!(named("Shift").unwrap().code, "ShiftLeft");
        assert_eq!(named("ShiftRight").unwrap().location, 2);
        assert_eq!(named("Enter").unwrap().code, "Enter");
        assert_eq!(named("NumpadEnter").unwrap().location, 3);
    }
}
