//! A shop with 900 items: the size of page that queries and outlines are for.

use serde_json::json;

use super::super::{Outline, query_text};

fn shop() -> String {
    let mut text = String::from(
        "- main [ref=e1]:\n  - heading \"Items\" [level=1] [ref=e2]\n  - list [ref=e3]:\n",
    );
    for item in 0..900 {
        let at = 4 + item * 3;
        text.push_str(&format!("    - listitem [ref=e{at}]:\n"));
        text.push_str(&format!(
            "      - link \"Item {item}\" [ref=e{}] [cursor=pointer]:\n",
            at + 1
        ));
        text.push_str(&format!("        - /url: /i/{item}\n"));
        text.push_str(&format!(
            "      - button \"Buy {item}\" [ref=e{}]\n",
            at + 2
        ));
    }
    text
}

#[test]
fn one_item_of_900_is_found_with_its_ref() {
    let answer = query_text(&shop(), "nodes[?name=='Buy 512'].{name: name, ref: ref}");
    assert_eq!(answer, Ok(json!([{"name": "Buy 512", "ref": "e1542"}])));
}

#[test]
fn the_tree_itself_can_be_walked() {
    let expression = "children[0].children[?role=='list'] | [0].children[-1].children[0].url";
    assert_eq!(query_text(&shop(), expression), Ok(json!("/i/899")));
}

#[test]
fn all_900_can_be_counted_sorted_and_cut() {
    assert_eq!(
        query_text(&shop(), "length(nodes[?role=='button'])"),
        Ok(json!(900))
    );
    let expression = "sort_by(nodes[?role=='link'], &name)[-2:].name";
    assert_eq!(
        query_text(&shop(), expression),
        Ok(json!(["Item 98", "Item 99"]))
    );
}

#[test]
fn the_whole_page_can_be_asked_for() {
    let answer = query_text(&shop(), "@").unwrap();
    assert_eq!(answer["nodes"].as_array().unwrap().len(), 2_703);
}

#[test]
fn the_outline_of_900_items_is_a_few_lines() {
    let text = Outline::of_text(&shop()).to_text();
    assert_eq!(
        text,
        "3603 lines: 900 links, 900 buttons, 1 list\nLandmarks:\n- main [ref=e1]\nHeadings:\n\
         - heading \"Items\" [level=1] [ref=e2]\n"
    );
}
