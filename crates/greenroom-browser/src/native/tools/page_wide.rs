//! Tools that act on a page as a whole, or on several elements of it.

use serde_json::Value;

use super::arguments::Arguments;
use super::steps::Steps;
use super::work::Work;
use crate::native::actions::{self, Done, FieldKind};
use crate::native::answer::Answer;
use crate::native::page::{Page, ToolError};
use crate::native::settle::Effect;

pub(super) async fn press_key(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let key = arguments.required("key")?;
    let page = work.page().await?;
    let pressing = actions::press_key(&page, key, work.deadline);
    let done = work.settled(&page, Effect::Drawn, pressing).await?;
    // As upstream: of all keys, this one is for going on to something else.
    let answer = match key {
        "Enter" => Answer::showing(),
        _ => Answer::default(),
    };
    Ok(answer.with(done))
}

pub(super) async fn resize(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let side = |name: &str| {
        let pixels = arguments
            .whole(name)
            .and_then(|pixels| u32::try_from(pixels).ok());
        let pixels = pixels.filter(|pixels| *pixels > 0);
        pixels.ok_or_else(|| arguments.missing(name, "a number of pixels"))
    };
    let (width, height) = (side("width")?, side("height")?);
    let page = work.page().await?;
    let done = actions::resize(&page, width, height, work.deadline).await?;
    Ok(Answer::default().with(done))
}

pub(super) async fn fill_form(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let fields = arguments.value("fields").and_then(Value::as_array);
    let fields = fields.ok_or_else(|| arguments.missing("fields", "a list of fields"))?;
    let page = work.page().await?;
    let filling = async {
        let steps = Steps::begin(&page);
        let mut all = Done::default();
        for (at, field) in fields.iter().enumerate() {
            if at > 0 && !steps.may_go_on(work.deadline).await {
                all.result = Some(steps.stopped(&unfilled(&fields[at..])));
                break;
            }
            all.code.extend(fill_field(work, &page, field).await?.code);
        }
        Ok(all)
    };
    let done = work.settled(&page, Effect::Drawn, filling).await;
    page.release_elements();
    Ok(Answer::default().with(done?))
}

/// The fields that are left, by the names that the agent gave them.
fn unfilled(fields: &[Value]) -> String {
    let name = |field: &Value| {
        let name = field["name"].as_str().or(field["target"].as_str());
        name.unwrap_or("a field").to_owned()
    };
    let names: Vec<_> = fields.iter().map(name).collect();
    format!("fill {}", names.join(", "))
}

async fn fill_field(work: &Work, page: &Page, field: &Value) -> Result<Done, ToolError> {
    let text = |name: &str| {
        field[name].as_str().ok_or_else(|| {
            ToolError::Argument(format!(
                "A field needs target, type and value as texts; \"{name}\" is missing in {field}. Add it and call again."
            ))
        })
    };
    let kind = match text("type")? {
        "textbox" => FieldKind::Textbox,
        "checkbox" => FieldKind::Checkbox,
        "radio" => FieldKind::Radio,
        "combobox" => FieldKind::Combobox,
        "slider" => FieldKind::Slider,
        other => {
            return Err(ToolError::Argument(format!(
                "There is no field of type {other}. Use textbox, checkbox, radio, combobox or slider."
            )));
        }
    };
    let element = page.find(text("target")?, work.deadline).await?;
    actions::fill_field(&element, kind, text("value")?, work.deadline).await
}
