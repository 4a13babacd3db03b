//! Tools that act on elements with mouse and keyboard.

use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::steps::Steps;
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
    let (slowly, submit) = (arguments.flag("slowly"), arguments.flag("submit"));
    let element = element(work, arguments).await?;
    let typing = async {
        let steps = Steps::begin(&element.page);
        let mut done = match slowly {
            true => actions::press_sequentially(&element, text, work.deadline).await?,
            false => actions::fill(&element, text, work.deadline).await?,
        };
        if !submit {
            return Ok(done);
        }
        if steps.may_go_on(work.deadline).await {
            let submitted = actions::submit(&element, work.deadline).await?;
            done.code.extend(submitted.code);
        } else {
            let left = steps.stopped("press Enter in the field");
            done.result = Some(match done.result {
                Some(before) => format!("{before}\n{left}"),
                None => left,
            });
        }
        Ok(done)
    };
    let answer = finish(work, &element, typing).await?;
    // As upstream: what only filled a field is not worth a look at the whole page.
    Ok(match slowly || submit {
        true => answer,
        false => answer.unseen(),
    })
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
    let data = arguments.value("data").and_then(Value::as_object);
    let has_paths = arguments
        .texts("paths")
        .is_some_and(|paths| !paths.is_empty());
    if !has_paths && data.is_none_or(Map::is_empty) {
        return Err(ToolError::Argument(
            "At least one of \"paths\" or \"data\" must be provided. Add one of them.".to_owned(),
        ));
    }
    let mut paths = Vec::new();
    for path in arguments.texts("paths").unwrap_or_default() {
        let path = work.room.given().check(path).await?;
        paths.push(path.to_string_lossy().into_owned());
    }
    let data = data.cloned().unwrap_or_default();
    let element = element(work, arguments).await?;
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
