//! The whole message, as an agent reads it.

use serde_json::{Value, json};

use super::super::catalog;
use super::super::extra::ExtraTools;
use super::super::validate::check;
use super::refused;

#[test]
fn a_refusal_reads_like_advice() {
    let problems = refused("browser_click", json!({"ref": "e1", "button": "top"}));
    assert_eq!(
        problems.to_string(),
        "browser_click was not run: 2 problems with its arguments.\n\
         - ref: is not known here; use target\n\
         - button: is \"top\"; give one of left, right, middle\n\
         A call that works: browser_click {\"target\":\"e12\"}"
    );
}

#[test]
fn every_refusal_ends_with_a_call_that_works() {
    for row in catalog::rows() {
        let text = refused(row.name, json!({"unheard_of": 1})).to_string();
        let (_, call) = text.rsplit_once("A call that works: ").unwrap();
        let (name, arguments) = call.split_once(' ').unwrap();
        assert_eq!(name, row.name);
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        assert!(
            check(name, arguments, &ExtraTools::default()).is_ok(),
            "{call}"
        );
    }
}

#[test]
fn an_unknown_tool_is_answered_with_its_neighbour() {
    for (name, expected) in [
        (
            "browser_clik",
            "unknown tool \"browser_clik\"; did you mean browser_click?",
        ),
        (
            "make_coffee",
            "unknown tool \"make_coffee\"; see tools/list for what there is",
        ),
    ] {
        let refusal = check(name, Value::Null, &ExtraTools::default()).unwrap_err();
        assert_eq!(refusal.to_string(), expected);
    }
}

#[test]
fn what_the_caller_sent_is_shortened_and_made_visible() {
    let secret = format!("left\u{202e}\n{}", "x".repeat(1000));
    let text = refused("browser_click", json!({"target": "e1", "button": secret})).to_string();
    assert!(text.contains(r#"button: is "left\u{202e}\nxxx"#), "{text}");
    assert!(text.len() < 300, "{text}");

    let key = "k\n".repeat(1000);
    let text = refused("browser_close", json!({ key: 1 })).to_string();
    assert!(text.contains(r#"- ["k\nk\n"#), "{text}");
    assert!(text.len() < 400, "{text}");
}
