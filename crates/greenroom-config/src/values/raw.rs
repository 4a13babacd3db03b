//! A value as it was written, before the key says what it means.

/// The forms in which a source can write a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Raw {
    /// Text of a variable or a flag, which stands for any type.
    Plain(String),
    /// A TOML string.
    String(String),
    /// A TOML integer.
    Integer(i64),
    /// A TOML boolean.
    Bool(bool),
    /// A TOML array of strings.
    Strings(Vec<String>),
    /// Any other TOML value, by the name of its type.
    Other(&'static str),
}

impl Raw {
    /// Whether this is the empty value, which counts as not set.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Plain(text) | Self::String(text) => text.trim().is_empty(),
            Self::Strings(items) => items.is_empty(),
            Self::Integer(_) | Self::Bool(_) | Self::Other(_) => false,
        }
    }

    /// The text, if it was written as text of either form.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Plain(text) | Self::String(text) => Some(text.trim()),
            _ => None,
        }
    }

    /// The value as a message repeats it, shortened.
    pub(crate) fn quoted(&self) -> String {
        match self {
            Self::Plain(text) => format!("`{}`", shorten(text)),
            Self::String(text) => format!("the string {:?}", shorten(text)),
            Self::Integer(number) => format!("the number {number}"),
            Self::Bool(value) => format!("the boolean {value}"),
            Self::Strings(_) => "an array".to_owned(),
            Self::Other(kind) => (*kind).to_owned(),
        }
    }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
