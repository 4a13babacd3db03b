//! Expressions and pages meant to take all the time, memory or stack there is.

use serde_json::json;

use super::super::query::limits::{MAX_LENGTH, MAX_LINES, MAX_PARTS, MAX_SNAPSHOT};
use super::super::{Query, QueryError, query, query_text};

/// Runs in a thread with half the stack that blocking threads have.
fn in_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1024 * 1024);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

#[test]
fn an_expression_that_is_too_long_is_refused() {
    let fits = format!("'{}'", "x".repeat(MAX_LENGTH - 2));
    assert!(Query::compile(&fits).is_ok());
    let error = Query::compile(&format!("{fits} ")).unwrap_err();
    assert_eq!(
        error,
        QueryError::TooLong {
            length: MAX_LENGTH + 1,
            limit: MAX_LENGTH
        }
    );
    assert!(error.to_string().contains("ask for less at a time"));
}

#[test]
fn an_expression_with_too_many_parts_is_refused_before_it_is_parsed() {
    for piece in [
        "(", "[", "{a:", "!", "a.", "a[*].", "a||", "a&&", "a==", "a|", "a[?", "a[].", "*.", "a(",
        "& ", "a<",
    ] {
        let expression = piece.repeat(MAX_PARTS + 1);
        let refused = in_small_stack(|| Query::compile(&expression));
        assert!(
            matches!(refused, Err(QueryError::TooComplex { .. })),
            "{piece}"
        );
    }
}

#[test]
fn what_stands_in_quotes_is_not_a_part() {
    for quoted in ["'%\\'%'", "`\"%\\\\%\\`\"`", "\"%\\\"%\""] {
        let expression = quoted.replace('%', &"[".repeat(1_000));
        assert!(Query::compile(&expression).is_ok(), "{quoted}");
    }
}

#[test]
fn an_expression_as_deep_as_is_allowed_fits_a_small_stack() {
    let nested = |open: &str, close: &str, each: usize| {
        let times = MAX_PARTS / each;
        format!("{}a{}", open.repeat(times), close.repeat(times))
    };
    let expressions = [
        nested("(", ")", 1),
        nested("[", "]", 1),
        nested("{a:", "}", 1),
        nested("!", "", 1),
        nested("a.", "", 1),
        nested("[*].", "", 3),
        nested("a[*].", "", 3),
        nested("*.", "", 2),
        nested("@[?", "]", 1),
        nested("b||", "", 1),
        nested("a|", "", 1),
        nested("a==", "", 1),
        nested("to_array(", ")", 1),
        nested("map(&", ", [@])", 3),
        nested("[@]|", "", 2),
    ];
    for expression in expressions {
        let answer = in_small_stack(|| query(json!({"a": {"a": [1]}}), &expression));
        let stopped = matches!(
            answer,
            Err(QueryError::Syntax { .. } | QueryError::TooComplex { .. })
        );
        assert!(!stopped, "{expression}: {answer:?}");
    }
}

#[test]
fn expressions_that_would_never_end_are_stopped() {
    let repeated = |piece: &str, times: usize| vec![piece; times].join("|");
    let bombs = [
        // Lists that double.
        repeated("[@,@][]", 40),
        // Small in memory, endless when written out.
        repeated("[@,@]", 60),
        format!("{}|to_string(@)", repeated("[@,@]", 60)),
        // Endless to compare.
        format!("{0}|[0]==[1]", repeated("[@,@]", 60)),
        // Strings that double.
        format!("'xxxxxxxx'|{}", repeated("join(@,[@,@])", 40)),
        // Lists in lists, each visited once more.
        format!("{}|[][][][][][]", repeated("[@,@,@,@,@,@,@,@]", 12)),
        format!(
            "{}|{}",
            repeated("[@,@][]", 16),
            "map(&map(&map(&@, [@,@]), [@,@]), @)|[][][]|[@,@,@,@,@,@,@,@][]|[@,@,@,@,@,@,@,@][]"
        ),
    ];
    for bomb in bombs {
        let answer = query(json!([1]), &bomb);
        assert_eq!(answer, Err(QueryError::TooCostly), "{bomb}");
    }
}

#[test]
fn work_on_each_pair_of_a_long_list_is_stopped() {
    let items: Vec<_> = (0..20_000).map(|at| json!({"n": at})).collect();
    let page = json!({"items": items});
    // Every item is given the whole list, and looks through it.
    let answer = query(page.clone(), "[items] | [*].[@,@,@,@] | [][] | length(@)");
    assert_eq!(answer, Ok(json!(80_000)));
    let pairs =
        "[items,items][] | map(&[n], @) | [@,@,@,@,@,@,@,@,@,@] | [].[@,@,@,@,@,@,@,@,@,@] | [][]";
    assert_eq!(query(page, pairs), Err(QueryError::TooCostly));
}

#[test]
fn a_page_that_is_too_large_is_refused_with_the_way_out() {
    let large = "x".repeat(MAX_SNAPSHOT + 1);
    let error = query_text(&large, "@").unwrap_err();
    assert!(matches!(
        error,
        QueryError::PageTooLarge { unit: "bytes", .. }
    ));
    assert!(error.to_string().contains("`offset` and `limit`"));
    let long = "\n".repeat(MAX_LINES);
    let error = query_text(&long, "@").unwrap_err();
    assert!(matches!(
        error,
        QueryError::PageTooLarge { unit: "lines", .. }
    ));
}

#[test]
fn a_page_as_long_as_is_allowed_can_be_asked() {
    let page = "- button \"Buy\" [ref=e1]\n".repeat(MAX_LINES - 1);
    let answer = query_text(
        &page,
        "nodes[?role=='button' && name=='Buy'].ref | length(@)",
    );
    assert_eq!(answer, Ok(json!(MAX_LINES - 1)));
}

#[test]
fn a_bad_expression_is_refused_before_the_page_is_read() {
    let large = "x".repeat(MAX_SNAPSHOT + 1);
    assert!(matches!(
        query_text(&large, "["),
        Err(QueryError::Syntax { .. })
    ));
}
