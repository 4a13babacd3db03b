//! How much and how deeply nested data a call may carry.

use serde_json::Value;

use super::super::refusal::Fault;

/// Levels of nesting. The deepest honest call, a form inside a bulk, has six.
pub(super) const MAX_DEPTH: usize = 16;

/// Bytes of text, with a little for every value. A script of this size belongs in a file.
pub(super) const MAX_BYTES: usize = 1024 * 1024;

/// What a value weighs beside its text.
const VALUE_BYTES: usize = 8;

/// Whether a value keeps within the bounds. Walks with a list of its own instead of the
/// stack, so that hostile nesting costs memory that is already paid for.
pub(super) fn check(value: &Value) -> Result<(), Fault> {
    let mut bytes = 0;
    let mut ahead = vec![(value, 1)];
    while let Some((value, depth)) = ahead.pop() {
        if depth > MAX_DEPTH {
            return Err(Fault::TooDeep { max: MAX_DEPTH });
        }
        bytes += VALUE_BYTES + text_bytes(value);
        if bytes > MAX_BYTES {
            return Err(Fault::TooLarge { max: MAX_BYTES });
        }
        match value {
            Value::Array(items) => ahead.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => ahead.extend(fields.values().map(|field| (field, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Object(fields) => fields.keys().map(String::len).sum(),
        _ => 0,
    }
}
