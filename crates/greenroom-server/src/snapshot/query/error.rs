//! Why a query has no answer, in words that lead to one that has.

use super::budget::Spent;

/// A query that works, for the reader of an error.
pub(super) const EXAMPLE: &str = "nodes[?role=='button'].{name: name, ref: ref}";

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The expression is longer than what is read.
    #[error(
        "the query has {length} bytes and at most {limit} are read; ask for less at a time, for \
         example: {EXAMPLE}"
    )]
    TooLong {
        /// How long it is.
        length: usize,
        /// What is read.
        limit: usize,
    },
    /// The expression has too many operators and brackets.
    #[error(
        "the query has {parts} operators and brackets and at most {limit} are read; ask for less \
         at a time, for example: {EXAMPLE}"
    )]
    TooComplex {
        /// How many it has.
        parts: usize,
        /// What is read.
        limit: usize,
    },
    /// The expression is not JMESPath.
    #[error(
        "the query is not valid JMESPath at character {column}{near}: {problem}; text stands in \
         'single quotes' and numbers in `backticks`, for example: {EXAMPLE}"
    )]
    Syntax {
        /// Where it stops making sense, counted in characters from 1.
        column: usize,
        /// What stands there, ready to be read after the position.
        near: String,
        /// What is wrong.
        problem: String,
    },
    /// The expression makes no sense for what the page holds.
    #[error(
        "the query fails at character {column}{near}: {problem}; what works, for example: {example}"
    )]
    Evaluation {
        /// The function or slice that failed, counted in characters from 1.
        column: usize,
        /// What stands there, ready to be read after the position.
        near: String,
        /// What is wrong.
        problem: String,
        /// A query of this kind that works.
        example: &'static str,
    },
    /// The page is larger than what is made a tree.
    #[error(
        "the page has {size} {unit} and a query reads at most {limit}; read it without a query: \
         with `search`, or in parts with `offset` and `limit`"
    )]
    PageTooLarge {
        /// How large it is.
        size: usize,
        /// What is read.
        limit: usize,
        /// What was counted.
        unit: &'static str,
    },
    /// The expression takes too much time or memory.
    #[error(
        "the query takes too much time or memory on this page and was stopped; filter before \
         anything else and do not repeat lists, for example: {EXAMPLE}"
    )]
    TooCostly,
}

impl From<Spent> for QueryError {
    fn from(_: Spent) -> Self {
        Self::TooCostly
    }
}
