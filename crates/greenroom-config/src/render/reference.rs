//! Renders docs/configuration.md from the table of keys.

use std::fmt::Write as _;

use crate::keys::{Effect, Levels, Row, table};
use crate::names::OLD_NAMES;

const HEAD: &str = include_str!("reference_head.md");
const TAIL: &str = include_str!("reference_tail.md");

/// The reference of the configuration, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = HEAD.to_owned();
    section(
        &mut text,
        "Keys of a pool",
        "`PW_MCP_PROXY__<POOL>_<KEY>`, or lower case under `[pools.<POOL>]`.",
        Levels::Pool,
    );
    section(
        &mut text,
        "Keys of an instance",
        "`PW_MCP_PROXY__<POOL>__<ID>_<KEY>`, or lower case under `[pools.<POOL>.instances.<ID>]`.",
        Levels::Instance,
    );
    section(
        &mut text,
        "Keys of any level",
        "For every pool and instance, for one pool, or for one instance.",
        Levels::All,
    );
    section(
        &mut text,
        "Keys of the server",
        "`PW_MCP_PROXY_<KEY>`, or lower case at the top of the file.",
        Levels::Global,
    );
    old_names(&mut text);
    text.push_str(TAIL);
    text
}

fn section(text: &mut String, title: &str, spelling: &str, levels: Levels) {
    let _ = write!(text, "\n## {title}\n\n{spelling}\n\n");
    text.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
    for row in table().filter(|row| row.levels == levels) {
        line(text, row);
    }
}

fn line(text: &mut String, row: &Row) {
    let (name, meaning, because) = (row.name, row.meaning, row.because);
    let expected = cell(&row.kind.expected());
    let default = cell(row.fallback.shown());
    let effect = match row.effect {
        Effect::Now => "",
        Effect::NotYet => " *No effect yet.*",
    };
    let _ = writeln!(
        text,
        "| `{name}` | {expected} | {default} | {meaning} ({because}){effect} |"
    );
}

/// Text that does not end a cell early.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn old_names(text: &mut String) {
    text.push_str("\n## Older names\n\nAccepted in the environment and in `.env`; in one source the key's own name wins.\n\n| name | key |\n|---|---|\n");
    for old in OLD_NAMES {
        let note = if old.note.is_empty() {
            String::new()
        } else {
            format!(" ({})", old.note)
        };
        let _ = writeln!(text, "| `{}` | `{}`{note} |", old.name, old.key);
    }
}
