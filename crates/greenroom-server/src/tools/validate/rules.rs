//! Conditions between the arguments of one call.

use serde_json::{Map, Value};

use super::super::refusal::{Fault, Problems};
use super::super::row::Rule;
use super::wording;

/// Checks the rules of a tool against its clean arguments, found at `path`.
pub(super) fn check(
    rules: &[Rule],
    arguments: &Map<String, Value>,
    path: &str,
    problems: &mut Problems,
) {
    for rule in rules {
        if is_spoilt(rule, path, problems) {
            continue;
        }
        if let Some(fault) = broken(rule, arguments) {
            problems.add(place(rule, path), fault);
        }
    }
}

fn broken(rule: &Rule, arguments: &Map<String, Value>) -> Option<Fault> {
    let given = |name: &&str| arguments.get(*name).is_some_and(counts);
    match rule {
        Rule::AtLeastOne(names) => (!names.iter().any(given)).then_some(Fault::NoneGiven),
        Rule::ExactlyOne(names) => match names.iter().copied().filter(given).count() {
            0 => Some(Fault::NoneGiven),
            1 => None,
            given => Some(Fault::NotExactlyOne { given }),
        },
        Rule::NotTogether(one, other) => (given(one) && given(other)).then_some(Fault::Together),
        Rule::Requires(one, other) => {
            (given(one) && !given(other)).then_some(Fault::Alone { needs: other })
        }
        Rule::Needs { when, is, needs } => {
            let asked = arguments.get(*when).is_some_and(|value| value == is);
            (asked && !arguments.contains_key(*needs)).then_some(Fault::Needed { when, is })
        }
        Rule::NotEmpty(name) => {
            let empty = arguments.get(*name)?.as_array()?.is_empty();
            empty.then_some(Fault::EmptyList)
        }
    }
}

/// Whether an argument that is there says anything. `null` does, where it is kept.
fn counts(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

/// Whether an argument of the rule has a problem already: the rule would only repeat it.
fn is_spoilt(rule: &Rule, path: &str, problems: &Problems) -> bool {
    let names = names(rule);
    problems.found().iter().any(|problem| match &problem.fault {
        Fault::Renamed(name) | Fault::Misspelt(name) => {
            names.contains(name) && problem.path.starts_with(path)
        }
        _ => names
            .iter()
            .any(|name| problem.path == wording::join(path, name)),
    })
}

fn place(rule: &Rule, path: &str) -> String {
    let shown = match rule {
        Rule::Needs { needs, .. } => vec![*needs],
        Rule::Requires(one, _) => vec![*one],
        other => names(other),
    };
    let places: Vec<String> = shown.iter().map(|name| wording::join(path, name)).collect();
    places.join(", ")
}

fn names(rule: &Rule) -> Vec<&'static str> {
    match *rule {
        Rule::AtLeastOne(names) | Rule::ExactlyOne(names) => names.to_vec(),
        Rule::NotTogether(one, other) | Rule::Requires(one, other) => vec![one, other],
        Rule::Needs { when, needs, .. } => vec![when, needs],
        Rule::NotEmpty(name) => vec![name],
    }
}
