//! The rows themselves.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::catalog;
use super::super::extra::ExtraTools;
use super::super::row::{Effect, Handler, Kind, Param, Rule, Tool};
use super::super::validate::check;
use super::pinned;

#[test]
fn the_25_browser_tools_and_ours_are_all_there_once() {
    let names: Vec<&str> = catalog::rows().map(|row| row.name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), distinct.len(), "{names:?}");
    let browser = catalog::rows().filter(|row| row.handler == Handler::Browser);
    assert_eq!(browser.count(), 25);
    for name in [
        "browser_execute_bulk",
        "browser_pool_status",
        "create_new_session",
        "list_sessions",
        "close_session",
    ] {
        let row = catalog::find(name).unwrap();
        assert_ne!(row.handler, Handler::Browser, "{name}");
    }
}

#[test]
fn every_example_is_a_call_that_works() {
    for row in catalog::rows() {
        let arguments: Value = serde_json::from_str(row.example).unwrap();
        if let Err(refusal) = check(row.name, arguments, &ExtraTools::default()) {
            panic!("{refusal}");
        }
    }
}

#[test]
fn the_hints_are_those_of_the_upstream() {
    for entry in pinned() {
        let row = catalog::find(entry["name"].as_str().unwrap()).unwrap();
        let hints = &entry["annotations"];
        assert_eq!(
            hints["readOnlyHint"],
            row.effect == Effect::Reads,
            "{}",
            row.name
        );
        assert_eq!(hints["destructiveHint"], row.destructive, "{}", row.name);
        assert_eq!(hints["openWorldHint"], row.open_world, "{}", row.name);
    }
}

#[test]
fn no_sentence_is_taken_from_the_upstream() {
    let theirs = serde_json::to_string(&pinned()).unwrap();
    for row in catalog::rows() {
        assert!(
            !theirs.contains(&quoted(row.description)),
            "{}",
            row.description
        );
        for param in row.params {
            assert!(
                !theirs.contains(&quoted(param.about)),
                "{}: {}",
                row.name,
                param.about
            );
        }
    }
}

#[test]
fn nothing_that_only_reads_is_called_destructive() {
    for row in catalog::rows() {
        assert!(
            row.effect == Effect::Acts || !row.destructive,
            "{}",
            row.name
        );
    }
}

#[test]
fn rules_speak_only_of_arguments_that_exist() {
    for row in catalog::rows() {
        for rule in row.rules {
            for name in names(rule) {
                assert!(param(row, name).is_some(), "{}: {name}", row.name);
            }
            if let Rule::Needs { when, is, .. } = rule {
                let Some(Kind::Choice(words)) = param(row, when).map(|param| param.kind) else {
                    panic!("{}: {when} should be a choice", row.name);
                };
                assert!(words.contains(is), "{}: {is}", row.name);
            }
        }
    }
}

#[test]
fn every_argument_and_field_is_explained() {
    fn explained(params: &[Param], place: &str) {
        for param in params {
            let place = format!("{place}.{}", param.name);
            assert!(!param.about.is_empty(), "{place}");
            match param.kind {
                Kind::Record(fields) => explained(fields, &place),
                Kind::List(Kind::Record(fields)) => explained(fields, &place),
                _ => {}
            }
        }
    }
    for row in catalog::rows() {
        explained(row.params, row.name);
        explained(row.output.unwrap_or_default(), row.name);
    }
    explained(&catalog::ADDRESS, "address");
}

#[test]
fn a_misspelt_tool_has_a_neighbour() {
    assert_eq!(catalog::nearest("browser_clik"), Some("browser_click"));
    assert_eq!(
        catalog::nearest("browserNavigate"),
        Some("browser_navigate")
    );
    assert_eq!(catalog::nearest("make_coffee"), None);
}

fn param(row: &Tool, name: &str) -> Option<&'static Param> {
    row.params.iter().find(|param| param.name == name)
}

fn names(rule: &Rule) -> Vec<&'static str> {
    match *rule {
        Rule::AtLeastOne(names) | Rule::ExactlyOne(names) => names.to_vec(),
        Rule::NotTogether(one, other) | Rule::Requires(one, other) => vec![one, other],
        Rule::Needs { when, needs, .. } => vec![when, needs],
        Rule::NotEmpty(name) => vec![name],
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}
