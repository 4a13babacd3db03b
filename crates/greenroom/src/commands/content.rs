//! `greenroom content REF`: a recorded answer.

use serde_json::{Map, Value};

use super::{call, record};
use crate::cli::{ContentArgs, SettingsArgs};
use crate::exit::Code;
use crate::output;

/// A person reads all of a page; what it said before is of no interest.
const MODE: &str = "full";

pub(super) fn run(args: &ContentArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let (tool, arguments) = request(args);
    let result = record::ask(settings, tool, arguments)?;
    output::to_stdout(&if args.json {
        format!("{result:#}\n")
    } else {
        call::readable(&result)
    })?;
    let failed = result["isError"] == true;
    Ok(if failed { Code::Failed } else { Code::Ok })
}

/// The call that gives what the arguments ask for.
fn request(args: &ContentArgs) -> (&'static str, Map<String, Value>) {
    let mut arguments = Map::new();
    let mut set = |name: &str, value: Value| arguments.insert(name.to_owned(), value);
    set("ref_id", args.ref_id.as_str().into());
    if args.console {
        return ("get_console_content", arguments);
    }
    let texts = [
        ("search_for", &args.search),
        ("query", &args.query),
        ("since", &args.since),
    ];
    for (name, value) in texts {
        if let Some(value) = value {
            set(name, value.as_str().into());
        }
    }
    for (name, value) in [("offset", args.offset), ("limit", args.limit)] {
        if let Some(value) = value {
            set(name, value.into());
        }
    }
    if let Some(lines) = args.context {
        set("before_lines", lines.into());
        set("after_lines", lines.into());
    }
    if args.history {
        set("history", true.into());
    }
    set("mode", MODE.into());
    ("get_content", arguments)
}
