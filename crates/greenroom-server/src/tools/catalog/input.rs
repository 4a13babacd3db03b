//! Mouse and keyboard.

use super::super::row::{Kind, Param, Tool};
use super::shared::{ACTS, ELEMENT, TARGET};

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_click",
        title: "Click",
        description: "Click an element.",
        params: &[
            ELEMENT,
            TARGET,
            Param::optional("doubleClick", Kind::Boolean, "Click twice").quiet(),
            Param::optional(
                "button",
                Kind::Choice(&["left", "right", "middle"]),
                "Mouse button; left out: left",
            )
            .quiet(),
            Param::optional(
                "modifiers",
                Kind::List(&Kind::Choice(&[
                    "Alt",
                    "Control",
                    "ControlOrMeta",
                    "Meta",
                    "Shift",
                ])),
                "Keys held down meanwhile",
            )
            .quiet(),
        ],
        example: r#"{"target":"e12"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_hover",
        title: "Hover",
        description: "Move the mouse over an element.",
        params: &[ELEMENT, TARGET],
        example: r#"{"target":"e12"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_drag",
        title: "Drag",
        description: "Drag one element onto another.",
        params: &[
            Param::optional("startElement", Kind::Text, "The dragged element in words").quiet(),
            Param::required(
                "startTarget",
                Kind::Text,
                "Ref or selector of the dragged element",
            )
            .quiet(),
            Param::optional("endElement", Kind::Text, "The other element in words").quiet(),
            Param::required(
                "endTarget",
                Kind::Text,
                "Ref or selector of the other element",
            )
            .quiet(),
        ],
        example: r#"{"startTarget":"e12","endTarget":"e34"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_type",
        title: "Type text",
        description: "Put text into an editable element.",
        params: &[
            ELEMENT,
            TARGET,
            Param::required(
                "text",
                Kind::AnyText,
                "What to type; empty text clears the element",
            )
            .quiet(),
            Param::optional("submit", Kind::Boolean, "Then press Enter"),
            Param::optional("slowly", Kind::Boolean, "Key by key"),
        ],
        example: r#"{"target":"e12","text":"hello"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_press_key",
        title: "Press a key",
        description: "Press a key.",
        params: &[Param::required("key", Kind::Text, "a, Enter, ArrowLeft…")],
        example: r#"{"key":"Enter"}"#,
        ..ACTS
    },
];
