//! The snapshot of a page: those of its frames, each put where its frame is.

use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::frame::Frame;
use super::{Element, Page, content};
use crate::native::deadline::Deadline;

/// How deep frames within frames are looked into; a page may nest them without end.
const DEEPEST: usize = 10;

/// How long a snapshot with all its frames may be where nothing else is said; our script has the
/// same limit for one frame.
const LONGEST: u32 = 16 << 20;

/// How long a frame in another process may take. One that hangs must not hide the page around it.
const PATIENCE: Duration = Duration::from_secs(3);

/// How much sooner than the one around it a frame is given up.
const SOONER: Duration = Duration::from_millis(250);

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
    let limit = options.bytes.filter(|bytes| *bytes > 0).unwrap_or(LONGEST);
    let mut left = (limit as usize).saturating_sub(shot.text.len());
    let inner = SnapshotOptions {
        bytes: Some(u32::try_from(left).unwrap_or(limit).max(1)),
        ..options.clone()
    };
    let insets = shot.frames.iter();
    let insets = insets.map(|inset| inside(frame, inset, &inner, level, deadline));
    let insets = join_all(insets).await;
    let mut lines: Vec<String> = shot.text.lines().map(str::to_owned).collect();
    for (inset, text) in shot.frames.iter().zip(insets) {
        // A frame that cannot be looked into is an element without content, as in any browser.
        if let Some(text) = text?.filter(|text| !text.is_empty())
            && let Some(line) = lines.get_mut(inset.line)
        {
            let text = fitting(text, inset, left, limit);
            left = left.saturating_sub(text.len());
            put_below(line, &text, inset.depth);
        }
    }
    Ok(lines.join("\n"))
}

/// The text of a frame if there is room for it, else where to find it.
fn fitting(text: String, inset: &Inset, left: usize, limit: u32) -> String {
    let indents = text.lines().count() * 2 * (inset.depth as usize + 1);
    if text.len() + indents <= left {
        return text;
    }
    format!(
        "# What is in this frame was left out: the snapshot is limited to {limit} bytes. To see it, call browser_snapshot with target set to {}.",
        inset.reference
    )
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
            Some(child) => {
                let is_elsewhere = child.info()?.session.id() != frame.info()?.session.id();
                let looked = match is_elsewhere {
                    false => whole(child, options, level + 1, deadline).await,
                    true => {
                        elsewhere(whole(child, options, level + 1, deadline), level, deadline).await
                    }
                };
                looked.map(Some)
            }
            None => Ok(None),
        }
    };
    match looked.await {
        Err(error) if error.is_fatal() => Err(error),
        Err(_) => Ok(None),
        Ok(text) => Ok(text),
    }
}

/// The snapshot of a frame in another process, or a word in its place if that process hangs.
async fn elsewhere(
    looking: BoxFuture<'static, Result<String, ToolError>>,
    level: usize,
    deadline: Deadline,
) -> Result<String, ToolError> {
    // One that hangs within others is given up before them, so that they can say so.
    let depth = u32::try_from(level).unwrap_or(u32::MAX);
    let patience = PATIENCE.saturating_sub(SOONER * depth);
    let looked = deadline.at_most(patience).limit(looking).await;
    let hangs =
        "# This frame does not answer: its page hangs. Take another snapshot later to see it.";
    looked.unwrap_or_else(|| Ok(hangs.to_owned()))
}
