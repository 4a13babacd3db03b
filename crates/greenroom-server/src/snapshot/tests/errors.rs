//! Queries that have no answer say why, where, and what to do.

use super::super::{QueryError, query_text};
use super::TABLE;

fn refusal(expression: &str) -> QueryError {
    query_text(TABLE, expression).unwrap_err()
}

#[test]
fn a_mistake_is_named_with_its_place_and_a_query_that_works() {
    let rows = [
        ("nodes[?role=='a'", 17, "Expected ']'"),
        ("nodes[?level==2]", 15, "a value is missing here"),
        ("nodes[?role='a']", 12, "Did you mean '=='?"),
        ("", 1, "a value is missing here"),
        (
            "nodes[*].name)",
            14,
            "the query should have ended before this",
        ),
        ("nodes[?name=='é'] ü", 19, "Invalid character: ü"),
        ("nodes[?name=='open]", 14, "Unclosed ' delimiter"),
        ("nodes[", 7, "Expected"),
        ("aria-hidden", 5, "'-' must be followed by numbers"),
        ("`{`", 1, "Unable to parse literal JSON"),
    ];
    for (expression, at, says) in rows {
        let error = refusal(expression);
        let QueryError::Syntax {
            column, problem, ..
        } = &error
        else {
            panic!("{expression}: {error:?}");
        };
        assert_eq!(*column, at, "{expression}: {error}");
        assert!(problem.contains(says), "{expression}: {problem}");
        let message = error.to_string();
        assert!(message.ends_with("for example: nodes[?role=='button'].{name: name, ref: ref}"));
        assert!(!message.contains("Token"), "{message}");
    }
}

#[test]
fn what_a_function_cannot_take_is_named_with_its_place() {
    let rows = [
        (
            "nodes[?contains(name, 'x')]",
            8,
            "expects type",
            "contains(name || '', 'Buy')",
        ),
        (
            "nodes[?matches(name, 'x')]",
            8,
            "there is no function matches",
            "starts_with(",
        ),
        (
            "length(nodes, nodes)",
            1,
            "Too many arguments",
            "nodes[?role=='button']",
        ),
        (
            "length()",
            1,
            "Not enough arguments",
            "nodes[?role=='button']",
        ),
        (
            "nodes[::0]",
            10,
            "step of a slice cannot be 0",
            "nodes[0:10]",
        ),
        (
            "sort_by(nodes, &name)",
            1,
            "for item 1",
            "sort_by(nodes[?name], &name)",
        ),
        (
            "sort_by(nodes, name)",
            1,
            "with & before it",
            "sort_by(nodes, &role)",
        ),
        (
            "map(&name, role)",
            1,
            "takes a list and this is string",
            "map(&name, nodes)",
        ),
        (
            "not_null(&name)",
            10,
            "& only stands before",
            "sort_by(nodes, &role)",
        ),
    ];
    for (expression, at, says, leads_to) in rows {
        let error = refusal(expression);
        let QueryError::Evaluation {
            column, problem, ..
        } = &error
        else {
            panic!("{expression}: {error:?}");
        };
        assert_eq!(*column, at, "{expression}: {error}");
        assert!(problem.contains(says), "{expression}: {problem}");
        let message = error.to_string();
        let (_, example) = message.split_once("for example: ").unwrap();
        assert!(example.contains(leads_to), "{message}");
    }
}

#[test]
fn every_example_of_an_error_is_a_query_that_works() {
    for expression in [
        "nodes[?contains(name, 'x')]",
        "matches(name)",
        "length()",
        "nodes[::0]",
        "sort_by(nodes, &name)",
        "sort_by()",
    ] {
        let QueryError::Evaluation { example, .. } = refusal(expression) else {
            panic!("{expression}");
        };
        for example in example
            .split("), ")
            .map(|example| example.trim_end_matches(')'))
        {
            let closed = example.matches('(').count() - example.matches(')').count();
            let example = format!("{example}{}", ")".repeat(closed));
            assert!(query_text(TABLE, &example).is_ok(), "{example}");
        }
    }
}

#[test]
fn a_message_does_not_grow_with_the_query() {
    let long = format!("`{}", "x".repeat(4_000));
    assert!(refusal(&long).to_string().len() < 700);
}
