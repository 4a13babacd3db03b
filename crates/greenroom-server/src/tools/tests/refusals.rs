//! What is refused, and what is said about it.

use serde_json::{Value, json};

use super::{accepted, complaints, refused};

#[test]
fn every_problem_is_named_with_its_place_and_a_fix() {
    let cases: Vec<(&str, Value, &str)> = vec![
        (
            "browser_click",
            json!({}),
            "target: is missing; give text (Ref or selector)",
        ),
        (
            "browser_click",
            json!({"target": null}),
            "target: is missing; give text (Ref or selector)",
        ),
        (
            "browser_click",
            json!({"target": ""}),
            "target: is empty; give text such as \"hello\"",
        ),
        (
            "browser_click",
            json!({"target": ["e1"]}),
            "target: is a list; give text such as \"hello\"",
        ),
        (
            "browser_click",
            json!({"ref": "e1"}),
            "ref: is not known here; use target",
        ),
        (
            "browser_click",
            json!({"selector": "e1"}),
            "selector: is not known here; use target",
        ),
        (
            "browser_click",
            json!({"tagret": "e1"}),
            "tagret: is not known here; did you mean target?",
        ),
        (
            "browser_click",
            json!({"target": "e1", "double_click": true}),
            "double_click: is not known here; did you mean doubleClick?",
        ),
        (
            "browser_click",
            json!({"target": "e1", "doubleClick": "yes"}),
            "doubleClick: is the text \"yes\"; give true or false",
        ),
        (
            "browser_click",
            json!({"target": "e1", "doubleClick": 1}),
            "doubleClick: is the number 1; give true or false",
        ),
        (
            "browser_click",
            json!({"target": "e1", "button": "centre"}),
            "button: is \"centre\"; give one of left, right, middle",
        ),
        (
            "browser_click",
            json!({"target": "e1", "button": 1}),
            "button: is the number 1; give one of left, right, middle",
        ),
        (
            "browser_click",
            json!({"target": "e1", "modifiers": ["Alt", "Ctrl"]}),
            "modifiers[1]: is \"Ctrl\"; give one of Alt, Control, ControlOrMeta, Meta, Shift",
        ),
        (
            "browser_click",
            json!({"target": "e1", "modifiers": true}),
            "modifiers: is true; give a list of any of Alt, Control, ControlOrMeta, Meta, Shift",
        ),
        (
            "browser_take_screenshot",
            json!({"type": "jpg"}),
            "type: is \"jpg\"; give one of png, jpeg, webp; did you mean jpeg?",
        ),
        (
            "browser_drag",
            json!({"startRef": "e1", "endTarget": "e2"}),
            "startRef: is not known here; use startTarget",
        ),
        (
            "browser_close",
            json!({"force": true}),
            "force: is not known here; leave it out (known: session_id, browser_pool, browser_instance, response_mode)",
        ),
        (
            "list_sessions",
            json!({"all": true}),
            "all: is not known here; leave it out (there are no arguments)",
        ),
        (
            "browser_resize",
            json!({"width": "wide", "height": 1}),
            "width: is the text \"wide\"; give a whole number such as 1",
        ),
        (
            "browser_resize",
            json!({"width": 0, "height": 1}),
            "width: is 0; give 1 or more",
        ),
        (
            "browser_resize",
            json!({"width": 10.5, "height": 1}),
            "width: is 10.5; give a whole number",
        ),
        (
            "browser_resize",
            json!({"width": 1e300, "height": 1}),
            "width: is 1e+300; give a whole number",
        ),
        (
            "browser_wait_for",
            json!({"time": "inf"}),
            "time: is the text \"inf\"; give a number such as 2.5",
        ),
        (
            "browser_wait_for",
            json!({"time": -1}),
            "time: is -1; give 0 or more",
        ),
        (
            "browser_network_request",
            json!({"index": 0}),
            "index: is 0; give 1 or more",
        ),
        (
            "browser_drop",
            json!({"target": "e1", "data": {"text/plain": {}}}),
            "data[\"text/plain\"]: is an object; give text such as \"hello\"",
        ),
        (
            "browser_drop",
            json!({"target": "e1", "data": "hello"}),
            "data: is the text \"hello\"; give an object of texts such as {\"text/plain\": \"hello\"}",
        ),
        (
            "browser_fill_form",
            json!({"fields": "e1"}),
            "fields: is the text \"e1\"; give a list of objects with target, name, type, value",
        ),
        (
            "browser_pool_status",
            json!({"browser_pool": "A"}),
            "browser_pool: is not known here; use pool_name",
        ),
        (
            "browser_evaluate",
            json!({"expression": "1"}),
            "expression: is not known here; use function",
        ),
        (
            "browser_navigate",
            json!({"url": "javascript:alert(1)"}),
            "url: javascript: addresses are refused; run scripts with browser_evaluate",
        ),
        (
            "browser_tabs",
            json!({"action": "new", "url": "file:///etc/passwd"}),
            "url: file: addresses are refused; serve the file over http and open that address",
        ),
        (
            "browser_navigate",
            json!([]),
            "arguments: is a list; give an object such as {}",
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
fn problems_inside_lists_say_where() {
    let fields = json!({"fields": [
        {"target": "e1", "name": "A", "type": "textbox", "value": "x"},
        "nonsense",
        {"ref": "e2", "name": "B", "type": "text", "value": ["x"]},
    ]});
    assert_eq!(
        complaints("browser_fill_form", fields),
        [
            "fields[1]: is the text \"nonsense\"; give an object with target, name, type, value",
            "fields[2].ref: is not known here; use target",
            "fields[2].type: is \"text\"; give one of textbox, checkbox, radio, combobox, slider",
            "fields[2].value: is a list; give text such as \"hello\"",
        ]
    );
}

#[test]
fn a_former_name_beside_the_right_one_is_simply_too_much() {
    assert_eq!(
        complaints("browser_hover", json!({"ref": "e1", "target": "e1"})),
        ["ref: is not known here; leave it out \
          (known: element, target, session_id, browser_pool, browser_instance, response_mode)"]
    );
}

#[test]
fn all_problems_are_reported_at_once_up_to_a_bound() {
    let many: serde_json::Map<String, Value> = (0..20)
        .map(|n| (format!("unheard_of_{n}"), json!(1)))
        .collect();
    let problems = refused("browser_click", many.into());
    assert_eq!(problems.found().len(), 8);
    assert_eq!(problems.count(), 21);
    assert!(
        problems.to_string().contains("\n- and 13 more\n"),
        "{problems}"
    );
}

#[test]
fn a_session_id_is_visible_and_of_bearable_length() {
    let longest = "x".repeat(128);
    for id in [
        "a",
        "dark-mode-test",
        "sub-agent-7",
        "a:b/c@d",
        "grün",
        longest.as_str(),
    ] {
        let (_, address) = accepted("browser_snapshot", json!({"session_id": id}));
        assert_eq!(address.session_id.as_deref(), Some(id));
    }
    let too_long = "x".repeat(129);
    for id in [
        "",
        " ",
        "a b",
        "a\tb",
        "a\u{0}b",
        "a\u{200b}b",
        "a\u{202e}b",
        too_long.as_str(),
    ] {
        for (tool, path) in [
            ("browser_snapshot", "session_id"),
            ("close_session", "session_id"),
        ] {
            assert_eq!(
                complaints(tool, json!({"session_id": id})),
                [format!(
                    "{path}: is not usable as a session id; give 1 to 128 letters, digits and \
                     signs such as - and _, without spaces"
                )],
                "{id:?}"
            );
        }
    }
}
