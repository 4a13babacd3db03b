//! Between the values of JSON and those of JMESPath.
//!
//! Both directions recurse, which the depth of the tree form and the parts of an expression bound.

use jmespath::{Rcvar, Variable};
use serde_json::{Map, Value};

use super::budget::{Budget, Spent, weight_of};

/// A JSON value as JMESPath keeps it. Strings move, so that a page is not in memory twice.
pub(super) fn import(value: Value) -> Variable {
    match value {
        Value::Null => Variable::Null,
        Value::Bool(bool) => Variable::Bool(bool),
        Value::Number(number) => Variable::Number(number),
        Value::String(text) => Variable::String(text),
        Value::Array(items) => Variable::Array(
            items
                .into_iter()
                .map(|item| Rcvar::new(import(item)))
                .collect(),
        ),
        Value::Object(fields) => Variable::Object(
            fields
                .into_iter()
                .map(|(key, value)| (key, Rcvar::new(import(value))))
                .collect(),
        ),
    }
}

/// An answer as JSON. It is paid for as a whole first, because values that an answer shares are
/// written out each time: a short chain of doublings is small in memory and endless on paper.
pub(super) fn export(value: &Variable, budget: &mut Budget) -> Result<Value, Spent> {
    write_out(value, budget)?;
    Ok(copy(value))
}

fn copy(value: &Variable) -> Value {
    match value {
        // The walk yields no expression as a value.
        Variable::Null | Variable::Expref(_) => Value::Null,
        Variable::Bool(bool) => Value::Bool(*bool),
        Variable::Number(number) => Value::Number(number.clone()),
        Variable::String(text) => Value::String(text.clone()),
        Variable::Array(items) => items.iter().map(|item| copy(item)).collect(),
        Variable::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), copy(value)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// Pays for looking at a value and all that it holds.
pub(super) fn look_through(value: &Variable, budget: &mut Budget) -> Result<(), Spent> {
    weigh(value, &mut |weight| budget.step(weight))
}

/// Pays for a copy of a value and all that it holds.
pub(super) fn write_out(value: &Variable, budget: &mut Budget) -> Result<(), Spent> {
    weigh(value, &mut |weight| budget.make(weight))
}

/// Pays bit by bit, so that a value too large to be paid for is not looked at to its end.
fn weigh(value: &Variable, pay: &mut impl FnMut(usize) -> Result<(), Spent>) -> Result<(), Spent> {
    match value {
        Variable::Null | Variable::Bool(_) | Variable::Number(_) | Variable::Expref(_) => pay(1),
        Variable::String(text) => pay(weight_of(text)),
        Variable::Array(items) => {
            pay(1)?;
            items.iter().try_for_each(|item| weigh(item, pay))
        }
        Variable::Object(fields) => {
            pay(1)?;
            fields.iter().try_for_each(|(key, value)| {
                pay(weight_of(key) - 1)?;
                weigh(value, pay)
            })
        }
    }
}

/// What a value costs to look at without going into the lists and objects that it holds.
pub(super) fn surface(value: &Variable) -> usize {
    let shallow = |value: &Variable| value.as_string().map_or(1, |text| weight_of(text));
    match value {
        Variable::Array(items) => 1 + items.iter().map(|item| shallow(item)).sum::<usize>(),
        Variable::Object(fields) => 1 + fields.keys().map(|key| weight_of(key)).sum::<usize>(),
        other => shallow(other),
    }
}
