//! Waits until an element can be acted on, and finds where.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::native::deadline::Deadline;
use crate::native::input::Point;
use crate::native::page::{Element, ToolError};

/// How long an element is waited for, as upstream does.
const PATIENCE: Duration = Duration::from_secs(5);
/// What is kept of the deadline for the action itself and for its answer.
const RESERVE: Duration = Duration::from_millis(500);

/// What a mouse needs of an element.
pub(super) const FOR_MOUSE: &[&str] = &["visible", "enabled", "stable", "receivesEvents"];
/// What a mouse needs that only passes over it.
pub(super) const FOR_HOVER: &[&str] = &["visible", "stable", "receivesEvents"];
/// What text needs.
pub(super) const FOR_TEXT: &[&str] = &["visible", "enabled", "editable"];
/// What a choice needs.
pub(super) const FOR_CHOICE: &[&str] = &["visible", "enabled"];

#[derive(Debug, Deserialize)]
struct Ready {
    ok: bool,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
}

/// Waits until all of these hold at once.
pub(super) async fn wait(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<(), ToolError> {
    ready(element, what, states, deadline).await.map(drop)
}

/// Waits until all of these hold, and gives the place on the page where a mouse meets the element.
pub(super) async fn point(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<Point, ToolError> {
    let Ready { x, y, .. } = ready(element, what, states, deadline).await?;
    let (x, y) = element.on_page(x, y, deadline).await?;
    Ok(Point { x, y })
}

async fn ready(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<Ready, ToolError> {
    let patience = PATIENCE.min(deadline.left().saturating_sub(RESERVE));
    let timeout = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
    let wanted = json!({ "states": states, "timeout": timeout });
    let ready: Ready = element.ask("ready", wanted, deadline).await?;
    if ready.ok {
        return Ok(ready);
    }
    let hint = format!("{}. {}", capital(&ready.message), advice(&ready.reason));
    if matches!(ready.reason.as_str(), "wrong" | "detached") {
        return Err(ToolError::Argument(hint));
    }
    Err(ToolError::Waited {
        what: what.to_owned(),
        after: patience,
        hint,
    })
}

/// What to do about an element that is not ready.
fn advice(reason: &str) -> &'static str {
    match reason {
        "covered" => "Close or move what is in the way first, or act on that instead.",
        "disabled" => "Do first what makes the page enable it.",
        "readonly" => "Act on a field that can be changed.",
        "hidden" => "Do first what makes the page show it, or take a snapshot for another target.",
        "moving" => "Try again when it has come to rest.",
        "outside" => "Make the window larger with browser_resize, or scroll the page.",
        "wrong" => "Take a snapshot and use the ref of a field.",
        _ => "Take a new snapshot and use a ref from it.",
    }
}

fn capital(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
