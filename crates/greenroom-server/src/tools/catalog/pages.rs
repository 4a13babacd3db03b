//! Moving between pages and tabs.

use super::super::row::{Kind, Param, Rule, Tool};
use super::shared::{ACTS, LOOKS};

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_navigate",
        title: "Open an address",
        description: "Open a web address.",
        params: &[Param::required("url", Kind::Url, "An http or https address").quiet()],
        example: r#"{"url":"https://example.com"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_navigate_back",
        title: "Go back",
        description: "Go back in history.",
        ..ACTS
    },
    Tool {
        name: "browser_tabs",
        title: "Tabs",
        description: "List, open, close or select tabs.",
        params: &[
            Param::required(
                "action",
                Kind::Choice(&["list", "new", "close", "select"]),
                "What to do",
            )
            .quiet(),
            Param::optional(
                "index",
                Kind::Whole { min: Some(0) },
                "The tab to close or select, as numbered by list; close without it closes the current one",
            )
            .quiet(),
            Param::optional("url", Kind::Url, "What a new tab opens").quiet(),
        ],
        rules: &[Rule::Needs {
            when: "action",
            is: "select",
            needs: "index",
        }],
        example: r#"{"action":"list"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_wait_for",
        title: "Wait",
        description: "Wait for text to appear or vanish, or for a time.",
        params: &[
            Param::optional("time", Kind::Number { min: Some(0) }, "Seconds, up to 30"),
            Param::optional("text", Kind::Text, "Text that must appear").quiet(),
            Param::optional("textGone", Kind::Text, "Text that must vanish").quiet(),
        ],
        rules: &[Rule::AtLeastOne(&["time", "text", "textGone"])],
        example: r#"{"text":"Welcome"}"#,
        ..LOOKS
    },
    Tool {
        name: "browser_close",
        title: "Close the page",
        description: "Close the current page.",
        ..ACTS
    },
];
