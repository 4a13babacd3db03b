//! Changed upstreams are noticed, by name.

use serde_json::{Value, json};

use super::super::drift::{Drift, compare};
use super::pinned;

#[test]
fn the_pinned_upstream_serves_what_the_catalogue_says() {
    let drift = compare(&pinned());
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(
        drift.to_string(),
        "the upstream serves what the catalogue says"
    );
}

#[test]
fn each_change_is_reported_alone_and_by_name() {
    type Change = fn(&mut Vec<Value>);
    let cases: Vec<(Change, &str, bool)> = vec![
        (
            |list| list.retain(|it| it["name"] != "browser_drag"),
            "browser_drag is missing",
            true,
        ),
        (
            |list| list.push(json!({"name": "browser_new", "inputSchema": {"type": "object"}})),
            "browser_new is not in the catalogue; it passes through as it is",
            false,
        ),
        (
            |list| list.push(json!({"name": "list_sessions", "inputSchema": {"type": "object"}})),
            "list_sessions has the name of a tool of our own; the upstream's is left out",
            false,
        ),
        (
            |list| list.push(json!({"inputSchema": {"type": "object"}})),
            "entry 25 of the list has no name; it is left out",
            false,
        ),
        (
            |list| tool(list, "browser_hover")["inputSchema"] = json!({"type": "string"}),
            "browser_hover has an input schema that is not a valid object schema; it is left out",
            true,
        ),
        (
            |list| rename(list, "browser_hover", "target", "ref"),
            "browser_hover: argument target is now called ref",
            true,
        ),
        (
            |list| {
                schema(list, "browser_hover")["properties"]
                    .as_object_mut()
                    .unwrap()
                    .remove("element");
            },
            "browser_hover: argument element is gone",
            true,
        ),
        (
            |list| {
                schema(list, "browser_hover")["properties"]["force"] = json!({"type": "boolean"});
            },
            "browser_hover: argument force is new and optional",
            false,
        ),
        (
            |list| {
                schema(list, "browser_hover")["properties"]["force"] = json!({"type": "boolean"});
                schema(list, "browser_hover")["required"] = json!(["target", "force"]);
            },
            "browser_hover: argument force is new and required",
            true,
        ),
        (
            |list| schema(list, "browser_hover")["required"] = json!(["target", "element"]),
            "browser_hover: argument element is now required",
            true,
        ),
        (
            |list| schema(list, "browser_hover")["required"] = json!([]),
            "browser_hover: argument target is now optional",
            false,
        ),
        (
            |list| {
                schema(list, "browser_tabs")["properties"]["action"]["enum"] =
                    json!(["list", "new"]);
            },
            "browser_tabs: argument action was list|new|close|select and is now list|new",
            true,
        ),
        (
            |list| {
                schema(list, "browser_resize")["properties"]["width"] = json!({"type": "string"});
            },
            "browser_resize: argument width was number and is now string",
            true,
        ),
    ];
    for (change, expected, breaking) in cases {
        let mut list = pinned();
        change(&mut list);
        let drift = compare(&list);
        assert_eq!(lines(&drift), [expected]);
        assert_eq!(drift.is_breaking(), breaking, "{expected}");
    }
}

#[test]
fn a_default_of_ours_suits_an_upstream_that_no_longer_requires_it() {
    let mut list = pinned();
    schema(&mut list, "browser_console_messages")["required"] = json!([]);
    assert!(compare(&list).is_empty());
}

#[test]
fn both_ends_of_a_drag_are_followed_to_their_new_names() {
    let mut list = pinned();
    rename(&mut list, "browser_drag", "startTarget", "startRef");
    rename(&mut list, "browser_drag", "endTarget", "endRef");
    assert_eq!(
        lines(&compare(&list)),
        [
            "browser_drag: argument startTarget is now called startRef",
            "browser_drag: argument endTarget is now called endRef",
        ]
    );
}

#[test]
fn schemas_that_are_none_drop_only_their_own_tool() {
    for bad in [
        json!(null),
        json!(true),
        json!({}),
        json!({"type": "object", "properties": []}),
        json!({"type": "object", "properties": {"a": true}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "required": [1]}),
    ] {
        let mut list = pinned();
        tool(&mut list, "browser_type")["inputSchema"] = bad.clone();
        let drift = compare(&list);
        assert_eq!(
            drift.dropped().collect::<Vec<_>>(),
            ["browser_type"],
            "{bad}"
        );
        assert_eq!(drift.findings().len(), 1, "{bad}");
    }
}

#[test]
fn an_empty_list_misses_every_browser_tool_and_none_of_ours() {
    let drift = compare(&[]);
    assert_eq!(drift.dropped().count(), 25);
    assert!(!drift.to_string().contains("browser_execute_bulk"));
    assert!(
        drift
            .to_string()
            .ends_with("expect calls of these tools to fail.")
    );
}

fn lines(drift: &Drift) -> Vec<String> {
    drift.findings().iter().map(ToString::to_string).collect()
}

fn tool<'a>(list: &'a mut [Value], name: &str) -> &'a mut Value {
    list.iter_mut().find(|it| it["name"] == name).unwrap()
}

fn schema<'a>(list: &'a mut [Value], name: &str) -> &'a mut Value {
    &mut tool(list, name)["inputSchema"]
}

fn rename(list: &mut [Value], name: &str, from: &str, to: &str) {
    let text = schema(list, name).to_string();
    let renamed = text.replace(&format!("\"{from}\""), &format!("\"{to}\""));
    *schema(list, name) = serde_json::from_str(&renamed).unwrap();
}
