//! Reading the page and what happened in it.

use super::super::row::{Kind, Literal, Param, Rule, Tool};
use super::shared::{ELEMENT, FILENAME, LOOKS, TARGET_OR_PAGE};

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_snapshot",
        title: "Page snapshot",
        description: "Page as a tree of elements with refs, the targets of other tools.",
        params: &[
            TARGET_OR_PAGE,
            FILENAME,
            Param::optional(
                "depth",
                Kind::Whole { min: None },
                "Levels of the tree to show",
            )
            .quiet(),
            Param::optional(
                "boxes",
                Kind::Boolean,
                "Add [box=x,y,width,height] to every element",
            )
            .quiet(),
        ],
        ..LOOKS
    },
    Tool {
        name: "browser_find",
        title: "Find in the page",
        description: "Search the snapshot by text or regex (/x/i): matches with refs and context.",
        params: &[
            Param::optional("text", Kind::Text, "Text to look for, in any case").quiet(),
            Param::optional(
                "regex",
                Kind::Text,
                "Pattern to look for; /pattern/i ignores case",
            )
            .quiet(),
            FILENAME,
        ],
        rules: &[Rule::ExactlyOne(&["text", "regex"])],
        example: r#"{"text":"Sign in"}"#,
        ..LOOKS
    },
    Tool {
        name: "browser_take_screenshot",
        title: "Screenshot",
        description: "Picture of the page or an element.",
        params: &[
            ELEMENT,
            TARGET_OR_PAGE,
            Param::optional(
                "type",
                Kind::Choice(&["png", "jpeg", "webp"]),
                "Image format; left out: as the file name says, else png",
            )
            .quiet(),
            FILENAME,
            Param::optional("fullPage", Kind::Boolean, "The whole scrollable page").quiet(),
            Param::defaulted(
                "scale",
                Kind::Choice(&["css", "device"]),
                Literal::Text("css"),
                "Size in CSS pixels, or in the finer ones of the device",
            )
            .quiet(),
        ],
        rules: &[Rule::NotTogether("fullPage", "target")],
        ..LOOKS
    },
    Tool {
        name: "browser_console_messages",
        title: "Console messages",
        description: "Console messages of the page.",
        params: &[
            Param::defaulted(
                "level",
                Kind::Choice(&["error", "warning", "info", "debug"]),
                Literal::Text("info"),
                "This and graver",
            ),
            Param::optional("all", Kind::Boolean, "Also from earlier pages"),
            FILENAME,
        ],
        example: r#"{"level":"error"}"#,
        ..LOOKS
    },
    Tool {
        name: "browser_network_requests",
        title: "Network requests",
        description: "Numbered list of the page's requests.",
        params: &[
            Param::defaulted(
                "static",
                Kind::Boolean,
                Literal::Bool(false),
                "Also images, scripts",
            ),
            Param::optional("filter", Kind::Text, "Regex for the URL"),
            FILENAME,
        ],
        example: r#"{"filter":"/api/"}"#,
        ..LOOKS
    },
    Tool {
        name: "browser_network_request",
        title: "One network request",
        description: "Headers and bodies of one request.",
        params: &[
            Param::required(
                "index",
                Kind::Integer { min: Some(1) },
                "From browser_network_requests",
            ),
            Param::optional(
                "part",
                Kind::Choice(&[
                    "request-headers",
                    "request-body",
                    "response-headers",
                    "response-body",
                ]),
                "Only this part; left out: everything",
            )
            .quiet(),
            FILENAME,
        ],
        example: r#"{"index":1}"#,
        ..LOOKS
    },
];
