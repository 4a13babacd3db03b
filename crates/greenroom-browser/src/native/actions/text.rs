//! Text into fields, and keys.

use serde::Deserialize;
use serde_json::Value;

use super::aim::{self, FOR_CHOICE, FOR_TEXT};
use super::caret;
use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::{Chord, Halt};
use crate::native::page::{Element, Page, ToolError};
use crate::native::tools::quote;

/// When a dialog came while text was typed.
const INTERRUPTED: &str = "A dialog opened while the text was typed, and what comes after it is not typed. Answer it with browser_handle_dialog, look at the field in a snapshot, and type what is missing.";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    is_done: bool,
    text: String,
    value: String,
}

/// Puts text in the place of what is in a field.
pub async fn fill(element: &Element, text: &str, deadline: Deadline) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let line = format!("await page.{locator}.fill({});", quote(text));
    let done = Done::begin(&element.page, line);
    aim::wait(element, "fill", FOR_TEXT, deadline).await?;
    let begun: Begun = element.ask("startFill", text, deadline).await?;
    let input = element.page.input();
    if !begun.is_done {
        if !begun.text.is_empty() {
            unless_failed(input.insert(&begun.text, deadline).await)?;
        } else if !begun.value.is_empty() {
            unless_failed(input.press(&chord("Delete")?, deadline).await)?;
        }
    }
    Ok(done)
}

/// Types text key by key into a field.
pub async fn press_sequentially(
    element: &Element,
    text: &str,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let line = format!("await page.{locator}.pressSequentially({});", quote(text));
    let done = Done::begin(&element.page, line);
    aim::wait(element, "pressSequentially", FOR_CHOICE, deadline).await?;
    caret::focus(element, deadline).await?;
    let written = element.page.input().write(text, deadline).await;
    let is_interrupted = matches!(written, Err(Halt::Dialog)) && text.chars().nth(1).is_some();
    unless_failed(written)?;
    Ok(Done {
        result: is_interrupted.then(|| INTERRUPTED.to_owned()),
        ..done
    })
}

/// Presses Enter in a field.
pub async fn submit(element: &Element, deadline: Deadline) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let line = format!("await page.{locator}.press('Enter');");
    let done = Done::begin(&element.page, line);
    let _: Value = element.ask("focus", (), deadline).await?;
    unless_failed(element.page.input().press(&chord("Enter")?, deadline).await)?;
    Ok(done)
}

/// Presses a key, or several together, wherever the focus is.
pub async fn press_key(page: &Page, key: &str, deadline: Deadline) -> Result<Done, ToolError> {
    let chord = chord(key)?;
    let code = vec![
        format!("// Press {}", key.replace(['\n', '\r'], " ")),
        format!("await page.keyboard.press({});", quote(key)),
    ];
    let done = Done::begin_all(page, code);
    unless_failed(page.input().press(&chord, deadline).await)?;
    Ok(done)
}

fn chord(key: &str) -> Result<Chord, ToolError> {
    Chord::parse(key).map_err(|error| ToolError::Argument(error.to_string()))
}
