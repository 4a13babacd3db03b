//! Scripts, and the conditions under which a page is shown.

use super::super::row::{Kind, Param, Rule, Tool};
use super::shared::{ACTS, ELEMENT, FILENAME};

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_evaluate",
        title: "Run JavaScript",
        description: "Run JavaScript in the page.",
        params: &[
            ELEMENT,
            Param::optional(
                "target",
                Kind::Text,
                "Ref or selector of what the function gets",
            )
            .quiet(),
            Param::required("function", Kind::Text, "() => … or (element) => …"),
            FILENAME,
        ],
        example: r#"{"function":"() => document.title"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_run_code_unsafe",
        title: "Run Playwright code (unsafe)",
        description: "Run Playwright code in the engine's own process.",
        params: &[
            Param::optional("code", Kind::Text, "async (page) => …"),
            Param::optional("filename", Kind::Text, "Read the code from this file").quiet(),
        ],
        rules: &[Rule::AtLeastOne(&["code", "filename"])],
        guarded: true,
        example: r#"{"code":"async (page) => page.title()"}"#,
        ..ACTS
    },
    Tool {
        name: "browser_resize",
        title: "Resize the window",
        description: "Set the window size.",
        params: &[
            Param::required("width", Kind::Whole { min: Some(1) }, "In CSS pixels").quiet(),
            Param::required("height", Kind::Whole { min: Some(1) }, "In CSS pixels").quiet(),
        ],
        example: r#"{"width":1280,"height":720}"#,
        ..ACTS
    },
    Tool {
        name: "browser_emulate_media",
        title: "Emulate media features",
        description: "Set CSS media features; null resets one.",
        params: &[
            Param::optional(
                "colorScheme",
                Kind::Choice(&["light", "dark"]),
                "prefers-color-scheme",
            )
            .quiet()
            .nullable(),
            Param::optional(
                "reducedMotion",
                Kind::Choice(&["reduce", "no-preference"]),
                "prefers-reduced-motion",
            )
            .quiet()
            .nullable(),
            Param::optional(
                "forcedColors",
                Kind::Choice(&["active", "none"]),
                "forced-colors",
            )
            .quiet()
            .nullable(),
            Param::optional(
                "contrast",
                Kind::Choice(&["more", "no-preference"]),
                "prefers-contrast",
            )
            .quiet()
            .nullable(),
            Param::optional(
                "media",
                Kind::Choice(&["screen", "print"]),
                "The media type",
            )
            .quiet()
            .nullable(),
        ],
        rules: &[Rule::AtLeastOne(&[
            "colorScheme",
            "reducedMotion",
            "forcedColors",
            "contrast",
            "media",
        ])],
        example: r#"{"colorScheme":"dark"}"#,
        ..ACTS
    },
];
