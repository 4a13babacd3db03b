//! The mouse by coordinates, for agents that see pictures.

use serde_json::{Map, Value};

use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::{Button, Clicks, Point};
use crate::native::page::{Page, ToolError};
use crate::native::tools::options;

/// Moves the mouse.
pub async fn mouse_move(page: &Page, to: Point, deadline: Deadline) -> Result<Done, ToolError> {
    let Point { x, y } = to;
    let done = with_comment(
        page,
        format!("// Move mouse to ({x}, {y})"),
        format!("await page.mouse.move({x}, {y});"),
    );
    unless_failed(page.input().move_to(to, deadline).await)?;
    Ok(done)
}

/// Clicks at a place. `asked` are the options as the agent gave them, for the code.
pub async fn mouse_click(
    page: &Page,
    at: Point,
    clicks: &Clicks,
    asked: &Map<String, Value>,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let Point { x, y } = at;
    let options = match asked.is_empty() {
        true => String::new(),
        false => format!(", {}", options(asked)),
    };
    let done = with_comment(
        page,
        format!("// Click mouse at coordinates ({x}, {y})"),
        format!("await page.mouse.click({x}, {y}{options});"),
    );
    unless_failed(page.input().click(at, clicks, deadline).await)?;
    Ok(done)
}

/// Presses a button where the mouse is. `asked` are the options as the agent gave them.
pub async fn mouse_down(
    page: &Page,
    button: Button,
    asked: &Map<String, Value>,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let line = format!("await page.mouse.down({});", options(asked));
    let done = with_comment(page, "// Press mouse down".to_owned(), line);
    unless_failed(page.input().button_down(button, deadline).await)?;
    Ok(done)
}

/// Lets go of a button. `asked` are the options as the agent gave them.
pub async fn mouse_up(
    page: &Page,
    button: Button,
    asked: &Map<String, Value>,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let line = format!("await page.mouse.up({});", options(asked));
    let done = with_comment(page, "// Press mouse up".to_owned(), line);
    unless_failed(page.input().button_up(button, deadline).await)?;
    Ok(done)
}

/// Turns the wheel.
pub async fn mouse_wheel(page: &Page, by: Point, deadline: Deadline) -> Result<Done, ToolError> {
    let line = format!("await page.mouse.wheel({}, {});", by.x, by.y);
    let done = with_comment(page, "// Scroll mouse wheel".to_owned(), line);
    unless_failed(page.input().wheel(by, deadline).await)?;
    Ok(done)
}

fn with_comment(page: &Page, comment: String, line: String) -> Done {
    Done::begin_all(page, vec![comment, line])
}
