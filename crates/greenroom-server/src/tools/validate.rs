//! The check of a call before a lease is taken.
//!
//! Models make the same few slips again and again: a number in quotes, one text where a
//! list is wanted, `null` or `""` for something they do not want to say, an object that
//! was serialised twice. Where the meaning is beyond doubt, the slip is repaired here and
//! never mentioned; everything else is refused with all its problems at once. What comes
//! out has every default filled in and its keys in the order of the row, whatever the
//! caller's order was.
//!
//! The order of work: bounds first, because everything after them walks the data; then
//! the shape of each argument (`Cleaner`), then the rules between
//! arguments, then, in a bulk, the same for every command.

mod address;
mod bounds;
mod bulk;
mod cleaner;
mod rules;
mod wording;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use address::Address;
pub use bulk::{Bulk, BulkCommand};
pub use cleaner::MAX_SESSION_ID;

use super::catalog::{self, ADDRESS};
use super::extra::{ExtraTool, ExtraTools};
use super::refusal::{Fault, Problems, Refusal};
use super::row::{Effect, Handler, OwnTool, Tool};
use super::urls::{self, UrlFault};
use super::{schema, suggest};
use cleaner::Cleaner;

/// A call that may run.
#[derive(Debug, Clone)]
pub enum Call {
    /// One command for an engine.
    Browser {
        /// What to run.
        command: Command,
        /// Where to run it.
        address: Address,
    },
    /// Several commands for one engine, under one lease.
    Bulk {
        /// What to run.
        bulk: Bulk,
        /// Where to run it.
        address: Address,
    },
    /// Something that Greenroom answers itself.
    Own {
        /// Which tool.
        tool: OwnTool,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
}

/// One tool with clean arguments, ready for an engine.
#[derive(Debug, Clone)]
pub struct Command {
    /// Which tool.
    pub tool: Callee,
    /// What the engine gets.
    pub arguments: Map<String, Value>,
}

/// A tool that an engine runs.
#[derive(Debug, Clone)]
pub enum Callee {
    /// A row of the catalogue.
    Row(&'static Tool),
    /// One that only the upstream knows.
    Extra(Arc<ExtraTool>),
}

impl Callee {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Row(row) => row.name,
            Self::Extra(extra) => &extra.name,
        }
    }

    /// What a crash in mid-call leaves behind.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self {
            Self::Row(row) => row.effect,
            Self::Extra(extra) => extra.effect,
        }
    }
}

/// Checks a call of the tool with this name. Absent arguments are `Value::Null`.
///
/// # Errors
/// When there is no such tool, or its arguments are not what it takes.
pub fn check(name: &str, arguments: Value, extras: &ExtraTools) -> Result<Call, Refusal> {
    if let Some(row) = catalog::find(name) {
        return check_row(row, arguments, extras);
    }
    match extras.get(name) {
        Some(extra) => check_extra(extra, arguments),
        None => Err(unknown_tool(name, extras)),
    }
}

fn check_row(row: &'static Tool, arguments: Value, extras: &ExtraTools) -> Result<Call, Refusal> {
    let mut cleaner = Cleaner::new(Problems::of_tool(row));
    let Some(arguments) = cleaner.arguments(arguments) else {
        return Err(Refusal::Arguments(cleaner.problems));
    };
    let mut arguments = cleaner.record(&schema::params(row), arguments, "");
    rules::check(row.rules, &arguments, "", &mut cleaner.problems);
    let call = match row.handler {
        Handler::Browser => Call::Browser {
            address: Address::split_off(&mut arguments),
            command: Command {
                tool: Callee::Row(row),
                arguments,
            },
        },
        Handler::Bulk => {
            let address = Address::split_off(&mut arguments);
            let bulk = bulk::read(arguments, &address, extras, &mut cleaner);
            Call::Bulk { bulk, address }
        }
        Handler::Own(tool) => Call::Own { tool, arguments },
    };
    cleaner.problems.or_accept(call)
}

fn check_extra(extra: &Arc<ExtraTool>, arguments: Value) -> Result<Call, Refusal> {
    let mut cleaner = Cleaner::new(Problems::of_name(&extra.name));
    let Some(arguments) = cleaner.arguments(arguments) else {
        return Err(Refusal::Arguments(cleaner.problems));
    };
    let (arguments, address) = pass_through(arguments, "", &mut cleaner);
    let tool = Callee::Extra(Arc::clone(extra));
    let command = Command { tool, arguments };
    cleaner
        .problems
        .or_accept(Call::Browser { command, address })
}

/// What is ours in the arguments of an upstream's own tool: where it runs, and the rule
/// about addresses that no tool may be used to get round.
fn pass_through(
    mut arguments: Map<String, Value>,
    path: &str,
    cleaner: &mut Cleaner,
) -> (Map<String, Value>, Address) {
    let ours: Map<String, Value> = ADDRESS
        .iter()
        .filter_map(|param| arguments.shift_remove_entry(param.name))
        .collect();
    let mut ours = cleaner.record(&ADDRESS.iter().collect::<Vec<_>>(), ours, path);
    let url = arguments.get("url").and_then(Value::as_str);
    if let Some(Err(fault @ UrlFault::Scheme(_))) = url.map(urls::navigable) {
        cleaner
            .problems
            .add(wording::join(path, "url"), Fault::Url(fault));
    }
    (arguments, Address::split_off(&mut ours))
}

fn unknown_tool(name: &str, extras: &ExtraTools) -> Refusal {
    Refusal::UnknownTool {
        name: wording::quoted(name),
        nearest: nearest_tool(name, extras),
    }
}

fn nearest_tool(name: &str, extras: &ExtraTools) -> Option<String> {
    let names = catalog::rows().map(|row| row.name);
    let more = extras.iter().map(|extra| extra.name.as_str());
    suggest::nearest(name, names.chain(more)).map(str::to_owned)
}
