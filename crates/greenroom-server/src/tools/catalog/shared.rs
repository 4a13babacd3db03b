//! What many rows have in common, said once.

use super::super::row::{Effect, Handler, Kind, Param, Tool};

/// A browser tool that does something to the page or the world behind it.
pub(super) const ACTS: Tool = Tool {
    name: "",
    title: "",
    description: "",
    params: &[],
    rules: &[],
    effect: Effect::Acts,
    destructive: true,
    open_world: true,
    guarded: false,
    handler: Handler::Browser,
    example: "{}",
    output: None,
};

/// A browser tool that only looks.
pub(super) const LOOKS: Tool = Tool {
    effect: Effect::Reads,
    destructive: false,
    ..ACTS
};

/// The element to act on.
pub(super) const TARGET: Param = Param::required("target", Kind::Text, "Ref or selector");

/// The element to look at, where the whole page is the default.
pub(super) const TARGET_OR_PAGE: Param = Param::optional(
    "target",
    Kind::Text,
    "Snapshot ref or selector; left out: the whole page",
)
.quiet();

/// The element in words, for whoever approves or reads the call.
pub(super) const ELEMENT: Param = Param::optional(
    "element",
    Kind::Text,
    "The element in words, for whoever reads along",
)
.quiet();

/// Output into a file.
pub(super) const FILENAME: Param = Param::optional(
    "filename",
    Kind::Text,
    "Save the output as this file instead of answering with it",
)
.quiet();
