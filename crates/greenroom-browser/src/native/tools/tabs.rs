//! `browser_tabs`.

use super::address::complete;
use super::arguments::Arguments;
use super::code::quote;
use super::navigate::go;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::page::{Page, ToolError};

pub(super) async fn tabs(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let answer = match arguments.required("action")? {
        "list" => {
            if work.room.tabs().current().is_none() {
                work.room.new_tab(work.deadline).await?;
            }
            Answer::default()
        }
        "new" => open(work, arguments.text("url")).await?,
        "close" => close(work, arguments.whole("index")).await?,
        "select" => {
            let index = arguments.whole("index");
            let index = index.ok_or_else(|| arguments.missing("index", "the number of a tab"))?;
            work.room
                .show_tab(&tab(work, index)?, work.deadline)
                .await?;
            Answer::default()
        }
        other => {
            return Err(ToolError::Argument(format!(
                "There is no action \"{other}\". Use list, new, close or select."
            )));
        }
    };
    Ok(Answer {
        lists_tabs: true,
        ..answer
    })
}

async fn open(work: &Work, url: Option<&str>) -> Result<Answer, ToolError> {
    let url = url.map(complete).transpose()?;
    let page = work.room.new_tab(work.deadline).await?;
    let Some(url) = url else {
        return Ok(Answer::default());
    };
    go(&page, &url, work.deadline).await?;
    Ok(Answer::showing().ran(format!("await page.goto({});", quote(&url))))
}

async fn close(work: &Work, index: Option<usize>) -> Result<Answer, ToolError> {
    let page = match index {
        Some(index) => Some(tab(work, index)?),
        None => work.room.tabs().current(),
    };
    if let Some(page) = page {
        work.room.close_tab(&page, work.deadline).await?;
    }
    Ok(Answer::default())
}

fn tab(work: &Work, index: usize) -> Result<Page, ToolError> {
    let mut all = work.room.tabs().list();
    if index >= all.len() {
        return Err(ToolError::Argument(format!(
            "Tab {index} not found: there are {}. List them with action \"list\".",
            all.len()
        )));
    }
    Ok(all.swap_remove(index))
}
