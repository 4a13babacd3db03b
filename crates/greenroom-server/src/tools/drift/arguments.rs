//! The arguments of one tool on both sides.

use serde_json::Value;

use super::super::row::{Need, Param, Tool};
use super::finding::Finding;
use super::shape::{of_kind, of_schema};

/// An argument as the upstream describes it.
struct Theirs<'a> {
    name: &'a str,
    shape: String,
    required: bool,
}

/// What differs in the arguments. The schema is known to be well formed.
pub(super) fn compare(row: &Tool, schema: &Value) -> Vec<Finding> {
    let theirs = read(schema);
    let mut gone: Vec<&Param> = row
        .params
        .iter()
        .filter(|ours| theirs.iter().all(|their| their.name != ours.name))
        .collect();
    let mut findings = Vec::new();
    for their in &theirs {
        let tool = row.name.to_owned();
        let name = their.name.to_owned();
        if let Some(ours) = row.params.iter().find(|ours| ours.name == their.name) {
            findings.extend(changes(row, ours, their));
        } else if let Some(at) = gone.iter().position(|ours| is_successor(ours, their)) {
            let ours = gone.remove(at).name.to_owned();
            let theirs = name;
            findings.push(Finding::RenamedArgument { tool, ours, theirs });
        } else {
            let required = their.required;
            findings.push(Finding::AddedArgument {
                tool,
                name,
                required,
            });
        }
    }
    findings.extend(gone.iter().map(|ours| Finding::MissingArgument {
        tool: row.name.to_owned(),
        name: ours.name.to_owned(),
    }));
    findings
}

fn read(schema: &Value) -> Vec<Theirs<'_>> {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|it| it == name))
    };
    let properties = schema["properties"].as_object();
    properties
        .into_iter()
        .flatten()
        .map(|(name, property)| Theirs {
            name,
            shape: of_schema(property),
            required: required(name),
        })
        .collect()
}

fn changes(row: &Tool, ours: &Param, theirs: &Theirs<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let shape = of_kind(&ours.kind, ours.nullable);
    if shape != theirs.shape {
        findings.push(Finding::ChangedType {
            tool: row.name.to_owned(),
            name: ours.name.to_owned(),
            ours: shape,
            theirs: theirs.shape.clone(),
        });
    }
    if !agrees(ours.need, theirs.required) {
        findings.push(Finding::ChangedNeed {
            tool: row.name.to_owned(),
            name: ours.name.to_owned(),
            required: theirs.required,
        });
    }
    findings
}

/// An argument with a default is always sent, so it suits an upstream either way.
fn agrees(need: Need, required: bool) -> bool {
    match need {
        Need::Required => required,
        Need::Optional => !required,
        Need::Default(_) => true,
    }
}

/// Whether a new argument looks like one that is gone, under another name.
fn is_successor(ours: &Param, theirs: &Theirs<'_>) -> bool {
    of_kind(&ours.kind, ours.nullable) == theirs.shape && agrees(ours.need, theirs.required)
}
