//! Things worth knowing about a configuration that is valid.

use std::fmt;

use crate::origin::Origin;

/// A remark of `greenroom config check`. It never stops anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A key is set whose capability is not part of this version.
    NoEffectYet {
        /// The key.
        key: &'static str,
        /// Where it is set.
        places: Vec<Origin>,
    },
    /// A setting was made under an older name.
    OldName {
        /// Where.
        place: Origin,
        /// The name of today.
        new: String,
        /// What differs in its value.
        note: &'static str,
    },
    /// A combination that works, but perhaps not as meant.
    Advice {
        /// Where, if one place is to blame.
        place: Option<Origin>,
        /// What to know and what to do about it.
        text: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEffectYet { key, places } => {
                let places: Vec<String> = places.iter().map(Origin::place).collect();
                let places = places.join(", ");
                write!(
                    f,
                    "{places}: {key} has no effect yet in this version; it may stay"
                )
            }
            Self::OldName { place, new, note } => {
                let note = if note.is_empty() {
                    String::new()
                } else {
                    format!(" ({note} here)")
                };
                let place = place.place();
                write!(
                    f,
                    "{place}: an older name{note}; {new} is the name of today"
                )
            }
            Self::Advice { place: None, text } => f.write_str(text),
            Self::Advice {
                place: Some(place),
                text,
            } => write!(f, "{}: {text}", place.place()),
        }
    }
}
