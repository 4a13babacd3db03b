//! The walk means what the crate's own interpreter means, on whatever ends within the budget.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::query;

fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("@".to_owned()),
        prop::sample::select(vec!["a", "b", "c", "s", "n", "none"]).prop_map(str::to_owned),
        prop::sample::select(vec![
            "'x'",
            "'xy'",
            "`1`",
            "`2.5`",
            "`null`",
            "`[]`",
            "`[1,[2]]`",
            "`{\"a\": 1}`",
            "`true`"
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let one = inner.clone();
        let function = prop::sample::select(vec![
            "length",
            "keys",
            "values",
            "type",
            "to_array",
            "to_string",
            "to_number",
            "reverse",
            "sort",
            "sum",
            "max",
            "min",
            "abs",
            "avg",
            "ceil",
            "floor",
            "not_null",
            "merge",
        ]);
        let pair = prop::sample::select(vec!["contains", "starts_with", "ends_with", "join"]);
        let by = prop::sample::select(vec!["sort_by", "min_by", "max_by"]);
        let operator =
            prop::sample::select(vec!["||", "&&", "==", "!=", "<", "<=", ">", ">=", "|"]);
        let step = prop::sample::select(vec![
            ".a",
            ".b",
            "[*]",
            "[]",
            "[0]",
            "[-1]",
            ".*",
            "[?a]",
            "[?n>`1`]",
            "[1:]",
            "[::-1]",
            "[*].n",
            "[*].[a,n]",
        ]);
        prop_oneof![
            (one.clone(), step).prop_map(|(one, step)| format!("{one}{step}")),
            (one.clone(), operator, inner.clone()).prop_map(|(l, o, r)| format!("({l} {o} {r})")),
            one.clone().prop_map(|one| format!("!{one}")),
            (one.clone(), inner.clone()).prop_map(|(l, r)| format!("[{l}, {r}]")),
            (one.clone(), inner.clone()).prop_map(|(l, r)| format!("{{a: {l}, n: {r}}}")),
            (function, one.clone()).prop_map(|(name, one)| format!("{name}({one})")),
            (pair, one.clone(), inner.clone()).prop_map(|(name, l, r)| format!("{name}({l}, {r})")),
            (by, one.clone(), inner.clone()).prop_map(|(name, l, r)| format!("{name}({l}, &{r})")),
            (one, inner).prop_map(|(l, r)| format!("map(&{l}, {r})")),
        ]
    })
}

fn page() -> Value {
    json!({
        "a": [{"a": 1, "n": 3, "s": "x"}, {"a": [1, 2], "n": 1}, {"n": 2, "s": "xy"}, null, [5, [6]]],
        "b": {"a": {"b": [3, 1, 2]}, "n": -1.5},
        "c": ["y", "x", "xy"],
        "s": "xyz",
        "n": 7
    })
}

proptest! {
    #[test]
    fn an_expression_yields_what_the_crate_yields(expression in expressions()) {
        let theirs = jmespath::compile(&expression)
            .and_then(|compiled| compiled.search(page()))
            .map(|value| serde_json::to_value(&value).unwrap());
        let ours = query(page(), &expression);
        match (theirs, ours) {
            (Ok(theirs), Ok(ours)) => prop_assert_eq!(theirs, ours),
            (Err(_), Err(_)) => {}
            (theirs, ours) => prop_assert!(false, "{:?} and {:?}", theirs, ours),
        }
    }

    #[test]
    fn no_text_as_an_expression_panics(expression in "[-a-z@.*&|!=<>0-9'\"`\\\\ (){}\\[\\]:,?é]{0,60}") {
        let _ = query(page(), &expression);
    }
}
