//! What holds for any text and any page.

use proptest::prelude::*;

use super::super::{Outline, Tree, parse, query_text, to_json};
use super::printer::{Element, print};

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{1,12}",
        "[- :#'\"\\[\\]{}`&*!|>%@,?=\\\\a-z0-9\n\t\u{1}\u{7f}\u{85}é🎉]{1,16}",
        any::<String>(),
    ]
}

fn elements() -> impl Strategy<Value = Vec<Element>> {
    let leaf = (
        prop::sample::select(vec!["button", "link", "generic", "doc-part"]),
        prop::option::of(words()),
        prop::option::of("f?[0-9]?e[0-9]{1,3}"),
        prop::option::of(words()),
        prop::option::of(words()),
    )
        .prop_map(|(role, name, reference, url, text)| Element {
            role: role.to_owned(),
            name,
            reference,
            url,
            text,
            children: Vec::new(),
        });
    let tree = leaf.prop_recursive(6, 40, 5, |inner| {
        (inner.clone(), prop::collection::vec(inner, 1..5)).prop_map(|(mut parent, children)| {
            parent.text = None;
            parent.children = children;
            parent
        })
    });
    prop::collection::vec(tree, 0..4)
}

/// Role, name, ref, url, text and depth of every element, in document order.
type Row = (
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    usize,
);

fn rows_of_elements(elements: &[Element], depth: usize, rows: &mut Vec<Row>) {
    for element in elements {
        let Element {
            role,
            name,
            reference,
            url,
            text,
            children,
        } = element.clone();
        rows.push((role, name, reference, url, text, depth));
        rows_of_elements(&children, depth + 1, rows);
    }
}

fn rows_of_tree(tree: &Tree<'_>) -> Vec<Row> {
    let own = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let row = |node: &super::super::Node<'_>| {
        let (name, reference) = (own(&node.name), own(&node.reference));
        (
            node.role().to_owned(),
            name,
            reference,
            own(&node.url),
            own(&node.text),
            node.depth,
        )
    };
    tree.nodes().iter().map(row).collect()
}

/// Text of lines that are nearly of the dialect.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "- ",
        "button",
        " \"",
        "\"",
        " [",
        "]",
        "ref=e1",
        "level=2",
        ":",
        ": ",
        "'",
        "''",
        "\\",
        "\\u",
        "d83c",
        "\\x",
        "/url: ",
        "/placeholder: ",
        "text",
        "\n",
        "\n  ",
        "\n    ",
        "é",
        " ",
        "\r\n",
        "checked",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_page_that_is_written_reads_as_it_was_meant(elements in elements()) {
        let text = print(&elements);
        let mut expected = Vec::new();
        rows_of_elements(&elements, 0, &mut expected);
        prop_assert_eq!(rows_of_tree(&parse(&text)), expected, "{}", text);
    }

    #[test]
    fn any_text_has_a_tree_a_form_and_an_outline(text in prop_oneof![any::<String>(), nearly()]) {
        let tree = parse(&text);
        prop_assert!(tree.nodes().len() <= text.lines().count());
        let listed = to_json(&tree)["nodes"].as_array().map_or(0, Vec::len);
        prop_assert!(listed <= tree.nodes().len());
        prop_assert!(Outline::of(&tree).to_text().len() <= 2_048);
        prop_assert_eq!(Outline::of(&tree).counts, Outline::of_text(&text).counts);
    }

    #[test]
    fn the_outline_of_a_tree_is_the_outline_of_its_text(elements in elements()) {
        let text = print(&elements).replace("doc-part", "heading");
        prop_assert_eq!(Outline::of(&parse(&text)), Outline::of_text(&text));
    }

    #[test]
    fn parents_stand_before_their_children_and_one_less_deep(text in nearly()) {
        let tree = parse(&text);
        for (at, node) in tree.nodes().iter().enumerate() {
            match node.parent {
                Some(parent) => {
                    prop_assert!(parent < at);
                    prop_assert_eq!(tree.nodes()[parent].depth + 1, node.depth);
                }
                None => prop_assert_eq!(node.depth, 0),
            }
        }
    }

    #[test]
    fn no_line_is_lost(lines in prop::collection::vec("[a-z]{1,8}|- button \"[a-z]{1,8}\"", 0..20)) {
        let text = lines.join("\n");
        let tree = parse(&text);
        let said: Vec<&str> = tree
            .nodes()
            .iter()
            .map(|node| node.name.as_deref().or(node.text.as_deref()).unwrap_or_default())
            .collect();
        let expected: Vec<&str> = lines
            .iter()
            .map(|line| line.trim_start_matches("- button ").trim_matches('"'))
            .collect();
        prop_assert_eq!(said, expected);
    }

    #[test]
    fn the_tree_and_the_list_name_the_same_refs(elements in elements()) {
        let text = print(&elements);
        let tree = parse(&text);
        let in_list = query_text(&text, "nodes[?role!='generic'].ref").unwrap();
        let in_tree: Vec<&str> = tree
            .nodes()
            .iter()
            .filter(|node| node.role() != "generic")
            .filter_map(|node| node.reference.as_deref())
            .collect();
        prop_assert_eq!(in_list, serde_json::json!(in_tree));
    }
}
