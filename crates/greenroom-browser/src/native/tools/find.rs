//! `browser_find`.

use serde::Deserialize;
use serde_json::json;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::page::{SnapshotOptions, ToolError};

#[derive(Debug, Deserialize)]
struct Found {
    text: String,
}

pub(super) async fn find(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let all = SnapshotOptions::default();
    let snapshot = page.snapshot(None, &all, work.deadline).await?;
    let wanted = json!({
        "snapshot": snapshot,
        "text": arguments.text("text"),
        "regex": arguments.text("regex"),
    });
    let found: Found = page.ask("find", wanted, work.deadline).await?;
    let filename = arguments.text("filename");
    Ok(Answer::default().result_or_file("Find results", found.text, filename))
}
