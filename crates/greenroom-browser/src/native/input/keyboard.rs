//! Keys that go down and up.

use super::chord::Chord;
use super::hands::{Act, Halt, Input};
use super::layout::Key;
use super::names;
use crate::native::deadline::Deadline;
use crate::native::protocol::input::{DispatchKeyEvent, KeyEventKind, modifiers};

/// A key that changes what others mean while it is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Modifier {
    /// `Alt`.
    Alt,
    /// `Control`.
    Control,
    /// `Meta`.
    Meta,
    /// `Shift`.
    Shift,
}

impl Modifier {
    /// The one that a key is, if it is one.
    pub(super) fn of(key: &Key) -> Option<Self> {
        match key.key.as_str() {
            "Alt" => Some(Self::Alt),
            "Control" => Some(Self::Control),
            "Meta" => Some(Self::Meta),
            "Shift" => Some(Self::Shift),
            _ => None,
        }
    }

    /// The one that an agent names; `ControlOrMeta` is the one of this machine's kind.
    pub fn named(name: &str) -> Option<Self> {
        names::key_of(name).as_ref().and_then(Self::of)
    }

    /// Its key.
    pub fn key(self) -> Option<Key> {
        names::key_of(self.name())
    }

    /// Its name, as Playwright has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alt => "Alt",
            Self::Control => "Control",
            Self::Meta => "Meta",
            Self::Shift => "Shift",
        }
    }

    pub(super) fn bit(self) -> u8 {
        match self {
            Self::Alt => modifiers::ALT,
            Self::Control => modifiers::CONTROL,
            Self::Meta => modifiers::META,
            Self::Shift => modifiers::SHIFT,
        }
    }
}

impl Input {
    /// Presses keys together and lets go of them in the reverse order.
    pub async fn press(&self, chord: &Chord, deadline: Deadline) -> Result<(), Halt> {
        let mut acts: Vec<_> = chord.held.iter().map(|key| self.down(key)).collect();
        acts.push(self.down(&chord.key));
        acts.push(self.up(&chord.key));
        acts.extend(chord.held.iter().rev().map(|key| self.up(key)));
        self.perform(acts, deadline).await
    }

    /// A key goes down, and stays so if it is one that is held.
    pub(super) fn down(&self, key: &Key) -> Act {
        let modifiers = self.remember(|held| {
            held.modifiers |= Modifier::of(key).map_or(0, Modifier::bit);
            held.modifiers
        });
        let text = key.text.clone();
        let kind = match text {
            Some(_) => KeyEventKind::KeyDown,
            None => KeyEventKind::RawKeyDown,
        };
        Act::Key(DispatchKeyEvent {
            unmodified_text: text.clone(),
            text,
            commands: editing(key, modifiers),
            ..event(kind, key, modifiers)
        })
    }

    /// A key comes up.
    pub(super) fn up(&self, key: &Key) -> Act {
        let modifiers = self.remember(|held| {
            held.modifiers &= !Modifier::of(key).map_or(0, Modifier::bit);
            held.modifiers
        });
        Act::Key(event(KeyEventKind::KeyUp, key, modifiers))
    }
}

fn event(kind: KeyEventKind, key: &Key, modifiers: u8) -> DispatchKeyEvent {
    // The keypad is told by its own flag; the location is for the pairs.
    let is_keypad = key.location == 3;
    DispatchKeyEvent {
        kind,
        modifiers,
        code: Some(key.code.to_owned()),
        key: Some(key.key.clone()),
        windows_virtual_key_code: Some(key.number),
        location: (!is_keypad).then_some(key.location),
        is_keypad: is_keypad.then_some(true),
        ..DispatchKeyEvent::default()
    }
}

/// What a key means to an editor on a Mac, where the system and not the page's process makes
/// commands of keys.
fn editing(key: &Key, held: u8) -> Option<Vec<String>> {
    if !cfg!(target_os = "macos") || held & modifiers::META == 0 {
        return None;
    }
    let command = match (key.code, held & modifiers::SHIFT != 0) {
        ("KeyA", false) => "selectAll",
        ("KeyC", false) => "copy",
        ("KeyX", false) => "cut",
        ("KeyV", false) => "paste",
        ("KeyZ", false) => "undo",
        ("KeyZ", true) => "redo",
        _ => return None,
    };
    Some(vec![command.to_owned()])
}
