//! The snapshot of a page: those of its frames, each put where its frame is.

use futures_util::future::{BoxFuture, join_all};
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::frame::Frame;
use super::{Element, Page, content};
use crate::native::deadline::Deadline;

/// How deep frames within frames are looked into; a page may nest them without end.
const DEEPEST: usize = 10;

/// What is wanted of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SnapshotOptions {
    /// How many levels are shown; all, if none is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How long it may be, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u32>,
    /// Whether each element says where it is.
    pub boxes: bool,
}

/// A snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Its text.
    pub text: String,
    frames: Vec<Inset>,
}

/// A frame among the lines of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Inset {
    #[serde(rename = "ref")]
    reference: String,
    line: usize,
    depth: u32,
}

impl Page {
    /// The whole page, or what is in one element of it.
    pub async fn snapshot(
        &self,
        of: Option<&Element>,
        options: &SnapshotOptions,
        deadline: Deadline,
    ) -> Result<String, ToolError> {
        match of {
            None => whole(self.main_frame(), options.clone(), 0, deadline).await,
            Some(element) => {
                let shot: Snapshot = element.ask("snapshotOf", options, deadline).await?;
                fill_in(&element.frame, shot, options, 0, deadline).await
            }
        }
    }
}

fn whole(
    frame: Frame,
    options: SnapshotOptions,
    level: usize,
    deadline: Deadline,
) -> BoxFuture<'static, Result<String, ToolError>> {
    Box::pin(async move {
        let shot: Snapshot = frame.ask("snapshot", &options, deadline).await?;
        fill_in(&frame, shot, &options, level, deadline).await
    })
}

/// Puts the snapshots of the frames in it into a snapshot.
async fn fill_in(
    frame: &Frame,
    shot: Snapshot,
    options: &SnapshotOptions,
    level: usize,
    deadline: Deadline,
) -> Result<String, ToolError> {
    if shot.frames.is_empty() || level == DEEPEST {
        return Ok(shot.text);
    }
    let insets = shot
        .frames
        .iter()
        .map(|inset| inside(frame, inset, options, level, deadline));
    let insets = join_all(insets).await;
    let mut lines: Vec<String> = shot.text.lines().map(str::to_owned).collect();
    for (inset, text) in shot.frames.iter().zip(insets) {
        // A frame that cannot be looked into is an element without content, as in any browser.
        if let Some(text) = text?.filter(|text| !text.is_empty())
            && let Some(line) = lines.get_mut(inset.line)
        {
            put_below(line, &text, inset.depth);
        }
    }
    Ok(lines.join("\n"))
}

fn put_below(line: &mut String, text: &str, depth: u32) {
    line.push(':');
    let indent = "  ".repeat(depth as usize + 1);
    for inner in text.lines() {
        line.push('\n');
        line.push_str(&indent);
        line.push_str(inner);
    }
}

/// The snapshot of a frame within another one; none if it has gone or shows nothing.
async fn inside(
    frame: &Frame,
    inset: &Inset,
    options: &SnapshotOptions,
    level: usize,
    deadline: Deadline,
) -> Result<Option<String>, ToolError> {
    let mut options = options.clone();
    if let Some(depth) = options.depth.filter(|depth| *depth > 0) {
        // What is in a frame is shown by its beginning at least, as upstream does.
        options.depth = Some(depth.saturating_sub(inset.depth + 1).max(1));
    }
    let looked = async {
        let holder = frame.element("resolve", &inset.reference, deadline).await?;
        match content::frame_in(&holder, deadline).await? {
            Some(child) => whole(child, options, level + 1, deadline).await.map(Some),
            None => Ok(None),
        }
    };
    match looked.await {
        Err(error) if error.is_fatal() => Err(error),
        Err(_) => Ok(None),
        Ok(text) => Ok(text),
    }
}
