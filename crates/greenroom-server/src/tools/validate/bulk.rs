//! The commands of a bulk, every one checked as if it came alone.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::catalog;
use super::super::extra::ExtraTools;
use super::super::refusal::Fault;
use super::super::row::{Handler, Tool};
use super::super::schema;
use super::cleaner::Cleaner;
use super::{Address, Callee, Command, nearest_tool, pass_through, rules, wording};

/// Several commands that share one lease.
#[derive(Debug, Clone)]
pub struct Bulk {
    /// What to run, in order.
    pub commands: Vec<BulkCommand>,
    /// Whether a failure leaves the rest out.
    pub stop_on_error: bool,
    /// Whether every result is part of the answer.
    pub return_all_results: bool,
}

/// One command of a bulk.
#[derive(Debug, Clone)]
pub struct BulkCommand {
    /// What to run.
    pub command: Command,
    /// Whether its result is part of the answer.
    pub return_result: bool,
}

/// Reads the commands out of arguments that have the outline of a bulk.
pub(super) fn read(
    mut arguments: Map<String, Value>,
    address: &Address,
    extras: &ExtraTools,
    cleaner: &mut Cleaner,
) -> Bulk {
    let commands = match arguments.shift_remove("commands") {
        Some(Value::Array(commands)) => commands,
        _ => Vec::new(),
    };
    let numbered = commands.into_iter().enumerate();
    let commands = numbered.filter_map(|(index, command)| match command {
        Value::Object(command) => read_one(index, command, address, extras, cleaner),
        _ => None,
    });
    Bulk {
        commands: commands.collect(),
        stop_on_error: is_true(&arguments, "stop_on_error"),
        return_all_results: is_true(&arguments, "return_all_results"),
    }
}

fn read_one(
    index: usize,
    mut given: Map<String, Value>,
    address: &Address,
    extras: &ExtraTools,
    cleaner: &mut Cleaner,
) -> Option<BulkCommand> {
    let path = format!("commands[{index}]");
    let Some(Value::Object(arguments)) = given.shift_remove("args") else {
        return None;
    };
    let tool = callee(given.get("tool")?.as_str()?, extras)
        .map_err(|fault| cleaner.problems.add(format!("{path}.tool"), fault))
        .ok()?;
    let place = format!("{path}.args");
    let (arguments, own) = match &tool {
        Callee::Row(row) => check_row(row, arguments, &place, cleaner),
        Callee::Extra(_) => pass_through(arguments, &place, cleaner),
    };
    same_address(address, &own, &place, cleaner);
    Some(BulkCommand {
        command: Command { tool, arguments },
        return_result: is_true(&given, "return_result"),
    })
}

fn callee(name: &str, extras: &ExtraTools) -> Result<Callee, Fault> {
    match catalog::find(name) {
        Some(row) if row.handler == Handler::Browser => Ok(Callee::Row(row)),
        Some(row) => Err(Fault::NotInBulk { tool: row.name }),
        None => match extras.get(name) {
            Some(extra) => Ok(Callee::Extra(Arc::clone(extra))),
            None => Err(Fault::UnknownTool {
                given: wording::quoted(name),
                nearest: nearest_tool(name, extras),
            }),
        },
    }
}

fn check_row(
    row: &Tool,
    arguments: Map<String, Value>,
    path: &str,
    cleaner: &mut Cleaner,
) -> (Map<String, Value>, Address) {
    let before = cleaner.problems.count();
    let mut clean = cleaner.record(&schema::params(row), arguments, path);
    rules::check(row.rules, &clean, path, &mut cleaner.problems);
    if before == 0 && cleaner.problems.count() > 0 {
        cleaner.problems.show_example(example(row));
    }
    let own = Address::split_off(&mut clean);
    (clean, own)
}

/// A bulk of one command, the one that an agent has to repair first.
fn example(row: &Tool) -> String {
    let command = format!(r#"{{"tool":"{}","args":{}}}"#, row.name, row.example);
    format!(r#"browser_execute_bulk {{"commands":[{command}]}}"#)
}

/// A command may repeat where the bulk runs, but not ask for another place.
fn same_address(bulk: &Address, own: &Address, path: &str, cleaner: &mut Cleaner) {
    for ((name, theirs), (_, ours)) in own.parts().into_iter().zip(bulk.parts()) {
        if theirs.is_some() && theirs != ours {
            let fault = Fault::OtherAddress { name };
            cleaner.problems.add(wording::join(path, name), fault);
        }
    }
}

fn is_true(arguments: &Map<String, Value>, name: &str) -> bool {
    arguments.get(name) == Some(&Value::Bool(true))
}
