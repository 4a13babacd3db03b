//! `browser_storage_state` and `browser_set_storage_state`.

use serde_json::Value;

use super::arguments::Arguments;
use super::code::quote;
use super::work::Work;
use crate::native::answer::{Answer, name_or};
use crate::native::engine::{collect_state, replace_state};
use crate::native::page::ToolError;

/// The largest state that is read from a file.
const LARGEST: u64 = 32 << 20;

pub(super) async fn save(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let state = collect_state(&work.room, work.deadline).await?;
    let name = name_or(arguments.text("filename"), "storage-state", "json");
    let code = format!(
        "await page.context().storageState({{ path: {} }});",
        quote(&name)
    );
    let text = format!("{state:#}");
    let answer = Answer::default().file("Storage state", &name, text.into());
    Ok(answer.ran(code))
}

pub(super) async fn restore(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let name = arguments.required("filename")?;
    let state = read(work, name).await?;
    replace_state(&work.room, &state, work.deadline).await?;
    let code = format!("await page.context().setStorageState({});", quote(name));
    let told = format!("Storage state restored from {name}");
    Ok(Answer::default().result(told).ran(code))
}

/// Reads a state from a file that was handed to this browser.
async fn read(work: &Work, name: &str) -> Result<Value, ToolError> {
    let path = work.room.given().check(name).await?;
    let unreadable = |why: String| {
        ToolError::Argument(format!(
            "Error reading storage state from {name}: {why}. Give a file that browser_storage_state or Playwright's storageState wrote."
        ))
    };
    let length = tokio::fs::metadata(&path).await.map(|meta| meta.len());
    let length = length.map_err(|error| unreadable(error.to_string()))?;
    if length > LARGEST {
        return Err(unreadable(format!(
            "it is {length} bytes long, and at most {LARGEST} are read"
        )));
    }
    let text = tokio::fs::read(&path).await;
    let text = text.map_err(|error| unreadable(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))
}
