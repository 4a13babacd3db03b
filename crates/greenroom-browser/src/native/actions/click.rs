//! Clicks and hovers.

use super::aim::{self, FOR_HOVER, FOR_MOUSE};
use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::{Button, Clicks};
use crate::native::page::{Element, ToolError};

/// Clicks an element.
pub async fn click(
    element: &Element,
    clicks: &Clicks,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    // Named before the click, which may take the element away.
    let locator = element.describe(deadline).await?.locator;
    let name = if clicks.count == 2 {
        "dblclick"
    } else {
        "click"
    };
    let point = aim::point(element, name, FOR_MOUSE, deadline).await?;
    let input = element.page.input();
    unless_failed(input.click(point, clicks, deadline).await)?;
    let line = format!("await page.{locator}.{name}({});", options(clicks));
    Ok(Done::ran(line))
}

/// Moves the mouse over an element.
pub async fn hover(element: &Element, deadline: Deadline) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let point = aim::point(element, "hover", FOR_HOVER, deadline).await?;
    unless_failed(element.page.input().move_to(point, deadline).await)?;
    Ok(Done::ran(format!("await page.{locator}.hover();")))
}

/// The options of a click, as Playwright writes them.
fn options(clicks: &Clicks) -> String {
    let mut options = Vec::new();
    if clicks.button != Button::Left {
        options.push(format!("  button: '{}'", clicks.button.name()));
    }
    if !clicks.modifiers.is_empty() {
        let names = clicks
            .modifiers
            .iter()
            .map(|each| format!("'{}'", each.name()));
        let names = names.collect::<Vec<_>>().join(", ");
        options.push(format!("  modifiers: [{names}]"));
    }
    match options.is_empty() {
        true => String::new(),
        false => format!("{{\n{}\n}}", options.join(",\n")),
    }
}
