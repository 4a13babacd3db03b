//! Reading answers again.

use super::super::row::{Handler, Kind, OwnTool, Param, Rule, Tool};
use super::shared::LOOKS;

const REF_ID: Param =
    Param::required("ref_id", Kind::Text, "From the closing line of an answer").quiet();

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "get_content",
        title: "Read an answer again",
        description: "Page or text of an answer by ref_id. Repeated reads of a page give nothing if unchanged, else the new text, or with mode diff the changed lines.",
        params: &[
            REF_ID,
            Param::optional(
                "search_for",
                Kind::Text,
                "Only lines that contain this, in any case",
            )
            .quiet(),
            Param::optional(
                "before_lines",
                Kind::Integer { min: Some(0) },
                "Lines before each hit",
            )
            .quiet(),
            Param::optional(
                "after_lines",
                Kind::Integer { min: Some(0) },
                "Lines after each hit",
            )
            .quiet(),
            Param::optional(
                "reset_cursor",
                Kind::Boolean,
                "Forget what you have read of this page",
            )
            .quiet(),
            Param::optional(
                "mode",
                Kind::Choice(&["changed", "diff", "full"]),
                "What to give of a page that you have read before; left out: changed",
            )
            .quiet(),
            Param::optional("offset", Kind::Integer { min: Some(0) }, "Lines to skip").quiet(),
            Param::optional(
                "limit",
                Kind::Integer { min: Some(1) },
                "Most lines to give, or hits of a search",
            )
            .quiet(),
            Param::optional(
                "unit",
                Kind::Choice(&["lines", "bytes"]),
                "What offset and limit count; left out: lines",
            )
            .quiet(),
            Param::optional(
                "query",
                Kind::Text,
                "JMESPath over the page, e.g. nodes[?role=='link'].{name:name,ref:ref}",
            ),
            Param::optional("since", Kind::Text, "Another ref_id: what differs from it"),
            Param::optional(
                "history",
                Kind::Boolean,
                "search_for in all pages of its session",
            ),
        ],
        rules: &[
            Rule::NotTogether("search_for", "query"),
            Rule::NotTogether("search_for", "since"),
            Rule::NotTogether("search_for", "offset"),
            Rule::NotTogether("query", "since"),
            Rule::NotTogether("query", "offset"),
            Rule::NotTogether("query", "limit"),
            Rule::NotTogether("since", "offset"),
            Rule::NotTogether("since", "limit"),
            Rule::Requires("history", "search_for"),
            Rule::Requires("before_lines", "search_for"),
            Rule::Requires("after_lines", "search_for"),
        ],
        open_world: false,
        handler: Handler::Own(OwnTool::GetContent),
        example: r#"{"ref_id":"01920000-0000-7000-8000-000000000000"}"#,
        ..LOOKS
    },
    Tool {
        name: "get_console_content",
        title: "Console messages of an answer",
        description: "Console messages that came with an answer, newest first.",
        params: &[
            REF_ID,
            Param::optional(
                "level",
                Kind::Choice(&["error", "warning", "info", "debug"]),
                "This and graver; left out: all",
            )
            .quiet(),
        ],
        open_world: false,
        handler: Handler::Own(OwnTool::GetConsoleContent),
        example: r#"{"ref_id":"01920000-0000-7000-8000-000000000000"}"#,
        ..LOOKS
    },
];
