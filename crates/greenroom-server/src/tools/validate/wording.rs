//! Values and expectations in words.

use serde_json::Value;

use super::super::row::{Kind, Param};

/// Longer texts of the caller are cut in messages.
const SHOWN_CHARS: usize = 40;

/// What was given.
pub(super) fn given(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// What is wanted, with an example of it.
pub(super) fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::AnyText => "text such as \"hello\"".to_owned(),
        Kind::Url => "an address such as \"https://example.com\"".to_owned(),
        Kind::SessionId => "a session id such as \"dark-mode-test\"".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Number { .. } => "a number such as 2.5".to_owned(),
        Kind::Whole { .. } | Kind::Integer { .. } => "a whole number such as 1".to_owned(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
        Kind::List(item) => wanted_list(item),
        Kind::Record(fields) => format!("an object with {}", field_names(fields)),
        Kind::TextMap => "an object of texts such as {\"text/plain\": \"hello\"}".to_owned(),
        Kind::FreeObject => "an object such as {}".to_owned(),
    }
}

/// What is wanted of a parameter, with its meaning. Of a text the meaning says more than
/// any example.
pub(super) fn wanted_param(param: &Param) -> String {
    let wanted = match param.kind {
        Kind::Text | Kind::AnyText => "text".to_owned(),
        ref other => wanted(other),
    };
    format!("{wanted} ({})", param.about)
}

fn wanted_list(item: &Kind) -> String {
    match item {
        Kind::Record(fields) => format!("a list of objects with {}", field_names(fields)),
        Kind::Choice(words) => format!("a list of any of {}", words.join(", ")),
        _ => "a list of texts such as [\"hello\"]".to_owned(),
    }
}

fn field_names(fields: &[Param]) -> String {
    let names = fields.iter().filter(|field| field.is_required());
    names.map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// A caller's text, shortened, in quotes, with everything invisible escaped.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The path of a field of the object at `path`.
pub(super) fn join(path: &str, field: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !field.is_empty() && field.len() <= SHOWN_CHARS && field.chars().all(is_plain) {
        let dot = if path.is_empty() { "" } else { "." };
        format!("{path}{dot}{field}")
    } else {
        format!("{path}[{}]", quoted(field))
    }
}
