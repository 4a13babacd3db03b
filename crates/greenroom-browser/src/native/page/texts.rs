//! Waits for a text, in whichever frame it comes or goes.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::json;

use super::error::ToolError;
use super::frame::Frame;
use super::{Books, Page};
use crate::native::deadline::Deadline;
use crate::native::protocol::{FrameId, LoaderId};

/// What a frame may take to say that it has waited in vain.
const ANSWERING: Duration = Duration::from_millis(500);

#[derive(Debug, Deserialize)]
struct Waited {
    ok: bool,
}

/// Which documents there are.
type Documents = Vec<(FrameId, LoaderId)>;

impl Page {
    /// Whether a text is seen in any frame, or with `is_gone` in none any more, before `patience`
    /// has passed.
    pub(crate) async fn wait_for_text(
        &self,
        text: &str,
        is_gone: bool,
        patience: Duration,
        deadline: Deadline,
    ) -> Result<bool, ToolError> {
        let end = Deadline::after(patience);
        loop {
            let documents = self.read(documents);
            let timeout = u64::try_from(end.left().as_millis()).unwrap_or(u64::MAX);
            let wanted = json!({ "text": text, "gone": is_gone, "timeout": timeout });
            let looking = look(self, &documents, &wanted, is_gone, deadline);
            let others = self.until(|books| (self::documents(books) != documents).then_some(()));
            tokio::select! {
                biased;
                found = looking => {
                    let found = found?;
                    if found || end.has_passed() {
                        return Ok(found);
                    }
                }
                // There are other documents now, and the text may be in one of them.
                changed = others => changed.ok_or(ToolError::PageClosed)?,
                () = tokio::time::sleep(end.left() + ANSWERING) => return Ok(false),
            }
        }
    }
}

fn documents(books: &Books) -> Documents {
    let all = books.frames.all();
    let mut all: Documents = all
        .map(|(id, info)| (id.clone(), info.load.loader.clone()))
        .collect();
    all.sort();
    all
}

/// Asks all frames at once: one that has the text is enough, and none may have it when it is to go.
async fn look(
    page: &Page,
    documents: &Documents,
    wanted: &serde_json::Value,
    is_gone: bool,
    deadline: Deadline,
) -> Result<bool, ToolError> {
    let frames = documents.iter().map(|(id, _)| page.frame(id.clone()));
    let mut asked: FuturesUnordered<_> = frames
        .map(|frame| async move {
            let waited = frame.ask::<Waited>("waitForText", wanted, deadline).await;
            (frame, waited)
        })
        .collect();
    while let Some((frame, waited)) = asked.next().await {
        let ok = match waited {
            Ok(waited) => waited.ok,
            Err(error) if is_main(page, &frame) || error.is_fatal() => return Err(error),
            // What cannot be looked into, or has gone, shows nothing.
            Err(_) => is_gone,
        };
        if ok != is_gone {
            return Ok(ok);
        }
    }
    Ok(is_gone)
}

fn is_main(page: &Page, frame: &Frame) -> bool {
    page.read(|books| books.frames.main() == frame.id())
}
