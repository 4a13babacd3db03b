//! Tools that act where an agent points, without an element.

use std::time::Duration;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, Done};
use crate::native::answer::Answer;
use crate::native::input::{Button, Clicks, Point};
use crate::native::page::{Page, ToolError};
use crate::native::settle::Effect;

/// The longest that a button is held down in a click.
const LONGEST_HOLD: f64 = 30_000.0;

pub(super) async fn mouse(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let acting = act(work, &page, arguments);
    let done = work.settled(&page, Effect::Drawn, acting).await?;
    let answer = match work.call.tool.as_str() {
        "browser_mouse_click_xy" | "browser_mouse_drag_xy" => Answer::showing(),
        _ => Answer::default(),
    };
    Ok(answer.with(done))
}

async fn act(work: &Work, page: &Page, arguments: &Arguments<'_>) -> Result<Done, ToolError> {
    let deadline = work.deadline;
    let asked = arguments.given(&["button", "clickCount", "delay"]);
    match work.call.tool.as_str() {
        "browser_mouse_move_xy" => {
            actions::mouse_move(page, point(arguments, "x", "y")?, deadline).await
        }
        "browser_mouse_click_xy" => {
            let at = point(arguments, "x", "y")?;
            actions::mouse_click(page, at, &clicks(arguments)?, &asked, deadline).await
        }
        "browser_mouse_drag_xy" => {
            let from = point(arguments, "startX", "startY")?;
            let to = point(arguments, "endX", "endY")?;
            actions::mouse_drag(page, from, to, deadline).await
        }
        "browser_mouse_down" => {
            actions::mouse_down(page, button(arguments)?, &asked, deadline).await
        }
        "browser_mouse_up" => actions::mouse_up(page, button(arguments)?, &asked, deadline).await,
        _ => {
            let by = Point {
                x: arguments.number("deltaX").unwrap_or_default(),
                y: arguments.number("deltaY").unwrap_or_default(),
            };
            actions::mouse_wheel(page, by, deadline).await
        }
    }
}

fn clicks(arguments: &Arguments<'_>) -> Result<Clicks, ToolError> {
    let count = arguments.whole("clickCount").unwrap_or(1);
    let hold = arguments.number("delay").unwrap_or_default();
    if !(0.0..=LONGEST_HOLD).contains(&hold) {
        return Err(arguments.missing("delay", "a number of milliseconds up to 30000"));
    }
    Ok(Clicks {
        button: button(arguments)?,
        count: u32::try_from(count).unwrap_or(1).max(1),
        hold: Duration::from_secs_f64(hold / 1000.0),
        ..Clicks::default()
    })
}

fn point(arguments: &Arguments<'_>, x: &str, y: &str) -> Result<Point, ToolError> {
    let number = |name: &str| {
        let number = arguments.number(name);
        number.ok_or_else(|| arguments.missing(name, "a number of pixels"))
    };
    Ok(Point {
        x: number(x)?,
        y: number(y)?,
    })
}

fn button(arguments: &Arguments<'_>) -> Result<Button, ToolError> {
    let name = arguments.text("button").unwrap_or("left");
    Button::named(name).ok_or_else(|| arguments.missing("button", "left, right or middle"))
}
