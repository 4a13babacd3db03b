//! Sessions: worlds of an agent's own.

use super::super::row::{Handler, Kind, OwnTool, Param, Tool};
use super::shared::{ACTS, LOOKS};

const STATE: Kind = Kind::Choice(&["active", "parked", "closed", "error"]);

/// One session in a list. Where it lives and how many tabs it has may be unknown while
/// no browser holds it.
const SESSION: Kind = Kind::Record(&[
    Param::required("session_id", Kind::AnyText, "Its id"),
    Param::required("state", STATE, "How it is"),
    Param::required("label", Kind::AnyText, "What its owner calls it").nullable(),
    Param::required("browser_pool", Kind::AnyText, "The pool it belongs to"),
    Param::required(
        "browser_instance",
        Kind::AnyText,
        "The browser that it holds",
    )
    .nullable(),
    Param::required("tab_count", Kind::Integer { min: None }, "Its tabs").nullable(),
    Param::required(
        "idle_seconds",
        Kind::Number { min: None },
        "Time since its last call",
    ),
]);

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "create_new_session",
        title: "New session",
        description: "Open an isolated session; pass its session_id to browser tools.",
        params: &[
            Param::optional(
                "browser_pool",
                Kind::Text,
                "Its pool; left out: the default pool",
            )
            .quiet(),
            Param::optional("label", Kind::Text, "What you call it").quiet(),
            Param::optional(
                "storage_state",
                Kind::FreeObject,
                "Playwright storage state",
            ),
        ],
        destructive: false,
        open_world: false,
        handler: Handler::Own(OwnTool::CreateSession),
        output: Some(&[
            Param::required("session_id", Kind::AnyText, "What to pass on"),
            Param::required("browser_pool", Kind::AnyText, "The pool it belongs to"),
        ]),
        ..ACTS
    },
    Tool {
        name: "list_sessions",
        title: "List sessions",
        description: "Your sessions and their states.",
        open_world: false,
        handler: Handler::Own(OwnTool::ListSessions),
        output: Some(&[
            Param::required("sessions", Kind::List(&SESSION), "Session by session"),
            Param::required(
                "active_sessions",
                Kind::Integer { min: None },
                "How many hold a browser",
            ),
        ]),
        ..LOOKS
    },
    Tool {
        name: "close_session",
        title: "Close a session",
        description: "Close a session for good.",
        params: &[Param::required("session_id", Kind::SessionId, "The session to close").quiet()],
        open_world: false,
        handler: Handler::Own(OwnTool::CloseSession),
        example: r#"{"session_id":"dark-mode-test"}"#,
        ..ACTS
    },
];
