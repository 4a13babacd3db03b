//! What the catalogue promises, tested from the outside, by property.

mod bounds;
mod bulk;
mod catalogue;
mod coercion;
mod drift;
mod extras;
mod messages;
mod portability;
mod refusals;
mod rendering;
mod rules;
mod urls;

use serde_json::{Map, Value};

use super::extra::ExtraTools;
use super::refusal::{Problems, Refusal};
use super::validate::{self, Address, Bulk, Call, Command};

/// The pinned upstream's `tools/list`.
fn pinned() -> Vec<Value> {
    serde_json::from_str(include_str!("tests/fixtures/upstream-tools.json")).unwrap()
}

/// A browser call that must be accepted.
#[track_caller]
fn accepted(tool: &str, arguments: Value) -> (Command, Address) {
    match validate::check(tool, arguments, &ExtraTools::default()) {
        Ok(Call::Browser { command, address }) => (command, address),
        other => panic!("{tool} should be accepted as a browser call: {other:?}"),
    }
}

/// The clean arguments of a browser call that must be accepted.
#[track_caller]
fn cleaned(tool: &str, arguments: Value) -> Value {
    accepted(tool, arguments).0.arguments.into()
}

/// The clean arguments of one of our own tools that must be accepted.
#[track_caller]
fn own(tool: &str, arguments: Value) -> Map<String, Value> {
    match validate::check(tool, arguments, &ExtraTools::default()) {
        Ok(Call::Own { arguments, .. }) => arguments,
        other => panic!("{tool} should be accepted as our own: {other:?}"),
    }
}

/// A bulk that must be accepted.
#[track_caller]
fn accepted_bulk(arguments: Value) -> (Bulk, Address) {
    match validate::check("browser_execute_bulk", arguments, &ExtraTools::default()) {
        Ok(Call::Bulk { bulk, address }) => (bulk, address),
        other => panic!("the bulk should be accepted: {other:?}"),
    }
}

/// The problems of a call that must be refused.
#[track_caller]
fn refused(tool: &str, arguments: Value) -> Problems {
    match validate::check(tool, arguments, &ExtraTools::default()) {
        Err(Refusal::Arguments(problems)) => problems,
        other => panic!("{tool} should be refused for its arguments: {other:?}"),
    }
}

/// The problems of a call that must be refused, one line each.
#[track_caller]
fn complaints(tool: &str, arguments: Value) -> Vec<String> {
    let problems = refused(tool, arguments);
    problems.found().iter().map(ToString::to_string).collect()
}
