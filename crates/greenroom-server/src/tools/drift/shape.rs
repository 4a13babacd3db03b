//! Types in one spelling for both sides, so that they can be compared and shown.

use serde_json::{Map, Value};

use super::super::row::{Kind, Param};

/// Whether this is an object schema that clients can work with.
#[must_use]
pub fn well_formed(schema: Option<&Value>) -> bool {
    let Some(Value::Object(schema)) = schema else {
        return false;
    };
    schema.get("type").is_some_and(|it| it == "object")
        && schema.get("properties").is_none_or(are_properties)
        && schema.get("required").is_none_or(are_names)
}

fn are_properties(value: &Value) -> bool {
    let properties = value.as_object();
    properties.is_some_and(|properties| properties.values().all(Value::is_object))
}

fn are_names(value: &Value) -> bool {
    let names = value.as_array();
    names.is_some_and(|names| names.iter().all(Value::is_string))
}

/// The type of one of our parameters.
pub(super) fn of_kind(kind: &Kind, nullable: bool) -> String {
    let shape = match kind {
        Kind::Text | Kind::AnyText | Kind::Url | Kind::SessionId => "string".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Number { .. } | Kind::Whole { .. } => "number".to_owned(),
        Kind::Integer { .. } => "integer".to_owned(),
        Kind::Choice(words) => words.join("|"),
        Kind::List(item) => format!("list of {}", of_kind(item, false)),
        Kind::Record(fields) => of_fields(fields),
        Kind::TextMap => "map to string".to_owned(),
        Kind::FreeObject => "object".to_owned(),
    };
    or_null(shape, nullable)
}

/// The type that a property's schema describes.
pub(super) fn of_schema(schema: &Value) -> String {
    if let Some(branches) = schema["anyOf"].as_array() {
        let (null, rest): (Vec<&Value>, Vec<&Value>) =
            branches.iter().partition(|branch| branch["type"] == "null");
        let shapes: Vec<String> = rest.into_iter().map(of_schema).collect();
        return or_null(shapes.join(" or "), !null.is_empty());
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return words.join("|");
    }
    match schema["type"].as_str() {
        Some("array") => format!("list of {}", of_schema(&schema["items"])),
        Some("object") => of_object(schema),
        Some(name) => name.to_owned(),
        None => "anything".to_owned(),
    }
}

fn of_object(schema: &Value) -> String {
    if let Some(properties) = schema["properties"].as_object() {
        return braced(properties.iter().map(|(name, property)| {
            let required = schema["required"].as_array();
            let required = required.is_some_and(|names| names.iter().any(|it| it == name));
            field(name, required, &of_schema(property))
        }));
    }
    match &schema["additionalProperties"] {
        Value::Object(values) => {
            format!("map to {}", of_schema(&Value::Object(Map::clone(values))))
        }
        _ => "object".to_owned(),
    }
}

fn of_fields(fields: &[Param]) -> String {
    braced(fields.iter().map(|it| {
        let shape = of_kind(&it.kind, it.nullable);
        field(it.name, it.is_required(), &shape)
    }))
}

fn field(name: &str, required: bool, shape: &str) -> String {
    let mark = if required { "" } else { "?" };
    format!("{name}{mark}: {shape}")
}

/// Fields in the order of their names: the order in which they are written is no difference.
fn braced(fields: impl Iterator<Item = String>) -> String {
    let mut fields: Vec<String> = fields.collect();
    fields.sort();
    format!("{{{}}}", fields.join(", "))
}

fn or_null(shape: String, nullable: bool) -> String {
    if nullable {
        format!("{shape} or null")
    } else {
        shape
    }
}
