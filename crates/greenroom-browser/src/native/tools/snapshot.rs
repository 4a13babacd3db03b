//! `browser_snapshot`.

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::{Answer, Shown};
use crate::native::page::{SnapshotOptions, ToolError};

pub(super) async fn snapshot(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    // The tab must be there before the answer shows it.
    work.page().await?;
    let depth = arguments
        .whole("depth")
        .and_then(|depth| u32::try_from(depth).ok());
    let shown = Shown::Part {
        target: arguments.text("target").map(str::to_owned),
        options: SnapshotOptions {
            depth,
            bytes: None,
            boxes: arguments.flag("boxes"),
        },
        filename: arguments.text("filename").map(str::to_owned),
    };
    Ok(Answer {
        shown,
        ..Answer::default()
    })
}
