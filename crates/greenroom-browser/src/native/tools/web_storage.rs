//! The tools for local and session storage.

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, StorageKind};
use crate::native::answer::Answer;
use crate::native::page::ToolError;

pub(super) async fn local(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    storage(work, arguments, StorageKind::Local).await
}

pub(super) async fn session(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    storage(work, arguments, StorageKind::Session).await
}

async fn storage(
    work: &Work,
    arguments: &Arguments<'_>,
    kind: StorageKind,
) -> Result<Answer, ToolError> {
    let text = |name: &str| {
        let text = arguments.any_text(name);
        text.ok_or_else(|| arguments.missing(name, "a text"))
    };
    let (page, deadline) = (&work.page().await?, work.deadline);
    let action = work.call.tool.rsplit('_').next().unwrap_or_default();
    let done = match action {
        "list" => actions::storage_items(page, kind, deadline).await,
        "get" => actions::storage_get(page, kind, text("key")?, deadline).await,
        "set" => {
            let item = (text("key")?, text("value")?);
            actions::storage_set(page, kind, item, deadline).await
        }
        "delete" => actions::storage_remove(page, kind, text("key")?, deadline).await,
        _ => actions::storage_clear(page, kind, deadline).await,
    };
    Ok(Answer::default().with(done?))
}
