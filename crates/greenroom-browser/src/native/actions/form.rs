//! The fields of forms: choices, checks, and whatever else a form is filled with.

use serde::Deserialize;
use serde_json::Value;

use super::aim::{self, FOR_CHOICE, FOR_MOUSE};
use super::done::{Done, unless_failed};
use super::text::fill;
use crate::native::deadline::Deadline;
use crate::native::input::Clicks;
use crate::native::page::{Element, ToolError};
use crate::native::tools::quote;

/// What kind of field an agent says that it fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named by the roles of the web")]
pub enum FieldKind {
    Textbox,
    Checkbox,
    Radio,
    Combobox,
    Slider,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CheckState {
    /// `true`, `false` or `mixed`.
    checked: Value,
    is_radio: bool,
}

/// Fills one field of a form.
pub async fn fill_field(
    element: &Element,
    kind: FieldKind,
    value: &str,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    match kind {
        FieldKind::Textbox | FieldKind::Slider => fill(element, value, deadline).await,
        FieldKind::Combobox => select_option(element, &[value], deadline).await,
        FieldKind::Checkbox | FieldKind::Radio => {
            set_checked(element, value == "true", deadline).await
        }
    }
}

/// Chooses options of a drop-down, by value or label.
pub async fn select_option(
    element: &Element,
    values: &[&str],
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let quoted: Vec<_> = values.iter().map(|value| quote(value)).collect();
    let chosen = match &quoted[..] {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let line = format!("await page.{locator}.selectOption({chosen});");
    let done = Done::begin(&element.page, line);
    aim::wait(element, "selectOption", FOR_CHOICE, deadline).await?;
    let _: Value = element.ask("select", values, deadline).await?;
    Ok(done)
}

/// Checks or unchecks a box with a click, unless it is so already.
pub async fn set_checked(
    element: &Element,
    wanted: bool,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let name = if wanted { "check" } else { "uncheck" };
    let done = Done::begin(&element.page, format!("await page.{locator}.{name}();"));
    let before: CheckState = element.ask("checkState", (), deadline).await?;
    if before.checked == wanted {
        return Ok(done);
    }
    if before.is_radio && !wanted {
        return Err(ToolError::Argument(
            "A radio button cannot be unchecked. Check another one of its group.".to_owned(),
        ));
    }
    let point = aim::point(element, name, FOR_MOUSE, deadline).await?;
    let clicked = element
        .page
        .input()
        .click(point, &Clicks::default(), deadline)
        .await;
    let is_blocked = clicked.is_err();
    unless_failed(clicked)?;
    if is_blocked {
        // The page stands still behind a dialog and cannot be asked.
        return Ok(done);
    }
    let after: CheckState = element.ask("checkState", (), deadline).await?;
    if after.checked == wanted {
        return Ok(done);
    }
    Err(ToolError::Argument(
        "The click did not change whether it is checked: the page prevents it. Take a snapshot to see what it wants."
            .to_owned(),
    ))
}
