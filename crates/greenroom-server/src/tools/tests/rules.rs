//! Conditions between arguments, as the upstream has them.

use serde_json::{Value, json};

use super::{cleaned, complaints};

#[test]
fn broken_rules_are_refused_before_anything_runs() {
    let none = "none is given; give at least one of them";
    let cases: Vec<(&str, Value, String)> = vec![
        ("browser_find", json!({}), format!("text, regex: {none}")),
        (
            "browser_find",
            json!({"text": ""}),
            format!("text, regex: {none}"),
        ),
        (
            "browser_find",
            json!({"text": "a", "regex": "b"}),
            "text, regex: 2 are given; give exactly one of them".to_owned(),
        ),
        (
            "browser_wait_for",
            json!({}),
            format!("time, text, textGone: {none}"),
        ),
        (
            "browser_wait_for",
            json!({"time": 0}),
            format!("time, text, textGone: {none}"),
        ),
        (
            "browser_tabs",
            json!({"action": "select"}),
            "index: is missing; action \"select\" needs it".to_owned(),
        ),
        (
            "browser_drop",
            json!({"target": "e1"}),
            format!("paths, data: {none}"),
        ),
        (
            "browser_drop",
            json!({"target": "e1", "paths": []}),
            format!("paths, data: {none}"),
        ),
        (
            "browser_take_screenshot",
            json!({"fullPage": true, "target": "e1"}),
            "fullPage, target: exclude each other; leave one of them out".to_owned(),
        ),
        (
            "browser_emulate_media",
            json!({}),
            format!("colorScheme, reducedMotion, forcedColors, contrast, media: {none}"),
        ),
        (
            "browser_run_code_unsafe",
            json!({}),
            format!("code, filename: {none}"),
        ),
        (
            "browser_execute_bulk",
            json!({"commands": []}),
            "commands: is an empty list; give at least one item".to_owned(),
        ),
    ];
    for (tool, given, expected) in cases {
        assert_eq!(
            complaints(tool, given.clone()),
            [expected],
            "{tool} {given}"
        );
    }
}

#[test]
fn kept_rules_let_the_call_through() {
    for (tool, given) in [
        ("browser_find", json!({"regex": "/a/i"})),
        ("browser_find", json!({"text": "a", "regex": ""})),
        (
            "browser_wait_for",
            json!({"time": 1, "text": "a", "textGone": "b"}),
        ),
        ("browser_tabs", json!({"action": "select", "index": 0})),
        ("browser_tabs", json!({"action": "close"})),
        ("browser_tabs", json!({"action": "list", "index": 0})),
        ("browser_drop", json!({"target": "e1", "data": {}})),
        (
            "browser_take_screenshot",
            json!({"fullPage": false, "target": "e1"}),
        ),
        ("browser_emulate_media", json!({"media": null})),
        ("browser_run_code_unsafe", json!({"filename": "a.js"})),
        ("browser_fill_form", json!({"fields": []})),
    ] {
        assert!(cleaned(tool, given.clone()).is_object(), "{tool} {given}");
    }
}

#[test]
fn a_rule_does_not_repeat_what_was_said_already() {
    for (given, expected) in [
        (
            json!({"text": ["a"]}),
            "text: is a list; give text such as \"hello\"",
        ),
        (json!({"query": "a"}), "query: is not known here; use text"),
        (
            json!({"txt": "a"}),
            "txt: is not known here; did you mean text?",
        ),
    ] {
        assert_eq!(complaints("browser_find", given), [expected]);
    }
    assert_eq!(
        complaints("browser_tabs", json!({"action": "select", "tab": 1})),
        ["tab: is not known here; use index"]
    );
}
