//! Questions to a page, in JMESPath.
//!
//! The language is small but not harmless. `[@, @][]` doubles a list, and forty of them in a row
//! ask for more memory than there is; an expression of a hundred bytes can run for a year. The
//! `jmespath` crate reads the language and brings its functions, but its interpreter has no
//! limits, so the syntax tree is walked here instead, and every step and every value made is paid
//! for from a [`budget::Budget`]. Thus the time and the memory of a query have fixed bounds,
//! whatever the expression and whatever the page:
//!
//! * an expression has a length and a number of parts with which neither its parser nor the walk
//!   can exhaust a stack ([`expression`]);
//! * a page has a size that fits into memory as values ([`page`]);
//! * a walk takes so many steps and makes so many values, where a string counts by its length, and
//!   where comparing, sorting and printing values count as many steps as there is to look at
//!   ([`evaluate`], [`lists`], [`functions`]).
//!
//! The figures are in [`limits`].

mod budget;
mod by_expression;
mod complaint;
mod error;
mod evaluate;
mod expression;
mod functions;
pub(super) mod limits;
mod lists;
mod page;
mod slice;
mod values;

pub use error::QueryError;
pub use expression::Query;

use serde_json::Value;

/// Asks a page in its [tree form](super::to_json). The answer is `null` where there is none.
///
/// # Errors
///
/// If the expression is not valid, or costs too much.
pub fn query(page: Value, expression: &str) -> Result<Value, QueryError> {
    Query::compile(expression)?.run(page)
}

/// Asks a page by its snapshot. The expression is read first, so that a mistake in it costs
/// nothing but itself.
///
/// # Errors
///
/// If the expression is not valid, or costs too much, or the snapshot is too large.
pub fn query_text(snapshot: &str, expression: &str) -> Result<Value, QueryError> {
    let query = Query::compile(expression)?;
    query.run(page::tree_form(snapshot)?)
}
