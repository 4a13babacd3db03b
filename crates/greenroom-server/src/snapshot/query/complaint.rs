//! What the parser and the functions complain about, in the words of whoever wrote the query.

use jmespath::{ErrorReason, JmespathError, RuntimeError};

use super::QueryError;
use super::error::EXAMPLE;

/// How much of an expression is shown at a mistake, in characters.
const MAX_NEAR: usize = 24;
/// How much is said about it: the parser repeats what was written, which may be long.
const MAX_PROBLEM: usize = 200;

/// Why a function or a slice has no value, and what has one.
pub(super) struct Complaint {
    problem: String,
    example: &'static str,
}

impl Complaint {
    pub(super) fn new(problem: String, example: &'static str) -> Self {
        Self { problem, example }
    }

    /// The complaint about something that stands at an offset.
    pub(super) fn at(self, expression: &str, offset: usize) -> QueryError {
        let (column, near) = place(expression, offset);
        QueryError::Evaluation {
            column,
            near,
            problem: cut(&self.problem),
            example: self.example,
        }
    }
}

impl From<ErrorReason> for Complaint {
    fn from(reason: ErrorReason) -> Self {
        let error = match reason {
            ErrorReason::Parse(problem) => return Self::new(problem, EXAMPLE),
            ErrorReason::Runtime(error) => error,
        };
        let problem = error.to_string();
        match error {
            RuntimeError::UnknownFunction(name) => Self::new(
                format!("there is no function {name}"),
                "length(nodes[?starts_with(name || '', 'Buy')])",
            ),
            RuntimeError::InvalidSlice => {
                Self::new("the step of a slice cannot be 0".to_owned(), "nodes[0:10]")
            }
            // Almost always a node that has no such value: say what stands in for it.
            RuntimeError::InvalidType { .. } => {
                Self::new(problem, "nodes[?contains(name || '', 'Buy')].ref")
            }
            _ => Self::new(problem, EXAMPLE),
        }
    }
}

/// What the parser complains about.
pub(super) fn syntax(expression: &str, error: &JmespathError) -> QueryError {
    let (column, near) = place(expression, error.offset);
    let said = match &error.reason {
        ErrorReason::Parse(said) => said.clone(),
        ErrorReason::Runtime(error) => error.to_string(),
    };
    // The parser names what it found by the type of the token; here it is shown instead.
    let said = said.split(" -- found ").next().unwrap_or(&said);
    let problem = match said {
        "Unexpected nud token" => "a value is missing here",
        "Unexpected led token" => "this cannot follow what stands before it",
        "Did not parse the complete expression" => "the query should have ended before this",
        said => said,
    };
    QueryError::Syntax {
        column,
        near,
        problem: cut(problem),
    }
}

/// A position as people count it, and what stands there.
fn place(expression: &str, offset: usize) -> (usize, String) {
    let offset = expression.floor_char_boundary(offset);
    let (before, after) = expression.split_at(offset);
    let near: String = after.chars().take(MAX_NEAR).collect();
    let near = match near.trim() {
        "" => " (its end)".to_owned(),
        near => format!(" (at {near})"),
    };
    (before.chars().count() + 1, near)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_PROBLEM) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
