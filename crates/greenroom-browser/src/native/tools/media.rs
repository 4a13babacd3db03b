//! `browser_emulate_media`.

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions;
use crate::native::answer::Answer;
use crate::native::page::ToolError;

/// The arguments, and what each may be.
const FEATURES: &[(&str, &[&str])] = &[
    ("colorScheme", &["light", "dark"]),
    ("contrast", &["more", "no-preference"]),
    ("forcedColors", &["active", "none"]),
    ("media", &["screen", "print"]),
    ("reducedMotion", &["reduce", "no-preference"]),
];

pub(super) async fn emulate(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let mut changes = Vec::new();
    for (name, values) in FEATURES {
        if arguments.is_null(name) {
            changes.push((*name, None));
        } else if let Some(value) = arguments.value(name) {
            let value = value.as_str().filter(|value| values.contains(value));
            let kind = || arguments.missing(name, &format!("{} or null", values.join(", ")));
            changes.push((*name, Some(value.ok_or_else(kind)?)));
        }
    }
    if changes.is_empty() {
        return Err(ToolError::Argument(
            "Specify at least one media feature to emulate, such as colorScheme.".to_owned(),
        ));
    }
    let page = work.page().await?;
    let done = actions::emulate_media(&page, &changes, work.deadline).await?;
    Ok(Answer::default().with(done))
}
