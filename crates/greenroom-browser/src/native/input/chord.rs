//! Keys that are pressed together, as an agent writes them: `Control+Shift+a`.

use super::keyboard::Modifier;
use super::layout::{self, Key};
use super::names;

/// A key, and those that are held while it is pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    /// What is held, in the order in which it goes down.
    pub held: Vec<Key>,
    /// What is pressed.
    pub key: Key,
}

/// A name that means no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown key: \"{name}\". {hint}")]
pub struct UnknownKey {
    name: String,
    hint: String,
}

impl Chord {
    /// Reads a key or several with `+` between them; a `+` of its own is the character.
    pub fn parse(text: &str) -> Result<Self, UnknownKey> {
        let mut keys = Vec::new();
        for name in split(text) {
            let key = names::key_of(&name).ok_or_else(|| UnknownKey::of(&name))?;
            keys.push((name, key));
        }
        let Some((name, key)) = keys.pop() else {
            return Err(UnknownKey::of(text));
        };
        let keys: Vec<Key> = keys.into_iter().map(|(_, key)| key).collect();
        let modifiers = keys.iter().filter_map(Modifier::of);
        let bits = modifiers.fold(0, |bits, modifier| bits | modifier.bit());
        // As the upstream has it: who names a place means whatever it writes with what is held, and
        // who names a character means that one.
        let is_place = key.code.eq_ignore_ascii_case(&name);
        let key = if is_place && bits & Modifier::Shift.bit() != 0 {
            layout::shifted(&key)
        } else {
            key
        };
        let key = if bits & !Modifier::Shift.bit() != 0 {
            // What is held makes a command of it, and a command writes nothing.
            Key { text: None, ..key }
        } else {
            key
        };
        Ok(Self { held: keys, key })
    }
}

impl UnknownKey {
    fn of(name: &str) -> Self {
        let hint = match names::nearest(name) {
            Some(near) => format!("Did you mean {near}?"),
            None => "Write a character, or a name such as Enter, Tab, Escape, ArrowLeft, F5, or \
                     Control+a for keys that are pressed together. Use browser_type for text."
                .to_owned(),
        };
        let name = name.to_owned();
        Self { name, hint }
    }
}

/// The names between the signs. The sign that follows another, or begins the text, is a name.
fn split(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = String::new();
    for character in text.chars() {
        if character == '+' && !name.is_empty() {
            names.push(std::mem::take(&mut name));
        } else {
            name.push(character);
        }
    }
    if !name.is_empty() || names.is_empty() {
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> (Vec<String>, String, Option<String>) {
        let chord = Chord::parse(text).unwrap();
        let held = chord.held.into_iter().map(|key| key.key).collect();
        (held, chord.key.key, chord.key.text)
    }

    #[test]
    fn keys_that_are_held_change_what_the_last_one_writes() {
        let held = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(keys("a"), (held(&[]), "a".into(), Some("a".into())));
        let shift = held(&["Shift"]);
        assert_eq!(
            keys("Shift+a"),
            (shift.clone(), "a".into(), Some("a".into()))
        );
        assert_eq!(keys("Shift+KeyA"), (shift, "A".into(), Some("A".into())));
        assert_eq!(keys("Control+a"), (held(&["Control"]), "a".into(), None));
        let both = held(&["Control", "Shift"]);
        assert_eq!(keys("Control+Shift+KeyZ"), (both, "Z".into(), None));
        assert_eq!(keys("+"), (held(&[]), "+".into(), Some("+".into())));
        assert_eq!(keys("Control++"), (held(&["Control"]), "+".into(), None));
        assert_eq!(keys("Enter").2.as_deref(), Some("\r"));
    }

    #[test]
    fn a_name_that_is_no_key_is_refused_with_one_that_is() {
        let told = |text| Chord::parse(text).unwrap_err().to_string();
        assert_eq!(
            told("Nope").split(". ").next(),
            Some("Unknown key: \"Nope\"")
        );
        assert!(told("Control+EnterKey").ends_with("Did you mean Enter?"));
        assert!(told("").contains("Unknown key"));
    }
}
