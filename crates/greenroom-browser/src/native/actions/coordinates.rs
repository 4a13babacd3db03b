//! The mouse by coordinates, for agents that see pictures.

use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::{Button, Clicks, Point};
use crate::native::page::{Page, ToolError};

/// Moves the mouse.
pub async fn mouse_move(page: &Page, to: Point, deadline: Deadline) -> Result<Done, ToolError> {
    unless_failed(page.input().move_to(to, deadline).await)?;
    let Point { x, y } = to;
    Ok(with_comment(
        format!("// Move mouse to ({x}, {y})"),
        format!("await page.mouse.move({x}, {y});"),
    ))
}

/// Clicks at a place.
pub async fn mouse_click(
    page: &Page,
    at: Point,
    clicks: &Clicks,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    unless_failed(page.input().click(at, clicks, deadline).await)?;
    let Point { x, y } = at;
    let mut options = Vec::new();
    if clicks.button != Button::Left {
        options.push(format!("  button: '{}'", clicks.button.name()));
    }
    if clicks.count != 1 {
        options.push(format!("  clickCount: {}", clicks.count));
    }
    if !clicks.hold.is_zero() {
        options.push(format!("  delay: {}", clicks.hold.as_millis()));
    }
    let options = match options.is_empty() {
        true => String::new(),
        false => format!(", {{\n{}\n}}", options.join(",\n")),
    };
    Ok(with_comment(
        format!("// Click mouse at coordinates ({x}, {y})"),
        format!("await page.mouse.click({x}, {y}{options});"),
    ))
}

/// Presses a button where the mouse is.
pub async fn mouse_down(
    page: &Page,
    button: Button,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    unless_failed(page.input().button_down(button, deadline).await)?;
    let line = format!("await page.mouse.down({});", option(button));
    Ok(with_comment("// Press mouse down".to_owned(), line))
}

/// Lets go of a button.
pub async fn mouse_up(page: &Page, button: Button, deadline: Deadline) -> Result<Done, ToolError> {
    unless_failed(page.input().button_up(button, deadline).await)?;
    let line = format!("await page.mouse.up({});", option(button));
    Ok(with_comment("// Press mouse up".to_owned(), line))
}

/// Turns the wheel.
pub async fn mouse_wheel(page: &Page, by: Point, deadline: Deadline) -> Result<Done, ToolError> {
    unless_failed(page.input().wheel(by, deadline).await)?;
    let line = format!("await page.mouse.wheel({}, {});", by.x, by.y);
    Ok(with_comment("// Scroll mouse wheel".to_owned(), line))
}

fn with_comment(comment: String, line: String) -> Done {
    Done {
        code: vec![comment, line],
        ..Done::default()
    }
}

fn option(button: Button) -> String {
    match button {
        Button::Left => String::new(),
        other => format!("{{\n  button: '{}'\n}}", other.name()),
    }
}
