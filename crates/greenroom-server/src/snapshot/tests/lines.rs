//! One line at a time.

use super::super::{Node, State, parse};

fn only(text: &str) -> Node<'_> {
    let tree = parse(text);
    assert_eq!(tree.nodes().len(), 1, "{text}");
    tree.nodes()[0].clone()
}

/// Line, role, name, ref, text.
type Row<'a> = (
    &'a str,
    &'a str,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
);

#[test]
fn a_line_is_a_role_a_name_a_ref_and_a_text() {
    let rows: &[Row<'_>] = &[
        ("- list", "list", None, None, None),
        ("- list:", "list", None, None, None),
        (
            "- button \"Save\" [ref=e12]",
            "button",
            Some("Save"),
            Some("e12"),
            None,
        ),
        (
            "- paragraph [ref=e3]: Hello",
            "paragraph",
            None,
            Some("e3"),
            Some("Hello"),
        ),
        ("- text: a: b", "text", None, None, Some("a: b")),
        ("- text: \"\"", "text", None, None, Some("")),
        ("- img \"\" [ref=f2e1]", "img", Some(""), Some("f2e1"), None),
        (
            "- 'link \"Link: a\" [ref=e6]':",
            "link",
            Some("Link: a"),
            Some("e6"),
            None,
        ),
        (
            "- 'link \"it''s: a\" [ref=e6]': go",
            "link",
            Some("it's: a"),
            Some("e6"),
            Some("go"),
        ),
        (
            "- button \"key':\" [ref=e1]",
            "button",
            Some("key':"),
            Some("e1"),
            None,
        ),
        (
            "- button \"[ref=e9] x\" [ref=e1]",
            "button",
            Some("[ref=e9] x"),
            Some("e1"),
            None,
        ),
        (
            "- button \"a\\\"b\\\\\" [ref=e1]",
            "button",
            Some("a\"b\\"),
            Some("e1"),
            None,
        ),
        (
            "- button \"\\ud83c\\udf89\\u00e9\"",
            "button",
            Some("🎉é"),
            None,
            None,
        ),
        (
            "- button \"x\\udc00y\\ud800\"",
            "button",
            Some("x\u{fffd}y\u{fffd}"),
            None,
            None,
        ),
        (
            "- cell: \"\\x01\\x7f\\n\\t\\\"\"",
            "cell",
            None,
            None,
            Some("\u{1}\u{7f}\n\t\""),
        ),
        ("- cell: \"open", "cell", None, None, Some("\"open")),
        ("- cell: \"a\" b", "cell", None, None, Some("\"a\" b")),
        ("- cell: \"\\q\\x1\"", "cell", None, None, Some("\\q\\x1")),
        ("- cell: 'it''s'", "cell", None, None, Some("it's")),
    ];
    for (line, role, name, reference, text) in rows {
        let node = only(line);
        assert_eq!(node.role(), *role, "{line}");
        assert_eq!(node.name.as_deref(), *name, "{line}");
        assert_eq!(node.reference.as_deref(), *reference, "{line}");
        assert_eq!(node.text.as_deref(), *text, "{line}");
    }
}

#[test]
fn states_are_true_or_a_number_or_a_word() {
    let node =
        only("- treeitem \"n\" [checked=mixed] [expanded] [level=2] [ref=e1] [box=1,-2,3,4]");
    assert_eq!(node.state("checked"), Some(&State::Word("mixed".into())));
    assert_eq!(node.state("expanded"), Some(&State::On));
    assert_eq!(node.level(), Some(2));
    assert_eq!(node.state("box"), Some(&State::Word("1,-2,3,4".into())));
    assert_eq!(node.state("disabled"), None);
}

#[test]
fn what_does_not_fit_is_text() {
    let many = format!("- button{}", " [a]".repeat(2));
    let more: String = (0..40).map(|at| format!(" [s{at}]")).collect();
    let more = format!("- button{more}");
    for line in [
        "plain words",
        "-",
        "-button",
        "- Button",
        "- button \"open",
        "- button Save",
        "- button [ref=]",
        "- button [ref=a b]",
        "- button [ref=e1] [ref=e2]",
        "- button [level=two]",
        "- button [name=x]",
        "- button [children]",
        "- button [",
        "- button:text",
        "- 'button",
        "- 'button' x",
        "- ref=e2 [unchanged]",
        "- /url: /nowhere",
        "- /else: x",
        "\t- button",
        many.as_str(),
        more.as_str(),
    ] {
        let node = only(line);
        assert_eq!(
            (node.role(), node.text.as_deref()),
            ("text", Some(line)),
            "{line}"
        );
        assert!(node.reference.is_none());
    }
}

#[test]
fn properties_belong_to_the_element_that_they_stand_in() {
    let tree = parse(
        "- link \"A\":\n  - /url: \"https://example.com/: b\"\n- textbox:\n  - /placeholder: say \"hi\"\n",
    );
    let nodes = tree.nodes();
    assert_eq!(nodes.len(), 2);
    assert_eq!(nodes[0].url.as_deref(), Some("https://example.com/: b"));
    assert_eq!(nodes[1].placeholder.as_deref(), Some("say \"hi\""));
}

#[test]
fn a_property_said_twice_is_kept_as_text() {
    let tree = parse("- link:\n  - /url: /a\n  - /url: /b\n  - text: c\n");
    assert_eq!(tree.nodes()[0].url.as_deref(), Some("/a"));
    assert_eq!(tree.nodes()[1].text.as_deref(), Some("- /url: /b"));
}

#[test]
fn the_value_of_a_field_with_a_placeholder_is_its_text() {
    let tree = parse("- textbox \"Note\":\n  - /placeholder: p\n  - text: v\n- button\n");
    assert_eq!(tree.nodes().len(), 2);
    assert_eq!(tree.nodes()[0].text.as_deref(), Some("v"));
    assert_eq!(tree.nodes()[1].role(), "button");
}
