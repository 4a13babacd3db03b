//! Queries that have answers.

use serde_json::{Value, json};

use super::super::{Query, parse, query, query_text, to_json};
use super::{FORMS, FRAMES, TABLE};

#[test]
fn queries_answer_with_names_refs_states_and_texts() {
    let rows: &[(&str, &str, Value)] = &[
        (
            FORMS,
            "nodes[?role=='button' && disabled].ref",
            json!(["e24"]),
        ),
        (
            FORMS,
            "nodes[?checked=='mixed'].{n: name, r: ref}",
            json!([{"n": "Some", "r": "e12"}]),
        ),
        (FORMS, "nodes[?role=='spinbutton'].text | [0]", json!("42")),
        (
            FORMS,
            "nodes[?placeholder].placeholder",
            json!(["you@example.com: work", "say \"hi\""]),
        ),
        (
            FORMS,
            "nodes[?name=='Note'].text",
            json!(["first line second: line"]),
        ),
        (
            FORMS,
            "nodes[?role=='textbox' && !text].ref",
            json!(["e6", "e27"]),
        ),
        (FORMS, "nodes[?active].ref", json!(["e25"])),
        (
            TABLE,
            "nodes[?role=='link'].url",
            json!(["/a?x=1#y", "https://example.com/: b", "", "/t", "/x"]),
        ),
        (
            TABLE,
            "nodes[?role=='link' && contains(url || '', 'example')].name",
            json!(["B: b"]),
        ),
        (
            TABLE,
            "nodes[?role=='heading' && level<=`2`].name",
            json!(["Top"]),
        ),
        (TABLE, "length(nodes[?role=='row'])", json!(3)),
        (
            TABLE,
            "nodes[?role=='cell'][].name",
            json!(["Tea", "3.50", "null"]),
        ),
        (
            FRAMES,
            "nodes[?starts_with(ref || '', 'f6')].role",
            json!(["paragraph", "link"]),
        ),
        (FRAMES, "max_by(nodes, &depth).role", json!("paragraph")),
        (FRAMES, "nodes[?role=='nothing']", json!([])),
        (FRAMES, "no.such.thing", Value::Null),
        (FRAMES, "role", json!("page")),
    ];
    for (page, expression, expected) in rows {
        assert_eq!(
            query_text(page, expression).as_ref(),
            Ok(expected),
            "{expression}"
        );
    }
}

#[test]
fn the_queries_of_the_documentation_all_run() {
    let documented = include_str!("../tree/json.rs");
    let block = documented.split("/// ```text\n").nth(1).unwrap();
    let block = block.split("/// ```").next().unwrap();
    let expressions: Vec<&str> = block
        .lines()
        .map(|line| line.trim_start_matches("/// "))
        .collect();
    assert_eq!(expressions.len(), 5);
    for expression in expressions {
        for page in [FORMS, TABLE, FRAMES, super::ODD] {
            let answer = query_text(page, expression);
            assert!(
                matches!(answer, Ok(Value::Array(_) | Value::Number(_))),
                "{expression}: {answer:?}"
            );
        }
    }
}

#[test]
fn a_compiled_query_runs_over_many_pages() {
    let links = Query::compile("length(nodes[?role=='link'])").unwrap();
    assert_eq!(links.run(to_json(&parse(TABLE))), Ok(json!(5)));
    assert_eq!(links.run(to_json(&parse(FORMS))), Ok(json!(0)));
}

#[test]
fn any_json_can_be_asked() {
    assert_eq!(query(json!({"a": [1, 2.5, null]}), "a[1]"), Ok(json!(2.5)));
}

#[test]
fn slices_go_both_ways_and_past_every_end() {
    let rows: &[(&str, Value)] = &[
        ("@[1:3]", json!([1, 2])),
        ("@[:-1]", json!([0, 1, 2, 3])),
        ("@[::2]", json!([0, 2, 4])),
        ("@[::-1]", json!([4, 3, 2, 1, 0])),
        ("@[3:0:-2]", json!([3, 1])),
        ("@[-100:100]", json!([0, 1, 2, 3, 4])),
        ("@[1::2147483647]", json!([1])),
        ("@[3::-2147483647]", json!([3])),
        ("@[9:]", json!([])),
    ];
    for (expression, expected) in rows {
        let answer = query(json!([0, 1, 2, 3, 4]), expression);
        assert_eq!(answer.as_ref(), Ok(expected), "{expression}");
    }
}
