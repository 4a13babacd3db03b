//! `browser_console_messages`.

use crate::call::ConsoleLevel;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::events::Message;
use crate::native::page::ToolError;

pub(super) async fn messages(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let name = arguments.text("level").unwrap_or("info");
    let level = match name {
        "error" => ConsoleLevel::Error,
        "warning" => ConsoleLevel::Warning,
        "info" => ConsoleLevel::Info,
        "debug" => ConsoleLevel::Debug,
        _ => return Err(arguments.missing("level", "error, warning, info or debug")),
    };
    let page = work.page().await?;
    page.catch_up(work.deadline).await;
    let all = arguments.flag("all");
    let ((total, errors, warnings), messages) = page.read(|books| {
        let console = &books.journal.console;
        (console.counts(), console.list(level, all))
    });
    let mut lines = vec![format!(
        "Total messages: {total} (Errors: {errors}, Warnings: {warnings})"
    )];
    if messages.len() as u64 != total {
        lines.push(format!(
            "Returning {} messages for level \"{name}\"",
            messages.len()
        ));
    }
    lines.push(String::new());
    lines.extend(messages.iter().map(Message::line));
    let filename = arguments.text("filename");
    Ok(Answer::default().result_or_file("Console", lines.join("\n"), filename))
}
