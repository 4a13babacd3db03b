//! Forms, files and dialogs.

use super::super::row::{Kind, Param, Rule, Tool};
use super::shared::{ACTS, ELEMENT, TARGET};

/// One field of a form.
const FIELD: Kind = Kind::Record(&[
    ELEMENT,
    TARGET,
    Param::required("name", Kind::Text, "The field in words").quiet(),
    Param::required(
        "type",
        Kind::Choice(&["textbox", "checkbox", "radio", "combobox", "slider"]),
        "What kind of field it is",
    )
    .quiet(),
    Param::required("value", Kind::AnyText, "Text, true/false or option label"),
]);

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_fill_form",
        title: "Fill a form",
        description: "Fill several fields at once.",
        params: &[Param::required("fields", Kind::List(&FIELD), "The fields, in order").quiet()],
        example: r#"{"fields":[{"target":"e12","name":"Email","type":"textbox","value":"a@example.com"}]}"#,
        ..ACTS
    },
    Tool {
        name: "browser_select_option",
        title: "Select options",
        description: "Choose options of a dropdown.",
        params: &[
            ELEMENT,
            TARGET,
            Param::required(
                "values",
                Kind::List(&Kind::AnyText),
                "Values or labels of options",
            )
            .quiet(),
        ],
        example: r#"{"target":"e12","values":["Blue"]}"#,
        ..ACTS
    },
    Tool {
        name: "browser_file_upload",
        title: "Upload files",
        description: "Give files to the open file chooser; no paths: cancel.",
        params: &[Param::optional(
            "paths",
            Kind::List(&Kind::Text),
            "Absolute paths; left out: cancel",
        )
        .quiet()],
        example: r#"{"paths":["/data/photo.png"]}"#,
        ..ACTS
    },
    Tool {
        name: "browser_drop",
        title: "Drop files or data",
        description: "Drop files or data on an element.",
        params: &[
            ELEMENT,
            TARGET,
            Param::optional("paths", Kind::List(&Kind::Text), "Absolute paths of files").quiet(),
            Param::optional("data", Kind::TextMap, "MIME type to content"),
        ],
        rules: &[Rule::AtLeastOne(&["paths", "data"])],
        example: r#"{"target":"e12","data":{"text/plain":"hello"}}"#,
        ..ACTS
    },
    Tool {
        name: "browser_handle_dialog",
        title: "Answer a dialog",
        description: "Accept or dismiss the open dialog.",
        params: &[
            Param::required("accept", Kind::Boolean, "Whether to accept it").quiet(),
            Param::optional("promptText", Kind::AnyText, "The answer to a prompt").quiet(),
        ],
        example: r#"{"accept":true}"#,
        ..ACTS
    },
];
