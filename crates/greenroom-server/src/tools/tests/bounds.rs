//! Size and nesting.

use serde_json::{Value, json};

use super::{cleaned, complaints, own};

#[test]
fn nesting_beyond_the_bound_is_refused_for_what_it_is() {
    let nested = |levels: usize| {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    for levels in [16, 100] {
        assert_eq!(
            complaints(
                "create_new_session",
                json!({"storage_state": {"a": nested(levels)}})
            ),
            ["arguments: are nested deeper than 16 levels; send flatter data"]
        );
    }
    let fits = own(
        "create_new_session",
        json!({"storage_state": {"a": nested(14)}}),
    );
    assert_eq!(fits["storage_state"]["a"], nested(14));
}

#[test]
fn a_nested_text_does_not_smuggle_depth_in() {
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let values = cleaned(
        "browser_select_option",
        json!({"target": "e1", "values": deep}),
    );
    assert_eq!(values["values"], json!([deep]));
}

#[test]
fn size_beyond_the_bound_is_refused_for_what_it_is() {
    let expected = "arguments: are larger than 1048576 bytes; \
                    send less, or split it over several calls";
    let long = "x".repeat(1024 * 1024);
    for arguments in [
        json!({"function": long}),
        json!({ long.clone(): 1 }),
        json!({"function": vec![0; 200_000]}),
    ] {
        assert_eq!(complaints("browser_evaluate", arguments), [expected]);
    }
    let fits = "x".repeat(1000 * 1000);
    assert_eq!(
        cleaned("browser_evaluate", json!({"function": fits}))["function"],
        fits
    );
}
