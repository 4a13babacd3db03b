//! Calls of functions.
//!
//! The functions are the crate's own, and what they are about to look at or to make is paid for
//! before they run. Those that take an expression are in [`super::by_expression`], because the
//! crate's would run it without a budget.

use jmespath::ast::Ast;
use jmespath::{ErrorReason, JmespathError, Rcvar, RuntimeError};

use super::QueryError;
use super::budget::BYTES_PER_VALUE;
use super::by_expression;
use super::evaluate::{Evaluated, Evaluator};
use super::values::{look_through, surface, write_out};

/// Calls a function. The offset is that of its opening bracket.
pub(super) fn call(
    evaluator: &mut Evaluator<'_>,
    data: &Rcvar,
    name: &str,
    args: &[Ast],
    offset: usize,
) -> Evaluated {
    // A complaint is about the name, which stands before the bracket.
    let offset = offset.saturating_sub(name.len());
    match name {
        "map" | "sort_by" | "min_by" | "max_by" => {
            by_expression::call(evaluator, data, name, args, offset)
        }
        _ => plain(evaluator, data, name, args, offset),
    }
}

fn plain(
    evaluator: &mut Evaluator<'_>,
    data: &Rcvar,
    name: &str,
    args: &[Ast],
    offset: usize,
) -> Evaluated {
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        values.push(evaluator.evaluate(data, arg)?);
    }
    pay(evaluator, name, &values)?;
    let context = evaluator.context();
    context.offset = offset;
    let answer = match context.runtime.get_function(name) {
        Some(function) => function.evaluate(&values, context),
        None => {
            let reason = ErrorReason::Runtime(RuntimeError::UnknownFunction(name.to_owned()));
            Err(JmespathError::from_ctx(context, reason))
        }
    };
    answer.map_err(|error| evaluator.fail(offset, error.reason))
}

/// Pays for what a function will look at and make.
fn pay(evaluator: &mut Evaluator<'_>, name: &str, args: &[Rcvar]) -> Result<(), QueryError> {
    let budget = evaluator.budget();
    let seen = || args.iter().map(|arg| surface(arg)).sum::<usize>();
    match (name, args) {
        // These do not look into what they are given.
        ("type" | "not_null", _) => {}
        ("contains", [within, _]) => look_through(within, budget)?,
        ("to_string", [value]) => write_out(value, budget)?,
        // The glue is repeated.
        ("join", [glue, items]) => {
            let glue = glue.as_string().map_or(0, String::len);
            let pieces = items.as_array().map_or(0, Vec::len);
            let repeated = pieces.saturating_mul(glue) / BYTES_PER_VALUE;
            budget.make(seen().saturating_add(repeated))?;
        }
        ("sort", [items]) => {
            let pieces = items.as_array().map_or(0, Vec::len);
            budget.step(seen().saturating_mul(rounds(pieces)))?;
            budget.make(pieces)?;
        }
        ("keys" | "values" | "merge" | "reverse" | "to_array" | "to_number", _) => {
            budget.make(seen())?;
        }
        // The others yield a number, a truth, or something that they were given.
        _ => budget.step(seen())?,
    }
    Ok(())
}

/// How often sorting looks at an item.
pub(super) fn rounds(items: usize) -> usize {
    let bits = items.checked_ilog2().unwrap_or_default();
    usize::try_from(bits).map_or(usize::MAX, |bits| bits + 1)
}
