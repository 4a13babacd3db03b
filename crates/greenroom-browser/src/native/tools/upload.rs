//! `browser_file_upload`: answers a file chooser.

use std::path::PathBuf;

use serde_json::json;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::events::{Chooser, Modal};
use crate::native::page::{Page, ToolError};
use crate::native::protocol::dom::SetFileInputFiles;
use crate::native::settle::Effect;

pub(super) async fn upload(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let chooser = page.write(|books| books.journal.take_chooser());
    let chooser = chooser.ok_or_else(|| {
        ToolError::Argument("No file chooser is open. Click what opens one first.".to_owned())
    })?;
    let answer = Answer::showing();
    let Some(paths) = arguments.texts("paths") else {
        return Ok(answer.ran("await fileChooser.setFiles(undefined)"));
    };
    let line = format!("await fileChooser.setFiles({})", json!(paths));
    page.about_to(std::slice::from_ref(&line));
    let giving = give(work, &chooser, &paths);
    if let Err(error) = work.settled(&page, Effect::Drawn, giving).await {
        put_back(&page, chooser);
        return Err(error);
    }
    Ok(answer.ran(line))
}

async fn give(work: &Work, chooser: &Chooser, paths: &[&str]) -> Result<(), ToolError> {
    if paths.len() > 1 && !chooser.is_multiple {
        return Err(ToolError::Argument(
            "The file chooser takes one file only. Call browser_file_upload with one path."
                .to_owned(),
        ));
    }
    let node = chooser.node.ok_or_else(|| {
        ToolError::Argument(
            "The page asks for files in a way that cannot be answered. Call browser_file_upload without paths to go on.".to_owned(),
        )
    })?;
    let mut files = Vec::new();
    for path in paths {
        files.push(name_of(work.room.given().check(path).await?));
    }
    let give = SetFileInputFiles {
        files,
        backend_node_id: Some(node),
        ..SetFileInputFiles::default()
    };
    chooser
        .session
        .call_within(work.deadline.left(), give)
        .await?;
    Ok(())
}

fn name_of(path: PathBuf) -> String {
    path.into_os_string().to_string_lossy().into_owned()
}

/// What was refused can be answered again.
fn put_back(page: &Page, chooser: Chooser) {
    page.write(|books| books.journal.opened(Modal::Chooser(chooser)));
}
