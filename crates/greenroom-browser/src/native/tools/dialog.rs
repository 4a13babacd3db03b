//! `browser_handle_dialog`.

use std::time::Duration;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::page::ToolError;
use crate::native::protocol::page::HandleJavaScriptDialog;
use crate::native::settle::Effect;

/// How long the call that the dialog interrupted may take to come to its end.
const INTERRUPTED: Duration = Duration::from_secs(10);

pub(super) async fn handle(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let accept = arguments
        .value("accept")
        .and_then(serde_json::Value::as_bool);
    let accept = accept.ok_or_else(|| arguments.missing("accept", "true or false"))?;
    let page = work.room.tabs().current().ok_or(ToolError::PageClosed)?;
    let answered = async {
        let answer = HandleJavaScriptDialog {
            accept,
            prompt_text: arguments.any_text("promptText").map(str::to_owned),
        };
        page.write(|books| books.journal.dialog_closed());
        let answered = page
            .session()
            .call_within(work.deadline.left(), answer)
            .await;
        match answered {
            // It went away by itself, with the page that had it.
            Err(error) if error.refused_with("No dialog is showing") => {}
            answered => drop(answered?),
        }
        // What the dialog interrupted goes on now, and has its effects.
        work.deadline.at_most(INTERRUPTED).limit(page.turn()).await;
        Ok(())
    };
    work.settled(&page, Effect::Drawn, answered).await?;
    Ok(Answer::default())
}
