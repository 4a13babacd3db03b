//! A value of a script as one line of text, as the console of a browser would show it.

use serde_json::Value;

use crate::native::protocol::runtime::{ConsoleApiCalled, ObjectPreview, RemoteObject};

/// What was written to the console, values with spaces between them.
pub(super) fn text_of(called: &ConsoleApiCalled) -> String {
    let values: Vec<String> = called.args.iter().map(show).collect();
    values.join(" ")
}

fn show(value: &RemoteObject) -> String {
    if value.kind == "undefined" {
        return "undefined".to_owned();
    }
    if value.value.is_some() {
        return match value.read() {
            Ok(Value::String(text)) => text,
            Ok(other) => other.to_string(),
            Err(_) => String::new(),
        };
    }
    if let Some(number) = &value.unserializable_value {
        return number.clone();
    }
    let described = value.description.clone().unwrap_or_default();
    match &value.preview {
        Some(preview) if described == "Object" => braced(preview),
        Some(preview) if value.subtype.as_deref() == Some("array") => bracketed(preview),
        _ => described,
    }
}

fn braced(preview: &ObjectPreview) -> String {
    let parts = preview.properties.iter();
    let parts = parts.map(|part| format!("{}: {}", part.name, part.value.as_deref().unwrap_or("")));
    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
}

fn bracketed(preview: &ObjectPreview) -> String {
    let parts = preview.properties.iter();
    let parts = parts.map(|part| part.value.as_deref().unwrap_or(""));
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_as_a_console_shows_them() {
        let table = [
            (json!({"type": "string", "value": "a b"}), "a b"),
            (json!({"type": "number", "value": 1.5}), "1.5"),
            (
                json!({"type": "number", "unserializableValue": "NaN"}),
                "NaN",
            ),
            (json!({"type": "undefined"}), "undefined"),
            (
                json!({"type": "object", "subtype": "null", "value": null}),
                "null",
            ),
            (
                json!({"type": "object", "description": "Object", "preview": {"properties": [
                    {"name": "a", "type": "number", "value": "1"}, {"name": "f", "type": "function"}]}}),
                "{a: 1, f: }",
            ),
            (
                json!({"type": "object", "subtype": "array", "description": "Array(2)", "preview":
                    {"properties": [{"name": "0", "value": "1"}, {"name": "1", "value": "x"}]}}),
                "[1, x]",
            ),
            (
                json!({"type": "object", "description": "HTMLBodyElement"}),
                "HTMLBodyElement",
            ),
        ];
        for (value, expected) in table {
            let object: RemoteObject = serde_json::from_value(value).unwrap();
            assert_eq!(show(&object), expected);
        }
    }
}
