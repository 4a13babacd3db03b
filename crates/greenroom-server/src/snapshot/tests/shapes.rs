//! Deep, wide and crooked pages.
//!
//! The sizes are such that anything worse than linear time would not come to an end.

use super::super::{Outline, parse, to_json};

/// A page of one element in another, this many deep.
fn deep(depth: usize) -> String {
    let mut text = String::new();
    for level in 0..depth {
        text.push_str(&" ".repeat(level));
        text.push_str(&format!("- group [ref=e{level}]:\n"));
    }
    text
}

fn depth_of(value: &serde_json::Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        match value {
            serde_json::Value::Array(items) => {
                open.extend(items.iter().map(|item| (item, depth + 1)));
            }
            serde_json::Value::Object(fields) => {
                open.extend(fields.values().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    deepest
}

#[test]
fn a_deep_page_keeps_every_depth_and_takes_no_stack() {
    let text = deep(5_000);
    let tree = parse(&text);
    assert_eq!(tree.nodes().len(), 5_000);
    assert_eq!(tree.nodes()[4_999].depth, 4_999);
    assert_eq!(tree.nodes()[4_999].parent, Some(4_998));
}

#[test]
fn the_tree_form_of_a_deep_page_can_be_read_back_by_a_common_reader() {
    let text = deep(5_000);
    let page = to_json(&parse(&text));
    assert!(depth_of(&page) <= 128, "{}", depth_of(&page));
    assert_eq!(page["nodes"].as_array().unwrap().len(), 5_000);
    assert_eq!(page["nodes"][4_999]["depth"], 4_999);
    let read: serde_json::Value = serde_json::from_str(&page.to_string()).unwrap();
    assert_eq!(read, page);
}

#[test]
fn what_stands_too_deep_is_lifted_in_order() {
    let text = deep(200);
    let page = to_json(&parse(&text));
    let mut node = &page;
    while let Some(children) = node["children"]
        .as_array()
        .filter(|children| children.len() == 1)
    {
        node = &children[0];
    }
    let refs: Vec<&str> = node["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child["ref"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (59..200).map(|at| format!("e{at}")).collect();
    assert_eq!(refs, expected);
}

#[test]
fn a_wide_page_is_one_list() {
    let text = "- button \"b\" [ref=e1]\n".repeat(150_000);
    let tree = parse(&text);
    assert_eq!(tree.nodes().len(), 150_000);
    assert!(
        tree.nodes()
            .iter()
            .all(|node| node.depth == 0 && node.parent.is_none())
    );
    assert_eq!(Outline::of(&tree).counts.buttons, 150_000);
}

#[test]
fn one_endless_line_is_read_once() {
    for piece in ["\\\"", "''", " [a", "- '", "\\ud800"] {
        for start in ["- button \"", "- '", "- button", "- text: \"", ""] {
            let text = format!("{start}{}", piece.repeat(300_000));
            assert_eq!(parse(&text).nodes().len(), 1);
        }
    }
}

#[test]
fn indentation_is_compared_and_not_counted() {
    let tree = parse("   - list:\n        - listitem: a\n     - listitem: b\n- main\n");
    let depths: Vec<usize> = tree.nodes().iter().map(|node| node.depth).collect();
    assert_eq!(depths, [0, 1, 1, 0]);
}

#[test]
fn empty_lines_and_carriage_returns_are_nothing() {
    let tree = parse("\r\n- list:\r\n\r\n  - listitem: a\r\n   \n");
    assert_eq!(tree.nodes().len(), 2);
    assert_eq!(tree.nodes()[1].text.as_deref(), Some("a"));
    assert_eq!(tree.lines(), 5);
}

#[test]
fn an_empty_page_is_a_page_without_children() {
    let page = to_json(&parse(""));
    assert_eq!(
        page.to_string(),
        r#"{"role":"page","children":[],"nodes":[]}"#
    );
}
