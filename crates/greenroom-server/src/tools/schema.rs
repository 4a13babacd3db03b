//! Rows as the JSON that clients see in `tools/list`.
//!
//! The schemas keep to what every client understands: one `type` for each value, items
//! for every array, properties or `additionalProperties` for every object, no references
//! and, in what models have to write, no unions. Answers may hold `null`, and only there
//! a value has two types, spelled as `anyOf` because that is the more portable spelling.
//! Keys appear in the order of the rows.
//!
//! The list is read by a model in every conversation, so it says nothing twice: no hint
//! that equals the protocol's default, no default that equals leaving something out, and
//! of the words only those that a model needs before it calls.

mod value;

use serde_json::{Map, Value, json};

use super::catalog::{self, ADDRESS};
use super::row::{Effect, Param, Tool};
use value::Direction;
pub(super) use value::literal_value;

/// Which tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// All but the guarded ones.
    Default,
    /// All of them, because a pool allows the guarded ones.
    WithGuarded,
}

/// Everything that `tools/list` says, in order.
#[must_use]
pub fn list(offer: Offer) -> Vec<Value> {
    catalog::rows()
        .filter(|row| !row.guarded || offer == Offer::WithGuarded)
        .map(entry)
        .collect()
}

/// What `tools/list` says about one tool.
#[must_use]
pub fn entry(tool: &Tool) -> Value {
    let mut entry = Map::new();
    entry.insert("name".to_owned(), json!(tool.name));
    entry.insert("description".to_owned(), json!(tool.description));
    entry.insert("inputSchema".to_owned(), input(tool).into());
    if let Some(output) = output(tool) {
        entry.insert("outputSchema".to_owned(), output.into());
    }
    let annotations = annotations(tool);
    if !annotations.is_empty() {
        entry.insert("annotations".to_owned(), annotations.into());
    }
    entry.into()
}

/// The schema of the arguments.
#[must_use]
pub fn input(tool: &Tool) -> Map<String, Value> {
    value::object(&params(tool), Direction::Input)
}

/// The schema of the structured answer, for tools whose whole answer it is. It names what
/// is always there and allows more.
#[must_use]
pub fn output(tool: &Tool) -> Option<Map<String, Value>> {
    let fields: Vec<&Param> = tool.output?.iter().collect();
    let mut schema = value::object(&fields, Direction::Output);
    schema.insert("required".to_owned(), value::required(&fields));
    Some(schema)
}

/// Hints for clients that ask people before they call something, where they differ from
/// what the protocol takes for granted: a tool writes, destroys and reaches the world.
#[must_use]
pub fn annotations(tool: &Tool) -> Map<String, Value> {
    let reads = tool.effect == Effect::Reads;
    let hints = [
        ("readOnlyHint", reads, true),
        ("destructiveHint", !reads && !tool.destructive, false),
        ("openWorldHint", !tool.open_world, false),
    ];
    let telling = hints.into_iter().filter(|(_, differs, _)| *differs);
    telling
        .map(|(name, _, hint)| (name.to_owned(), json!(hint)))
        .collect()
}

/// The schemas of the addressing arguments by name, to be added to tools that are not
/// rows of ours.
pub(super) fn address() -> impl Iterator<Item = (String, Value)> {
    ADDRESS
        .iter()
        .map(|param| (param.name.to_owned(), value::param(param, Direction::Input)))
}

/// The arguments of a tool, the addressing ones included.
pub(super) fn params(tool: &Tool) -> Vec<&'static Param> {
    let address: &[Param] = if tool.is_addressed() { &ADDRESS } else { &[] };
    tool.params.iter().chain(address).collect()
}
