//! Tools that act on elements with mouse and keyboard.

use serde_json::Value;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, Done};
use crate::native::answer::Answer;
use crate::native::input::{Button, Clicks, Modifier};
use crate::native::page::{Element, ToolError};
use crate::native::settle::Effect;

pub(super) async fn click(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let button = arguments.text("button").unwrap_or("left");
    let button = Button::named(button)
        .ok_or_else(|| arguments.missing("button", "left, right or middle"))?;
    let mut modifiers = Vec::new();
    for name in arguments.texts("modifiers").unwrap_or_default() {
        let modifier = Modifier::named(name).ok_or_else(|| {
            arguments.missing(
                "modifiers",
                "a list of Alt, Control, ControlOrMeta, Meta, Shift",
            )
        })?;
        modifiers.push(modifier);
    }
    let clicks = Clicks {
        button,
        count: if arguments.flag("doubleClick") { 2 } else { 1 },
        modifiers,
        ..Clicks::default()
    };
    let element = element(work, arguments).await?;
    let clicking = actions::click(&element, &clicks, work.deadline);
    finish(work, &element, clicking).await
}

pub(super) async fn hover(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let element = element(work, arguments).await?;
    let hovering = actions::hover(&element, work.deadline);
    finish(work, &element, hovering).await
}

pub(super) async fn select_option(
    work: &Work,
    arguments: &Arguments<'_>,
) -> Result<Answer, ToolError> {
    let values = arguments.texts("values");
    let values = values.ok_or_else(|| arguments.missing("values", "a list of texts"))?;
    let element = element(work, arguments).await?;
    let selecting = actions::select_option(&element, &values, work.deadline);
    finish(work, &element, selecting).await
}

pub(super) async fn type_text(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let text = arguments.any_text("text");
    let text = text.ok_or_else(|| arguments.missing("text", "a text"))?;
    let element = element(work, arguments).await?;
    let typing = async {
        let mut done = if arguments.flag("slowly") {
            actions::press_sequentially(&element, text, work.deadline).await?
        } else {
            actions::fill(&element, text, work.deadline).await?
        };
        if arguments.flag("submit") {
            let submitted = actions::submit(&element, work.deadline).await?;
            done.code.extend(submitted.code);
        }
        Ok(done)
    };
    finish(work, &element, typing).await
}

pub(super) async fn drag(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let from = page
        .find(arguments.required("startTarget")?, work.deadline)
        .await?;
    let to = page
        .find(arguments.required("endTarget")?, work.deadline)
        .await?;
    let dragging = actions::drag(&from, &to, work.deadline);
    finish(work, &from, dragging).await
}

pub(super) async fn drop_on(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let mut paths = Vec::new();
    for path in arguments.texts("paths").unwrap_or_default() {
        let path = work.room.given().check(path).await?;
        paths.push(path.to_string_lossy().into_owned());
    }
    let data = arguments.value("data").and_then(Value::as_object).cloned();
    let element = element(work, arguments).await?;
    let data = data.unwrap_or_default();
    let dropping = actions::drop(&element, &paths, &data, work.deadline);
    finish(work, &element, dropping).await
}

async fn element(work: &Work, arguments: &Arguments<'_>) -> Result<Element, ToolError> {
    let target = arguments.required("target")?;
    work.page().await?.find(target, work.deadline).await
}

/// Acts, waits for what that has set in motion, and shows the page.
async fn finish(
    work: &Work,
    element: &Element,
    action: impl Future<Output = Result<Done, ToolError>>,
) -> Result<Answer, ToolError> {
    let done = work.settled(&element.page, Effect::Drawn, action).await;
    element.page.release_elements();
    Ok(Answer::showing().with(done?))
}
