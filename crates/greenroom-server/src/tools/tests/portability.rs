//! The rendered schemas keep to what every client understands.

use serde_json::{Map, Value, json};

use super::super::catalog;
use super::super::row::Handler;
use super::super::schema::{Offer, annotations, entry, input, list, output};

/// What the list may weigh now, so that the tools to come fit into 20,000.
const BUDGET: usize = 17_500;

#[test]
fn the_default_list_is_short() {
    let bytes = serde_json::to_string(&list(Offer::Default)).unwrap().len();
    assert!(bytes < BUDGET, "{bytes} bytes");
}

#[test]
fn the_list_is_the_same_every_time() {
    let rendered = || serde_json::to_string(&list(Offer::WithGuarded)).unwrap();
    assert_eq!(rendered(), rendered());
}

#[test]
fn only_the_guarded_tool_is_not_offered_by_default() {
    let names = |offer| {
        let list = list(offer).into_iter();
        list.map(|entry| entry["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let mut all = names(Offer::WithGuarded);
    assert_eq!(all.len(), 32);
    all.retain(|name| name != "browser_run_code_unsafe");
    assert_eq!(names(Offer::Default), all);
}

#[test]
fn every_input_schema_is_a_closed_object() {
    for row in catalog::rows() {
        let schema = input(row);
        assert_eq!(schema["type"], "object", "{}", row.name);
        assert!(schema["properties"].is_object(), "{}", row.name);
        assert_eq!(schema["additionalProperties"], false, "{}", row.name);
        walk_input(&schema, row.name);
    }
}

#[test]
fn every_browser_tool_takes_the_addressing_arguments_without_words() {
    for row in catalog::rows() {
        let schema = input(row);
        let properties = schema["properties"].as_object().unwrap();
        for name in ["session_id", "browser_pool", "browser_instance"] {
            if matches!(row.handler, Handler::Own(_)) {
                let is_its_own = row.params.iter().any(|param| param.name == name);
                assert_eq!(properties.contains_key(name), is_its_own, "{}", row.name);
            } else {
                assert_eq!(properties[name], json!({"type": "string"}), "{}", row.name);
            }
        }
    }
}

#[test]
fn properties_keep_the_order_of_the_row() {
    let schema = input(catalog::find("browser_click").unwrap());
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "element",
            "target",
            "doubleClick",
            "button",
            "modifiers",
            "session_id",
            "browser_pool",
            "browser_instance",
            "response_mode"
        ]
    );
}

#[test]
fn defaults_make_an_argument_optional_and_are_shown_where_they_say_something() {
    for (tool, name, default) in [
        ("browser_take_screenshot", "scale", Some(json!("css"))),
        ("browser_console_messages", "level", Some(json!("info"))),
        ("browser_network_requests", "static", None),
        ("browser_execute_bulk", "stop_on_error", Some(json!(true))),
        ("browser_execute_bulk", "return_all_results", None),
    ] {
        let schema = input(catalog::find(tool).unwrap());
        assert_eq!(
            schema["properties"][name].get("default"),
            default.as_ref(),
            "{tool}"
        );
        let required = schema.get("required").and_then(Value::as_array);
        assert!(
            required.is_none_or(|names| !names.contains(&json!(name))),
            "{tool}"
        );
    }
}

#[test]
fn answers_have_typed_fields_and_leave_room_for_more() {
    let with_output: Vec<&str> = catalog::rows()
        .filter(|row| output(row).is_some())
        .map(|row| row.name)
        .collect();
    assert_eq!(
        with_output,
        ["browser_pool_status", "create_new_session", "list_sessions"]
    );
    for schema in catalog::rows().filter_map(output) {
        walk_output(&schema);
    }
}

#[test]
fn the_status_answer_has_exactly_the_promised_fields() {
    let schema = output(catalog::find("browser_pool_status").unwrap()).unwrap();
    let pool = &schema["properties"]["pools"]["items"];
    let instance = &pool["properties"]["instances"]["items"];
    for (object, fields) in [
        (&Value::Object(schema.clone()), "pools summary"),
        (
            pool,
            "name description is_default total_instances healthy_instances leased_instances \
             available_instances instances",
        ),
        (
            instance,
            "id alias status leased lease_duration_ms lease_started_at browser headless \
             process_id health_check",
        ),
        (
            &instance["properties"]["health_check"],
            "last_check responsive error",
        ),
        (
            &schema["properties"]["summary"],
            "total_pools total_instances healthy_instances failed_instances leased_instances \
             available_instances",
        ),
    ] {
        let fields: Vec<&str> = fields.split(' ').filter(|it| !it.is_empty()).collect();
        let names: Vec<&String> = object["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, fields);
    }
    assert_eq!(schema["required"], json!(["pools", "summary"]));
}

#[test]
fn an_entry_says_everything_a_client_asks_for() {
    let entry = entry(catalog::find("list_sessions").unwrap());
    let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "name",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations"
        ]
    );
}

#[test]
fn hints_are_given_where_they_differ_from_what_the_protocol_assumes() {
    for (tool, expected) in [
        ("browser_click", json!({})),
        ("browser_snapshot", json!({"readOnlyHint": true})),
        (
            "browser_pool_status",
            json!({"readOnlyHint": true, "openWorldHint": false}),
        ),
        (
            "create_new_session",
            json!({"destructiveHint": false, "openWorldHint": false}),
        ),
        ("close_session", json!({"openWorldHint": false})),
    ] {
        let row = catalog::find(tool).unwrap();
        assert_eq!(Value::from(annotations(row)), expected, "{tool}");
        let shown = entry(row).get("annotations").cloned();
        assert_eq!(shown.unwrap_or(json!({})), expected, "{tool}");
    }
}

/// What models write: one type for each value, no unions, no references.
fn walk_input(schema: &Map<String, Value>, place: &str) {
    let kind = schema.get("type").and_then(Value::as_str);
    let kind = kind.unwrap_or_else(|| panic!("{place} has no single type"));
    for word in ["$ref", "anyOf", "oneOf", "allOf", "not", "const", "$defs"] {
        assert!(!schema.contains_key(word), "{place} uses {word}");
    }
    match kind {
        "object" => assert!(has_content(schema), "{place}"),
        "array" => walk_input(schema["items"].as_object().unwrap(), place),
        _ => {}
    }
    for (name, property) in properties(schema) {
        walk_input(property, &format!("{place}.{name}"));
    }
}

/// What we write: the same, but a value may also be null.
fn walk_output(schema: &Map<String, Value>) {
    assert!(!schema.contains_key("$ref"));
    assert!(!schema.contains_key("additionalProperties"));
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        assert_eq!(branches.len(), 2);
        assert_eq!(branches[1], json!({"type": "null"}));
        return walk_output(branches[0].as_object().unwrap());
    }
    if schema["type"] == "array" {
        walk_output(schema["items"].as_object().unwrap());
    }
    assert!(schema["type"].is_string());
    assert!(schema["type"] != "object" || has_content(schema));
    for (_, property) in properties(schema) {
        walk_output(property);
    }
}

fn has_content(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties") || schema.contains_key("additionalProperties")
}

fn properties(schema: &Map<String, Value>) -> Vec<(&String, &Map<String, Value>)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, property)| (name, property.as_object().unwrap()))
        .collect()
}
