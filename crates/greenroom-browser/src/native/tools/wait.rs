//! `browser_wait_for`.

use std::time::Duration;

use serde_json::json;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::page::{Page, ToolError};

/// The longest that is waited for nothing.
const LONGEST: f64 = 30.0;
/// How long a text is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn wait_for(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (text, gone) = (arguments.text("text"), arguments.text("textGone"));
    let asked = arguments.number("time").filter(|time| *time > 0.0);
    if text.is_none() && gone.is_none() && asked.is_none() {
        return Err(ToolError::Argument(
            "Either time, text or textGone must be provided. Add one of them.".to_owned(),
        ));
    }
    let mut answer = Answer::showing();
    let time = asked.map(|asked| asked.min(LONGEST));
    if let Some(time) = time {
        check_time(time, work.deadline.left())?;
        tokio::time::sleep(Duration::from_secs_f64(time)).await;
        answer = answer.ran(format!(
            "await new Promise(f => setTimeout(f, {time} * 1000));"
        ));
    }
    let page = work.page().await?;
    for (text, is_gone) in [(gone, true), (text, false)] {
        let Some(text) = text else { continue };
        until_text(work, &page, text, is_gone).await?;
        let state = if is_gone { "hidden" } else { "visible" };
        answer = answer.ran(format!(
            "await page.getByText({}).first().waitFor({{ state: '{state}' }});",
            json!(text)
        ));
    }
    Ok(answer.result(told(text.or(gone), time, asked)))
}

/// A wait that the call's own deadline would end is refused at once.
fn check_time(time: f64, left: Duration) -> Result<(), ToolError> {
    let left = left.as_secs_f64();
    if time < left {
        return Ok(());
    }
    Err(ToolError::Argument(format!(
        "Waiting for {time} seconds takes longer than a call may, which is {left:.0} seconds. Wait in several calls, or raise TIMEOUT."
    )))
}

fn told(text: Option<&str>, time: Option<f64>, asked: Option<f64>) -> String {
    match (text, time, asked) {
        (Some(text), ..) => format!("Waited for {text}"),
        (None, Some(time), Some(asked)) if time < asked => {
            format!("Waited for {time} seconds (requested {asked}, maximum is {LONGEST})")
        }
        (None, time, _) => format!("Waited for {} seconds", time.unwrap_or_default()),
    }
}

async fn until_text(work: &Work, page: &Page, text: &str, is_gone: bool) -> Result<(), ToolError> {
    // The page must be able to say that it waited in vain.
    let patience = work.deadline.left().mul_f64(0.9).min(PATIENCE);
    let waited = page.wait_for_text(text, is_gone, patience, work.deadline);
    if waited.await? {
        return Ok(());
    }
    let state = if is_gone {
        "is still there"
    } else {
        "did not appear"
    };
    Err(ToolError::Waited {
        what: "locator.waitFor".to_owned(),
        after: patience,
        hint: format!(
            "The text {text:?} {state}. Take a snapshot to see what is on the page, or wait again."
        ),
    })
}
