//! The tree form agrees with the upstream's own JSON of the same page.

use serde_json::Value;

use super::super::{parse, to_json};
use super::{FORMS, FRAMES, ODD, TABLE};

/// The children of a page in the upstream's form: text between elements is a bare string.
fn upstream_form(page: &Value) -> Value {
    fn convert(node: &Value) -> Value {
        let mut node = node.clone();
        if let Some(children) = node.get_mut("children").and_then(Value::as_array_mut) {
            for child in children {
                *child = match child["role"].as_str() {
                    Some("text") => child["text"].clone(),
                    _ => convert(child),
                };
            }
        }
        node
    }
    page["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(convert)
        .collect()
}

fn agrees(text: &str, json: &str) {
    let expected: Value = serde_json::from_str(json).unwrap();
    let found = upstream_form(&to_json(&parse(text)));
    assert_eq!(found, expected, "{found:#}");
}

#[test]
fn a_page_with_forms_reads_as_the_upstream_means_it() {
    agrees(FORMS, include_str!("../fixtures/forms.json"));
}

#[test]
fn a_page_with_a_table_reads_as_the_upstream_means_it() {
    agrees(TABLE, include_str!("../fixtures/table.json"));
}

#[test]
fn a_page_with_frames_reads_as_the_upstream_means_it() {
    agrees(FRAMES, include_str!("../fixtures/frames.json"));
}

#[test]
fn a_page_with_odd_names_reads_as_the_upstream_means_it() {
    agrees(ODD, include_str!("../fixtures/odd.json"));
}

#[test]
fn the_flat_list_is_the_tree_without_what_says_nothing() {
    let page = to_json(&parse(TABLE));
    let nodes = page["nodes"].as_array().unwrap();
    let roles: Vec<&str> = nodes
        .iter()
        .map(|node| node["role"].as_str().unwrap())
        .collect();
    assert_eq!(&roles[..4], ["banner", "heading", "navigation", "list"]);
    assert!(!roles.contains(&"text"));
    // The code block is a generic element, and it has text; the body of the page has none.
    let generic: Vec<&Value> = nodes
        .iter()
        .filter(|node| node["role"] == "generic")
        .collect();
    assert_eq!(generic.len(), 1);
    assert_eq!(generic[0]["text"], "code `x` more");
    assert!(nodes.iter().all(|node| node.get("children").is_none()));
}

#[test]
fn a_flat_node_has_the_text_between_its_children() {
    let page = to_json(&parse(TABLE));
    let nodes = page["nodes"].as_array().unwrap();
    let paragraph = nodes
        .iter()
        .find(|node| node["role"] == "paragraph")
        .unwrap();
    assert_eq!(paragraph["text"], "Some bold and after.");
    assert_eq!(paragraph["depth"], 2);
}

#[test]
fn the_form_of_the_documentation_is_the_form_that_is_made() {
    let text = "- main [ref=e2]:\n  - heading \"Sign in\" [level=1] [ref=e3]\n  \
                - link \"Help\" [ref=e4] [cursor=pointer]:\n    - /url: /help\n  \
                - textbox \"E-mail\" [ref=e5]:\n    - /placeholder: you@example.com\n  - text: or\n";
    let documented = include_str!("../tree/json.rs");
    let block = documented.split("/// ```json\n").nth(1).unwrap();
    let block = block.split("/// ```").next().unwrap().replace("///", "");
    let expected: Value = serde_json::from_str(&block).unwrap();
    assert_eq!(to_json(&parse(text)), expected);
}
