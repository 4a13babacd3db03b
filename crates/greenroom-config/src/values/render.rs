//! Writes values for people and for machines, with secrets masked.

use serde_json::json;

use crate::values::kind::Kind;
use crate::values::mask;
use crate::values::unit::{self, Unit};
use crate::values::value::{Value, Warmup};

/// The value as one line of text.
pub(crate) fn text(value: &Value, kind: Kind) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::AutoBool(value) => value.map_or("auto".to_owned(), |value| value.to_string()),
        Value::Number(number) => number.to_string(),
        Value::Limit(limit) => limit.map_or("off".to_owned(), |number| number.to_string()),
        Value::Time(time) => unit_of(kind).render(*time),
        Value::Age(age) => age.map_or("off".to_owned(), |time| unit_of(kind).render(time)),
        Value::Size(bytes) => unit::render_size(*bytes),
        Value::Choice(word) => (*word).to_owned(),
        // Line breaks and quotes of free text are escaped, so that one value
        // stays one line.
        Value::Text(text) if kind == Kind::Prose => format!("{text:?}"),
        Value::Text(text) => mask::addresses(text),
        Value::Path(path) => path.display().to_string(),
        Value::Words(words) => shell_words::join(words.iter().map(|word| mask::addresses(word))),
        Value::List(items) => items.join(","),
        Value::Viewport(size) => format!("{}x{}", size.width, size.height),
        // The query of a search page is a template and worth reading.
        Value::Url(url) if kind == Kind::SearchUrl => mask::addresses(url.expose()),
        Value::Url(url) => url.to_string(),
        Value::Warmup(Warmup::Url(url)) => url.to_string(),
        Value::Warmup(Warmup::Script(path)) => path.display().to_string(),
        Value::Tokens(tokens) => {
            let names: Vec<_> = tokens.iter().map(|t| format!("{}:***", t.name)).collect();
            names.join(",")
        }
    }
}

/// The value as JSON: native types where JSON has them, text elsewhere.
pub(crate) fn json(value: &Value, kind: Kind) -> serde_json::Value {
    match value {
        Value::Bool(value) | Value::AutoBool(Some(value)) => json!(value),
        Value::Number(number) | Value::Limit(Some(number)) | Value::Size(number) => json!(number),
        Value::List(items) => json!(items),
        Value::Words(words) => {
            let shown: Vec<_> = words.iter().map(|word| mask::addresses(word)).collect();
            json!(shown)
        }
        Value::Tokens(tokens) => {
            let names: Vec<_> = tokens.iter().map(|t| t.name.as_str()).collect();
            json!(names)
        }
        Value::Text(text) => json!(mask::addresses(text)),
        other => json!(text(other, kind)),
    }
}

fn unit_of(kind: Kind) -> Unit {
    match kind {
        Kind::Time { unit, .. } | Kind::Age { unit, .. } => unit,
        _ => Unit::Milliseconds,
    }
}
