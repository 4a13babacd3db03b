//! Tools that only the upstream knows pass through.

use serde_json::{Value, json};

use super::super::extra::ExtraTools;
use super::super::row::Effect;
use super::super::validate::{Call, check};
use super::pinned;

fn extras() -> ExtraTools {
    let mut list = pinned();
    list.push(json!({
        "name": "browser_mouse_click_xy",
        "description": "Click at a place",
        "inputSchema": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    }));
    list.push(json!({
        "name": "browser_storage_state",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true}
    }));
    list.push(json!({"name": "browser_broken", "inputSchema": {"type": "array"}}));
    ExtraTools::of_upstream(&list)
}

#[test]
fn only_sound_tools_beyond_the_catalogue_are_extra() {
    let names: Vec<String> = extras().iter().map(|it| it.name.clone()).collect();
    assert_eq!(names, ["browser_mouse_click_xy", "browser_storage_state"]);
    assert!(ExtraTools::of_upstream(&pinned()).iter().next().is_none());
}

#[test]
fn an_extra_tool_is_listed_with_the_addressing_arguments() {
    let extras = extras();
    let entry = extras.get("browser_mouse_click_xy").unwrap().entry();
    assert_eq!(entry["description"], "Click at a place");
    assert_eq!(
        entry["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "x": {"type": "number"},
                "session_id": {"type": "string"},
                "browser_pool": {"type": "string"},
                "browser_instance": {"type": "string"},
                "response_mode": {"type": "string", "enum": ["inline", "ref", "auto"]}
            },
            "required": ["x"]
        })
    );
    let bare = extras.get("browser_storage_state").unwrap().entry();
    assert_eq!(
        bare["inputSchema"]["properties"].as_object().unwrap().len(),
        4
    );
}

#[test]
fn an_extra_tool_acts_unless_the_upstream_says_that_it_only_reads() {
    let extras = extras();
    assert_eq!(
        extras.get("browser_mouse_click_xy").unwrap().effect,
        Effect::Acts
    );
    assert_eq!(
        extras.get("browser_storage_state").unwrap().effect,
        Effect::Reads
    );
}

#[test]
fn its_arguments_pass_untouched_but_for_the_address() {
    let arguments = json!({"x": "7", "y": {"z": null}, "session_id": "s", "browser_instance": 1});
    let call = check("browser_mouse_click_xy", arguments, &extras()).unwrap();
    let Call::Browser { command, address } = call else {
        panic!("{call:?}");
    };
    assert_eq!(command.tool.name(), "browser_mouse_click_xy");
    assert_eq!(
        Value::from(command.arguments),
        json!({"x": "7", "y": {"z": null}})
    );
    assert_eq!(address.session_id.as_deref(), Some("s"));
    assert_eq!(address.browser_instance.as_deref(), Some("1"));
}

#[test]
fn our_own_rules_hold_for_it_too() {
    for (arguments, expected) in [
        (
            json!({"session_id": "a b"}),
            "browser_mouse_click_xy was not run: 1 problem with its arguments.\n\
             - session_id: is not usable as a session id; give 1 to 128 letters, digits and \
             signs such as - and _, without spaces\n\
             Correct this and call again.",
        ),
        (
            json!({"url": "file:///etc/passwd"}),
            "browser_mouse_click_xy was not run: 1 problem with its arguments.\n\
             - url: file: addresses are refused; serve the file over http and open that address\n\
             Correct this and call again.",
        ),
    ] {
        let refusal = check("browser_mouse_click_xy", arguments, &extras()).unwrap_err();
        assert_eq!(refusal.to_string(), expected);
    }
}

#[test]
fn it_may_be_part_of_a_bulk() {
    let bulk =
        |args: Value| json!({"commands": [{"tool": "browser_mouse_click_xy", "args": args}]});
    let call = check("browser_execute_bulk", bulk(json!({"x": 1})), &extras()).unwrap();
    let Call::Bulk { bulk: read, .. } = call else {
        panic!("{call:?}");
    };
    assert_eq!(
        read.commands[0].command.tool.name(),
        "browser_mouse_click_xy"
    );
    let refusal = check(
        "browser_execute_bulk",
        bulk(json!({"url": "chrome://x"})),
        &extras(),
    );
    assert!(
        refusal
            .unwrap_err()
            .to_string()
            .contains("commands[0].args.url: chrome:")
    );
}

#[test]
fn a_misspelt_extra_tool_has_a_neighbour() {
    let refusal = check("browser_mouse_clickxy", Value::Null, &extras()).unwrap_err();
    assert!(
        refusal
            .to_string()
            .ends_with("did you mean browser_mouse_click_xy?")
    );
}
