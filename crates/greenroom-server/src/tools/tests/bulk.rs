//! Every command of a bulk is checked before the first one runs.

use serde_json::{Value, json};

use super::super::validate::Address;
use super::{accepted_bulk, complaints, refused};

#[test]
fn a_bulk_comes_out_typed_and_clean() {
    let (bulk, address) = accepted_bulk(json!({
        "commands": [
            {"tool": "browser_navigate", "args": {"url": "example.com"}},
            {"tool": "browser_take_screenshot", "return_result": "true"},
            {"tool": "browser_wait_for", "args": "{\"time\": \"1\"}"},
        ],
        "stop_on_error": "false",
        "session_id": "s"
    }));
    assert_eq!(address.session_id.as_deref(), Some("s"));
    assert!(!bulk.stop_on_error);
    assert!(!bulk.return_all_results);
    let commands: Vec<(&str, Value, bool)> = bulk
        .commands
        .iter()
        .map(|it| {
            (
                it.command.tool.name(),
                it.command.arguments.clone().into(),
                it.return_result,
            )
        })
        .collect();
    assert_eq!(
        commands,
        [
            (
                "browser_navigate",
                json!({"url": "https://example.com"}),
                false
            ),
            ("browser_take_screenshot", json!({"scale": "css"}), true),
            ("browser_wait_for", json!({"time": 1}), false),
        ]
    );
}

#[test]
fn without_a_word_a_bulk_stops_on_the_first_error() {
    let (bulk, address) = accepted_bulk(json!({"commands": [{"tool": "browser_close"}]}));
    assert!(bulk.stop_on_error);
    assert!(!bulk.return_all_results);
    assert_eq!(address, Address::default());
}

#[test]
fn problems_of_commands_say_which_command() {
    let bulk = json!({"commands": [
        {"tool": "browser_navigate", "args": {"url": "file:///etc/passwd"}},
        {"tool": "browser_clik", "args": {"target": "e1"}},
        {"tool": "browser_click", "args": {"ref": "e1"}},
        {"tool": "browser_find"},
        {"tool": "browser_fill_form", "args": {"fields": [{"target": "e1"}]}},
    ]});
    assert_eq!(
        complaints("browser_execute_bulk", bulk),
        [
            "commands[0].args.url: file: addresses are refused; serve the file over http and open that address",
            "commands[1].tool: there is no tool \"browser_clik\"; did you mean browser_click?",
            "commands[2].args.ref: is not known here; use target",
            "commands[3].args.text, commands[3].args.regex: none is given; give at least one of them",
            "commands[4].args.fields[0].name: is missing; give text (The field in words)",
            "commands[4].args.fields[0].type: is missing; give one of textbox, checkbox, radio, combobox, slider (What kind of field it is)",
            "commands[4].args.fields[0].value: is missing; give text (Text, true/false or option label)",
        ]
    );
}

#[test]
fn a_broken_command_does_not_shift_the_places_of_the_others() {
    let bulk = json!({"commands": [5, {"name": "browser_close"}, {"tool": "browser_click"}]});
    assert_eq!(
        complaints("browser_execute_bulk", bulk),
        [
            "commands[0]: is the number 5; give an object with tool",
            "commands[1].name: is not known here; use tool",
            "commands[2].args.target: is missing; give text (Ref or selector)",
        ]
    );
}

#[test]
fn tools_that_are_not_for_a_browser_cannot_hide_in_a_bulk() {
    for tool in [
        "browser_execute_bulk",
        "browser_pool_status",
        "close_session",
    ] {
        assert_eq!(
            complaints(
                "browser_execute_bulk",
                json!({"commands": [{"tool": tool}]})
            ),
            [format!(
                "commands[0].tool: cannot run inside a bulk; call {tool} on its own"
            )]
        );
    }
}

#[test]
fn a_command_may_repeat_where_the_bulk_runs_but_not_go_elsewhere() {
    let command = |session: &str| {
        json!({
            "commands": [{"tool": "browser_snapshot", "args": {"session_id": session}}],
            "session_id": "mine"
        })
    };
    let (bulk, _) = accepted_bulk(command("mine"));
    assert!(bulk.commands[0].command.arguments.is_empty());
    assert_eq!(
        complaints("browser_execute_bulk", command("other")),
        [
            "commands[0].args.session_id: differs from the bulk's own; all commands share one \
          browser, so give session_id beside commands or not at all"
        ]
    );
}

#[test]
fn the_message_ends_with_the_first_broken_command_done_right() {
    let bulk = json!({"commands": [{"tool": "browser_close"}, {"tool": "browser_click"}]});
    let text = refused("browser_execute_bulk", bulk).to_string();
    let end =
        r#"browser_execute_bulk {"commands":[{"tool":"browser_click","args":{"target":"e12"}}]}"#;
    assert!(text.ends_with(end), "{text}");
}
