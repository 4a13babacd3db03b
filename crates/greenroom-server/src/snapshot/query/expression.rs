//! From what was typed to something that can run.

use jmespath::ast::Ast;
use jmespath::{Context, DEFAULT_RUNTIME};
use serde_json::Value;

use super::QueryError;
use super::budget::Budget;
use super::complaint;
use super::evaluate::Evaluator;
use super::limits::{MAX_LENGTH, MAX_PARTS};
use super::values;

/// A JMESPath expression, ready to run any number of times.
#[derive(Debug, Clone)]
pub struct Query {
    expression: String,
    ast: Ast,
}

impl Query {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// If it is too long, too deep, or not JMESPath.
    pub fn compile(expression: &str) -> Result<Self, QueryError> {
        if expression.len() > MAX_LENGTH {
            return Err(QueryError::TooLong {
                length: expression.len(),
                limit: MAX_LENGTH,
            });
        }
        let parts = count_parts(expression);
        if parts > MAX_PARTS {
            return Err(QueryError::TooComplex {
                parts,
                limit: MAX_PARTS,
            });
        }
        let ast =
            jmespath::parse(expression).map_err(|error| complaint::syntax(expression, &error))?;
        Ok(Self {
            expression: expression.to_owned(),
            ast,
        })
    }

    /// Asks a page in its tree form. The answer is `null` where there is none.
    ///
    /// # Errors
    ///
    /// If a function is given what it cannot take, or the query costs too much.
    pub fn run(&self, page: Value) -> Result<Value, QueryError> {
        let page = values::import(page).into();
        let context = Context::new(&self.expression, &DEFAULT_RUNTIME);
        let mut evaluator = Evaluator::new(Budget::new(), context);
        let answer = evaluator.evaluate(&page, &self.ast)?;
        Ok(values::export(&answer, evaluator.budget())?)
    }
}

/// Counts what can nest, outside of quotes. Quotes are skipped just as the parser skips them: up
/// to the same quote without a backslash before it.
fn count_parts(expression: &str) -> usize {
    let mut parts = 0;
    let mut bytes = expression.bytes();
    let mut previous = b' ';
    while let Some(byte) = bytes.next() {
        match byte {
            b'\'' | b'"' | b'`' => skip_quoted(&mut bytes, byte),
            // The second half of `||`, `&&`, `==`, `!=`, `<=` and `>=`.
            b'|' | b'&' if previous == byte => {
                previous = b' ';
                continue;
            }
            b'=' if b"=!<>".contains(&previous) => {}
            b'.' | b'[' | b'(' | b'{' | b'!' | b'&' | b'|' | b'=' | b'<' | b'>' | b'*' => {
                parts += 1;
            }
            _ => {}
        }
        previous = byte;
    }
    parts
}

fn skip_quoted(bytes: &mut std::str::Bytes<'_>, quote: u8) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            _ if byte == quote => return,
            _ => {}
        }
    }
}
