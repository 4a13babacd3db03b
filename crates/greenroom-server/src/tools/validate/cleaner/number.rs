//! Numbers.

use serde_json::{Number, Value};

use super::super::super::refusal::Fault;
use super::super::super::row::Kind;
use super::Cleaner;

/// Beyond this, the engines' own numbers are not exact.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

impl Cleaner {
    /// Any number that is large enough.
    pub(super) fn number(
        &mut self,
        kind: &Kind,
        given: &Value,
        min: Option<i64>,
        path: &str,
    ) -> Option<Value> {
        let Some(number) = read(given) else {
            return self.wrong_type(kind, given, path);
        };
        match min {
            Some(min) if number.as_f64().is_none_or(|it| it < min as f64) => {
                let given = number.to_string();
                self.problems.add(path, Fault::TooSmall { given, min });
                None
            }
            _ => Some(number.into()),
        }
    }

    /// A number without a fraction; `3.0` is one.
    pub(super) fn whole(
        &mut self,
        kind: &Kind,
        given: &Value,
        min: Option<i64>,
        path: &str,
    ) -> Option<Value> {
        let number = self.number(kind, given, min, path)?;
        let exact = number
            .as_f64()
            .filter(|it| it.fract() == 0.0 && it.abs() <= LARGEST_EXACT);
        if let Some(exact) = exact {
            return Some(Value::from(exact as i64));
        }
        let given = number.to_string();
        self.problems.add(path, Fault::NotWhole { given });
        None
    }
}

/// A number, perhaps in quotes.
fn read(given: &Value) -> Option<Number> {
    match given {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => parse(text.trim()),
        _ => None,
    }
}

fn parse(text: &str) -> Option<Number> {
    let whole = text.parse::<i64>().ok().map(Number::from);
    whole.or_else(|| Number::from_f64(text.parse().ok()?))
}
