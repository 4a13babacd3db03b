//! Many calls under one lease, and the state of the pools.

use super::super::row::{Handler, Kind, Literal, OwnTool, Param, Rule, Tool};
use super::shared::{ACTS, LOOKS};

/// One command of a bulk.
const COMMAND: Kind = Kind::Record(&[
    Param::required("tool", Kind::Text, "A browser tool").quiet(),
    Param::defaulted(
        "args",
        Kind::FreeObject,
        Literal::EmptyObject,
        "Its arguments",
    )
    .quiet(),
    Param::defaulted(
        "return_result",
        Kind::Boolean,
        Literal::Bool(false),
        "Whether its result is part of the answer",
    )
    .quiet(),
]);

const COUNT: Kind = Kind::Integer { min: None };

const HEALTH_CHECK: Kind = Kind::Record(&[
    Param::required("last_check", Kind::AnyText, "When it was last probed").nullable(),
    Param::required("responsive", Kind::Boolean, "Whether it answered"),
    Param::required("error", Kind::AnyText, "Why it did not").nullable(),
]);

const INSTANCE: Kind = Kind::Record(&[
    Param::required("id", Kind::AnyText, "Its number, as text"),
    Param::required("alias", Kind::AnyText, "Its other name").nullable(),
    Param::required(
        "status",
        Kind::Choice(&["starting", "healthy", "failed"]),
        "How it is",
    ),
    Param::required("leased", Kind::Boolean, "Whether somebody holds it"),
    Param::required("lease_duration_ms", COUNT, "For how long").nullable(),
    Param::required("lease_started_at", Kind::AnyText, "Since when").nullable(),
    Param::required("browser", Kind::AnyText, "Which browser it runs"),
    Param::required("headless", Kind::Boolean, "Whether it has no window"),
    Param::required("process_id", COUNT, "Its process, while it lives").nullable(),
    Param::required("health_check", HEALTH_CHECK, "The last probe"),
]);

const POOL: Kind = Kind::Record(&[
    Param::required("name", Kind::AnyText, "Its name"),
    Param::required("description", Kind::AnyText, "What it is for").nullable(),
    Param::required(
        "is_default",
        Kind::Boolean,
        "Whether calls without a pool go here",
    ),
    Param::required("total_instances", COUNT, "All of its browsers"),
    Param::required("healthy_instances", COUNT, "Those that answer"),
    Param::required("leased_instances", COUNT, "Those that somebody holds"),
    Param::required("available_instances", COUNT, "Healthy and not leased"),
    Param::required("instances", Kind::List(&INSTANCE), "One by one"),
]);

const SUMMARY: Kind = Kind::Record(&[
    Param::required("total_pools", COUNT, "Pools"),
    Param::required("total_instances", COUNT, "Browsers of all pools"),
    Param::required("healthy_instances", COUNT, "Those that answer"),
    Param::required("failed_instances", COUNT, "Those that failed"),
    Param::required("leased_instances", COUNT, "Those that somebody holds"),
    Param::required("available_instances", COUNT, "Healthy and not leased"),
]);

pub(super) static ROWS: &[Tool] = &[
    Tool {
        name: "browser_execute_bulk",
        title: "Run several commands",
        description: "Run browser tools in order in one browser; all are checked first.",
        params: &[
            Param::required("commands", Kind::List(&COMMAND), "What to run, in order").quiet(),
            Param::defaulted(
                "stop_on_error",
                Kind::Boolean,
                Literal::Bool(true),
                "Whether a failure leaves the rest out",
            )
            .quiet(),
            Param::defaulted(
                "return_all_results",
                Kind::Boolean,
                Literal::Bool(false),
                "As if every command said return_result",
            )
            .quiet(),
        ],
        rules: &[Rule::NotEmpty("commands")],
        handler: Handler::Bulk,
        example: r#"{"commands":[{"tool":"browser_navigate","args":{"url":"https://example.com"}},{"tool":"browser_snapshot","return_result":true}]}"#,
        ..ACTS
    },
    Tool {
        name: "browser_pool_status",
        title: "Pool status",
        description: "Health and leases of pools and browsers.",
        params: &[Param::optional("pool_name", Kind::Text, "Only this pool").quiet()],
        open_world: false,
        handler: Handler::Own(OwnTool::PoolStatus),
        output: Some(&[
            Param::required("pools", Kind::List(&POOL), "Pool by pool"),
            Param::required("summary", SUMMARY, "All pools together"),
        ]),
        ..LOOKS
    },
];
