//! Dragging elements, and dropping things on them.

use serde_json::{Map, Value};

use super::aim::{self, FOR_HOVER, FOR_MOUSE};
use super::done::{Done, unless_failed};
use crate::native::deadline::Deadline;
use crate::native::input::Point;
use crate::native::page::{Element, Page, ToolError};
use crate::native::protocol::input::{DragData, DragDataItem};
use crate::native::tools::options;

/// Copy, link or move: whatever the page wants to make of it.
const ANY_OPERATION: i64 = 1 | 2 | 16;

/// Drags one element onto another.
pub async fn drag(from: &Element, to: &Element, deadline: Deadline) -> Result<Done, ToolError> {
    let dragged = from.describe(deadline).await?.locator;
    let target = to.describe(deadline).await?.locator;
    let line = format!("await page.{dragged}.dragTo(page.{target});");
    let done = Done::begin(&from.page, line);
    // The other end first: looking for the beginning may scroll, and the mouse begins there.
    aim::point(to, "dragTo", FOR_HOVER, deadline).await?;
    let start = aim::point(from, "dragTo", FOR_MOUSE, deadline).await?;
    let end = aim::point(to, "dragTo", FOR_HOVER, deadline).await?;
    unless_failed(from.page.input().drag(start, end, deadline).await)?;
    Ok(done)
}

/// Drags from place to place.
pub async fn mouse_drag(
    page: &Page,
    from: Point,
    to: Point,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let code = vec![
        format!(
            "// Drag mouse from ({}, {}) to ({}, {})",
            from.x, from.y, to.x, to.y
        ),
        format!("await page.mouse.move({}, {});", from.x, from.y),
        "await page.mouse.down();".to_owned(),
        format!("await page.mouse.move({}, {});", to.x, to.y),
        "await page.mouse.up();".to_owned(),
    ];
    let done = Done::begin_all(page, code);
    unless_failed(page.input().drag(from, to, deadline).await)?;
    Ok(done)
}

/// Drops files or data on an element. The paths are known to be ones that may be given away.
pub async fn drop(
    element: &Element,
    paths: &[String],
    data: &Map<String, Value>,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let locator = element.describe(deadline).await?.locator;
    let line = format!("await page.{locator}.drop({});", payload(paths, data));
    let done = Done::begin(&element.page, line);
    let point = aim::point(element, "drop", FOR_HOVER, deadline).await?;
    let items = data.iter().map(|(kind, value)| DragDataItem {
        mime_type: kind.clone(),
        data: value.as_str().unwrap_or_default().to_owned(),
        ..DragDataItem::default()
    });
    let dragged = DragData {
        items: items.collect(),
        files: paths.to_vec(),
        drag_operations_mask: ANY_OPERATION,
    };
    unless_failed(element.page.input().drop_at(point, dragged, deadline).await)?;
    Ok(done)
}

/// What was dropped, as Playwright writes it.
fn payload(paths: &[String], data: &Map<String, Value>) -> String {
    let mut members = Map::new();
    match paths {
        [] => {}
        [one] => drop_in(&mut members, "files", one.as_str()),
        several => drop_in(&mut members, "files", several),
    }
    if !data.is_empty() {
        drop_in(&mut members, "data", data.clone());
    }
    options(&members)
}

fn drop_in(members: &mut Map<String, Value>, name: &str, value: impl Into<Value>) {
    members.insert(name.to_owned(), value.into());
}
