//! `get_console_content`.

use greenroom_store::{ConsoleLevel, ConsoleMessage};
use serde_json::{Map, Value, json};

use super::{Arguments, error};
use crate::dispatch::CallError;
use crate::identity::Caller;
use crate::record::{Journal, owner};
use crate::service::Answer;

/// All console messages of an answer, or those of a level and graver, newest first. No cursor.
pub(crate) async fn get_console_content(
    journal: &Journal,
    caller: &Caller,
    arguments: &Map<String, Value>,
) -> Result<Answer, CallError> {
    let arguments = Arguments(arguments);
    let ref_id = arguments.ref_id("ref_id")?;
    let level = arguments.text("level").and_then(parse);
    let messages = journal
        .store()
        .console(owner(&caller.principal), ref_id, level);
    let mut messages = messages
        .await
        .map_err(|error| error::from_store(&error, ref_id))?;
    messages.reverse();
    let errors = messages
        .iter()
        .filter(|message| message.level == ConsoleLevel::Error)
        .count();
    let lines: Vec<String> = messages.iter().map(show).collect();
    let note = match (messages.len(), level) {
        (0, Some(_)) => "no console messages of this level or graver".to_owned(),
        (0, None) => "no console messages".to_owned(),
        (count, _) => format!("{count} console messages, newest first, {errors} of them errors"),
    };
    let line = format!("[greenroom] ref_id: {ref_id}; {note}");
    let text = lines
        .into_iter()
        .chain([line])
        .collect::<Vec<_>>()
        .join("\n");
    let data = json!({
        "ref_id": ref_id.to_string(),
        "level": level,
        "total": messages.len(),
        "error_count": errors,
        "messages": messages,
    });
    Ok(Answer::read(text, data))
}

fn parse(word: &str) -> Option<ConsoleLevel> {
    serde_json::from_value(word.into()).ok()
}

fn show(message: &ConsoleMessage) -> String {
    let level = match message.level {
        ConsoleLevel::Error => "ERROR",
        ConsoleLevel::Warning => "WARNING",
        ConsoleLevel::Info => "INFO",
        ConsoleLevel::Debug => "DEBUG",
    };
    let place = message.location.as_deref();
    let place = place.map_or(String::new(), |place| format!(" @ {place}"));
    format!("[{level}] {}{place}", message.text)
}
