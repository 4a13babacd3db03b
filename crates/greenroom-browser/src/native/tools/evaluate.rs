//! `browser_evaluate`.

use serde_json::Value;

use super::arguments::Arguments;
use super::code::{is_function, quote};
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::page::{Given, ToolError};
use crate::native::settle::Effect;

/// In the place of a result.
const LEFT: &str = "The page went to another address before the code returned anything.";

pub(super) async fn evaluate(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let code = arguments.required("function")?;
    let page = work.page().await?;
    let (given, locator) = match arguments.text("target") {
        None => {
            let running = unless_left(page.evaluate(code, work.deadline));
            (
                work.settled(&page, Effect::Told, running).await?,
                String::new(),
            )
        }
        Some(target) => {
            let element = page.find(target, work.deadline).await?;
            let described = element.describe(work.deadline).await?;
            let running = unless_left(element.evaluate(code, work.deadline));
            let given = work.settled(&page, Effect::Told, running).await;
            page.release_elements();
            (given?, format!("{}.", described.locator))
        }
    };
    let text = match &given {
        Some(given) => show(given)?,
        None => LEFT.to_owned(),
    };
    let function = if is_function(code) {
        code.to_owned()
    } else {
        format!("() => ({code})")
    };
    let answer = Answer::default().ran(format!(
        "await page.{locator}evaluate({});",
        quote(&function)
    ));
    Ok(answer.result_or_file("Evaluation result", text, arguments.text("filename")))
}

/// What the code gave; none if it led elsewhere before it could give anything, which may well be
/// what it was for.
async fn unless_left(
    running: impl Future<Output = Result<Given, ToolError>>,
) -> Result<Option<Given>, ToolError> {
    match running.await {
        Err(ToolError::Navigated { .. }) => Ok(None),
        given => given.map(Some),
    }
}

/// The value as JSON with indents, as upstream prints it.
fn show(given: &Given) -> Result<String, ToolError> {
    let Some(value) = &given.value else {
        return Ok("undefined".to_owned());
    };
    let shown = serde_json::from_str::<Value>(value.get())
        .and_then(|value| serde_json::to_string_pretty(&value));
    shown.map_err(|error| {
        ToolError::Argument(format!(
            "The result cannot be read ({error}). Return something smaller or simpler."
        ))
    })
}
