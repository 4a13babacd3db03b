//! Tools that act where an agent points, without an element.

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, Done};
use crate::native::answer::Answer;
use crate::native::input::{Button, Clicks, Point};
use crate::native::page::{Page, ToolError};
use crate::native::settle::Effect;

pub(super) async fn mouse(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let acting = act(work, &page, arguments);
    let done = work.settled(&page, Effect::Drawn, acting).await?;
    Ok(Answer::showing().with(done))
}

async fn act(work: &Work, page: &Page, arguments: &Arguments<'_>) -> Result<Done, ToolError> {
    let deadline = work.deadline;
    match work.call.tool.as_str() {
        "browser_mouse_move_xy" => {
            actions::mouse_move(page, point(arguments, "x", "y")?, deadline).await
        }
        "browser_mouse_click_xy" => {
            let count = arguments.whole("clickCount").unwrap_or(1);
            let clicks = Clicks {
                button: button(arguments)?,
                count: u32::try_from(count).unwrap_or(1).max(1),
                ..Clicks::default()
            };
            let at = point(arguments, "x", "y")?;
            actions::mouse_click(page, at, &clicks, deadline).await
        }
        "browser_mouse_down" => actions::mouse_down(page, button(arguments)?, deadline).await,
        "browser_mouse_up" => actions::mouse_up(page, button(arguments)?, deadline).await,
        _ => actions::mouse_wheel(page, point(arguments, "deltaX", "deltaY")?, deadline).await,
    }
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
