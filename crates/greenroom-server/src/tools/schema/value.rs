//! One value, object or array as JSON Schema.

use serde_json::{Map, Value, json};

use super::super::row::{Kind, Literal, Need, Param};

/// Who writes the value. Models write input, and nothing beyond what is named is welcome
/// in it; Greenroom writes output, which may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Input,
    Output,
}

/// An object with these properties. Nested answers are not told to be complete, although
/// they are: clients gain little by it, and the lists of names would double the schema.
pub(super) fn object(params: &[&Param], direction: Direction) -> Map<String, Value> {
    let properties: Map<String, Value> = params
        .iter()
        .map(|field| (field.name.to_owned(), param(field, direction)))
        .collect();
    let mut schema = typed("object", Some(("properties", properties.into())));
    if direction == Direction::Input {
        if params.iter().any(|param| param.is_required()) {
            schema.insert("required".to_owned(), required(params));
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}

/// The names of the properties that are always there.
pub(super) fn required(params: &[&Param]) -> Value {
    let required = params.iter().filter(|param| param.is_required());
    required.map(|param| param.name).collect()
}

/// One property. Where models may write `null`, its schema still names the one type:
/// unions are what some clients reject, and the check accepts `null` anyway.
pub(super) fn param(param: &Param, direction: Direction) -> Value {
    let mut schema = kind(&param.kind, direction);
    if direction == Direction::Output {
        return or_null(schema, param.nullable);
    }
    if let Need::Default(literal) = param.need
        && says_something(literal)
    {
        schema.insert("default".to_owned(), literal_value(literal));
    }
    if !param.quiet {
        schema.insert("description".to_owned(), json!(param.about));
    }
    schema.into()
}

fn or_null(schema: Map<String, Value>, nullable: bool) -> Value {
    if nullable {
        json!({"anyOf": [schema, {"type": "null"}]})
    } else {
        schema.into()
    }
}

/// Whether a reader would not expect this anyway when something is left out.
fn says_something(default: Literal) -> bool {
    !matches!(default, Literal::Bool(false) | Literal::EmptyObject)
}

/// A default as JSON.
pub(in super::super) fn literal_value(literal: Literal) -> Value {
    match literal {
        Literal::Bool(truth) => json!(truth),
        Literal::Text(text) => json!(text),
        Literal::EmptyObject => json!({}),
    }
}

fn kind(kind: &Kind, direction: Direction) -> Map<String, Value> {
    match kind {
        Kind::Text | Kind::AnyText | Kind::Url | Kind::SessionId => typed("string", None),
        Kind::Boolean => typed("boolean", None),
        Kind::Number { .. } | Kind::Whole { .. } => typed("number", None),
        Kind::Integer { min } => typed("integer", min.map(|min| ("minimum", json!(min)))),
        Kind::Choice(words) => choice(words, direction),
        Kind::List(item) => {
            let items = self::kind(item, direction);
            typed("array", Some(("items", items.into())))
        }
        Kind::Record(fields) => object(&fields.iter().collect::<Vec<_>>(), direction),
        Kind::TextMap => {
            let values = typed("string", None);
            typed("object", Some(("additionalProperties", values.into())))
        }
        Kind::FreeObject => typed("object", Some(("additionalProperties", json!(true)))),
    }
}

/// Words that models have to choose from are listed. Those that we answer with are not:
/// a client that checks answers must not break when there is one more.
fn choice(words: &[&str], direction: Direction) -> Map<String, Value> {
    let listed = direction == Direction::Input;
    typed("string", listed.then(|| ("enum", json!(words))))
}

fn typed(name: &str, more: Option<(&str, Value)>) -> Map<String, Value> {
    std::iter::once(("type", json!(name)))
        .chain(more)
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
