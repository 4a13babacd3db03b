//! Clicks and hovers.

use serde_json::{Map, Value};

use super::aim::{self, FOR_HOVER, FOR_MOUSE};
use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::{Button, Clicks, Modifier};
use crate::native::page::{Element, ToolError};
use crate::native::tools::options;

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
    let line = format!("await page.{locator}.{name}({});", written(clicks));
    let done = Done::begin(&element.page, line);
    let point = aim::point(element, name, FOR_MOUSE, deadline).await?;
    let input = element.page.input();
    unless_failed(input.click(point, clicks, deadline).await)?;
    Ok(done)
}

/// Moves the mouse over an element.
pub async fn hover(element: &Element, deadline: Deadline) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let done = Done::begin(&element.page, format!("await page.{locator}.hover();"));
    let point = aim::point(element, "hover", FOR_HOVER, deadline).await?;
    unless_failed(element.page.input().move_to(point, deadline).await)?;
    Ok(done)
}

/// The options of a click, as Playwright writes them: for either kind of computer, and in the order
/// of the keys' bits.
fn written(clicks: &Clicks) -> String {
    let mut members = Map::new();
    if clicks.button != Button::Left {
        members.insert("button".to_owned(), clicks.button.name().into());
    }
    let mut held = clicks.modifiers.clone();
    held.sort();
    held.dedup();
    let names = held.into_iter().map(|each| match each {
        Modifier::Control | Modifier::Meta => "ControlOrMeta",
        other => other.name(),
    });
    let names: Vec<_> = names.map(Value::from).collect();
    if !names.is_empty() {
        members.insert("modifiers".to_owned(), names.into());
    }
    options(&members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_held_are_told_in_one_order_and_for_every_computer() {
        let names = ["Shift", "Meta", "Control", "Alt", "Control"];
        let modifiers = names.into_iter().filter_map(Modifier::named);
        let clicks = Clicks {
            button: Button::Middle,
            modifiers: modifiers.collect(),
            ..Clicks::default()
        };
        assert_eq!(
            written(&clicks),
            "{\n  button: 'middle',\n  modifiers: ['Alt', 'ControlOrMeta', 'ControlOrMeta', 'Shift']\n}"
        );
        assert_eq!(written(&Clicks::default()), "");
    }
}
