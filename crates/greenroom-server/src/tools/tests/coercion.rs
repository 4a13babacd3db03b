//! Harmless slips are repaired, and what comes out is in order.

use serde_json::{Value, json};

use super::super::validate::Address;
use super::{accepted, cleaned, own};

#[test]
fn slips_whose_meaning_is_beyond_doubt_are_repaired() {
    let target = |more: Value| {
        let mut arguments = json!({"target": "e1"});
        let more = more.as_object().unwrap().clone();
        arguments.as_object_mut().unwrap().extend(more);
        arguments
    };
    let cases: Vec<(&str, Value, Value)> = vec![
        (
            "browser_click",
            target(json!({"doubleClick": "true"})),
            target(json!({"doubleClick": true})),
        ),
        (
            "browser_click",
            target(json!({"doubleClick": " False "})),
            target(json!({"doubleClick": false})),
        ),
        (
            "browser_click",
            target(json!({"button": null})),
            target(json!({})),
        ),
        (
            "browser_click",
            target(json!({"button": ""})),
            target(json!({})),
        ),
        (
            "browser_click",
            target(json!({"element": ""})),
            target(json!({})),
        ),
        (
            "browser_click",
            target(json!({"button": "LEFT"})),
            target(json!({"button": "left"})),
        ),
        (
            "browser_click",
            target(json!({"modifiers": "shift"})),
            target(json!({"modifiers": ["Shift"]})),
        ),
        (
            "browser_click",
            target(json!({"modifiers": "[\"Alt\"]"})),
            target(json!({"modifiers": ["Alt"]})),
        ),
        (
            "browser_select_option",
            target(json!({"values": "Blue"})),
            target(json!({"values": ["Blue"]})),
        ),
        (
            "browser_select_option",
            target(json!({"values": "[Blue]"})),
            target(json!({"values": ["[Blue]"]})),
        ),
        (
            "browser_select_option",
            target(json!({"values": [7]})),
            target(json!({"values": ["7"]})),
        ),
        (
            "browser_type",
            target(json!({"text": 5})),
            target(json!({"text": "5"})),
        ),
        (
            "browser_type",
            target(json!({"text": ""})),
            target(json!({"text": ""})),
        ),
        (
            "browser_drop",
            target(json!({"data": {"text/plain": 1}})),
            target(json!({"data": {"text/plain": "1"}})),
        ),
        (
            "browser_drop",
            target(json!({"data": "{\"a\":\"b\"}"})),
            target(json!({"data": {"a": "b"}})),
        ),
        (
            "browser_resize",
            json!({"width": "800", "height": 600.0}),
            json!({"width": 800, "height": 600}),
        ),
        (
            "browser_wait_for",
            json!({"time": "1.5"}),
            json!({"time": 1.5}),
        ),
        ("browser_wait_for", json!({"time": 2}), json!({"time": 2})),
        (
            "browser_wait_for",
            json!({"time": null, "text": "a"}),
            json!({"text": "a"}),
        ),
        (
            "browser_tabs",
            json!({"action": "close", "index": "1"}),
            json!({"action": "close", "index": 1}),
        ),
        (
            "browser_network_request",
            json!({"index": 3.0}),
            json!({"index": 3}),
        ),
        (
            "browser_press_key",
            json!({"key": " "}),
            json!({"key": " "}),
        ),
        (
            "browser_navigate",
            json!({"url": " example.com "}),
            json!({"url": "https://example.com"}),
        ),
        (
            "browser_navigate",
            json!("{\"url\": \"example.com\"}"),
            json!({"url": "https://example.com"}),
        ),
        ("browser_close", Value::Null, json!({})),
        (
            "browser_snapshot",
            json!({"depth": -1}),
            json!({"depth": -1}),
        ),
    ];
    for (tool, given, expected) in cases {
        assert_eq!(cleaned(tool, given.clone()), expected, "{tool} {given}");
    }
}

#[test]
fn a_form_may_be_one_field_or_a_serialised_list() {
    let field = json!({"target": "e1", "name": "Terms", "type": "checkbox", "value": true});
    let clean = json!({"fields": [
        {"target": "e1", "name": "Terms", "type": "checkbox", "value": "true"}
    ]});
    for fields in [
        field.clone(),
        json!([field]),
        json!(json!([field]).to_string()),
    ] {
        assert_eq!(
            cleaned("browser_fill_form", json!({"fields": fields})),
            clean
        );
    }
}

#[test]
fn null_is_a_value_where_it_means_something() {
    for said in [json!(null), json!("null")] {
        assert_eq!(
            cleaned("browser_emulate_media", json!({"colorScheme": said})),
            json!({"colorScheme": null})
        );
    }
}

#[test]
fn absent_arguments_get_their_defaults() {
    for (tool, expected) in [
        ("browser_take_screenshot", json!({"scale": "css"})),
        ("browser_console_messages", json!({"level": "info"})),
        ("browser_network_requests", json!({"static": false})),
        ("browser_snapshot", json!({})),
    ] {
        assert_eq!(cleaned(tool, json!({})), expected, "{tool}");
    }
    assert_eq!(
        cleaned("browser_take_screenshot", json!({"scale": "device"})),
        json!({"scale": "device"})
    );
}

#[test]
fn arguments_come_out_in_the_order_of_the_row() {
    let clean = cleaned(
        "browser_type",
        json!({"submit": true, "text": "a", "target": "e1"}),
    );
    assert_eq!(
        clean.to_string(),
        r#"{"target":"e1","text":"a","submit":true}"#
    );
}

#[test]
fn the_addressing_arguments_are_set_apart() {
    let (command, address) = accepted(
        "browser_navigate",
        json!({
            "browser_instance": 0,
            "url": "https://example.com",
            "session_id": "dark-mode-test",
            "browser_pool": "SCRAPE"
        }),
    );
    assert_eq!(
        Value::from(command.arguments),
        json!({"url": "https://example.com"})
    );
    assert_eq!(
        address,
        Address {
            session_id: Some("dark-mode-test".to_owned()),
            browser_pool: Some("SCRAPE".to_owned()),
            browser_instance: Some("0".to_owned()),
            response_mode: None,
        }
    );
}

#[test]
fn an_address_that_is_left_out_in_any_manner_is_none() {
    for given in [
        json!({}),
        json!({"session_id": null, "browser_pool": null, "browser_instance": null}),
        json!({"browser_pool": "", "browser_instance": ""}),
    ] {
        assert_eq!(accepted("browser_snapshot", given).1, Address::default());
    }
}

#[test]
fn our_own_tools_keep_their_arguments() {
    let state = json!({"cookies": [], "origins": []});
    let clean = own(
        "create_new_session",
        json!({"storage_state": state.to_string(), "label": "a", "browser_pool": "P"}),
    );
    assert_eq!(
        Value::from(clean),
        json!({"browser_pool": "P", "label": "a", "storage_state": state})
    );
    assert_eq!(
        Value::from(own("close_session", json!({"session_id": "s"}))),
        json!({"session_id": "s"})
    );
}
