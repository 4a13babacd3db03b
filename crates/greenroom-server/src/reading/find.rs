//! The lines of an answer that contain something.

use greenroom_store::{Line, SearchRequest};
use serde_json::{Value, json};

use super::Arguments;
use super::content::Target;
use crate::dispatch::CallError;
use crate::service::Answer;

/// How many lines are shown unless the caller says more.
const HITS: u64 = 50;
const MOST_HITS: u64 = 1000;
/// How much may be shown around each.
const MOST_AROUND: u64 = 100;

/// Searches one answer.
pub(super) async fn search(
    target: &Target<'_>,
    needle: &str,
    arguments: &Arguments<'_>,
) -> Result<Answer, CallError> {
    let around = |name| arguments.number(name).unwrap_or(0).min(MOST_AROUND) as usize;
    let request = SearchRequest {
        needle: needle.to_owned(),
        before: around("before_lines"),
        after: around("after_lines"),
        max_hits: arguments.number("limit").unwrap_or(HITS).min(MOST_HITS) as usize,
    };
    let store = target.journal.store();
    let found = store.search_in(target.principal.clone(), target.ref_id, request);
    let found = found.await.map_err(|error| target.failed(&error))?;
    let blocks: Vec<String> = found
        .blocks
        .iter()
        .map(|block| show(&block.lines))
        .collect();
    let text = blocks.join("\n--\n");
    let shown = found.blocks.iter().flat_map(|block| &block.lines);
    let shown = shown.filter(|line| line.is_hit).count() as u64;
    let note = match (found.hits, shown) {
        (0, _) => format!("no line contains '{needle}'"),
        (hits, shown) if shown < hits => format!("{shown} of {hits} lines; limit shows more"),
        (hits, _) => format!("{hits} lines"),
    };
    let matches: Vec<Value> = found
        .blocks
        .iter()
        .map(|block| block.lines.iter().map(line).collect())
        .collect();
    let data = json!({"changed": false, "hits": found.hits, "matches": matches});
    Ok(target.answer("search", &text, &note, data))
}

/// Lines with their numbers; those that only surround a hit are set off.
pub(super) fn show(lines: &[Line]) -> String {
    let shown = lines.iter().map(|line| {
        let mark = if line.is_hit { ':' } else { '-' };
        format!("{}{mark} {}", line.number, line.text)
    });
    shown.collect::<Vec<_>>().join("\n")
}

pub(super) fn line(line: &Line) -> Value {
    json!({"line": line.number, "text": line.text, "is_hit": line.is_hit})
}
