//! A search over all pages of a session.

use greenroom_store::{HistoryQuery, Hit};
use serde_json::{Value, json};

use super::content::Target;
use super::{Arguments, find};
use crate::dispatch::CallError;
use crate::record::date;
use crate::service::Answer;

const HITS: u64 = 10;
const MOST_HITS: u64 = 100;
/// Lines shown of each page.
const LINES: usize = 3;

/// The pages of the answer's session that have all the words, newest first.
pub(super) async fn search(
    target: &Target<'_>,
    words: &str,
    arguments: &Arguments<'_>,
) -> Result<Answer, CallError> {
    let query = HistoryQuery {
        principal: target.principal.clone(),
        session: target.info.session.clone(),
        text: words.to_owned(),
        limit: arguments.number("limit").unwrap_or(HITS).min(MOST_HITS) as usize,
        lines: LINES,
    };
    let hits = target.journal.store().history(query).await;
    let hits = hits.map_err(|error| target.failed(&error))?;
    let text = hits.iter().map(show).collect::<Vec<_>>().join("\n\n");
    let note = match hits.len() {
        0 => format!("no page of this session has '{words}'"),
        pages => format!("{pages} pages of this session, newest first"),
    };
    let matches: Vec<Value> = hits.iter().map(hit).collect();
    let data = json!({"changed": false, "hits": hits.len(), "matches": matches});
    Ok(target.answer("history", &text, &note, data))
}

fn show(hit: &Hit) -> String {
    let url = hit.url.as_deref().unwrap_or("no page");
    let title = hit.title.as_deref().unwrap_or_default();
    let lines = find::show(&hit.lines);
    format!("{} {} {url} {title}\n{lines}", hit.ref_id, hit.tool)
}

fn hit(hit: &Hit) -> Value {
    json!({
        "ref_id": hit.ref_id.to_string(),
        "tool": hit.tool,
        "started_at": date(hit.started_at),
        "url": hit.url,
        "title": hit.title,
        "lines": hit.lines.iter().map(find::line).collect::<Vec<_>>(),
    })
}
