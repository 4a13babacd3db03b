//! What has happened since the last answer: console messages and downloads.

use std::path::Path;

use crate::call::{ConsoleLevel, ReplyFile};
use bytes::Bytes;
use tokio::io::AsyncReadExt as _;

use crate::media_type::media_type;
use crate::native::events::{Download, DownloadNews, Message, level_of};

/// How much of the console is part of an answer; the rest is to be had by its tool.
const LINES: usize = 20;
const COLUMNS: usize = 300;

/// How much of downloads is handed over with one answer, all of them together.
const LARGEST: u64 = 64 << 20;

/// New console messages as lines, indented so that none can pass for a title. What is only there to
/// find faults with is left to the tool.
pub(super) fn console_lines(messages: &[Message]) -> Vec<String> {
    let is_told = |message: &&Message| level_of(&message.kind) != ConsoleLevel::Debug;
    let messages: Vec<&Message> = messages.iter().filter(is_told).collect();
    if messages.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("- New console entries: {}", messages.len())];
    let all: Vec<String> = messages.iter().map(|message| message.line()).collect();
    let said: Vec<&str> = all.iter().flat_map(|message| message.lines()).collect();
    for line in said.iter().take(LINES) {
        let cut = if line.chars().nth(COLUMNS).is_some() {
            "…"
        } else {
            ""
        };
        let shown: String = line.chars().take(COLUMNS).collect();
        lines.push(format!("  {shown}{cut}"));
    }
    if said.len() > LINES {
        lines.push("  … see them all with browser_console_messages".to_owned());
    }
    lines
}

/// Downloads as lines, and the files of those that are complete.
pub(super) async fn downloads(
    news: Vec<DownloadNews>,
    directory: Option<&Path>,
) -> (Vec<String>, Vec<ReplyFile>) {
    let (mut lines, mut files) = (Vec::new(), Vec::new());
    let mut left = LARGEST;
    for news in news {
        match news {
            DownloadNews::Began(Download { name, .. }) => {
                lines.push(format!("- Downloading file {name} ..."));
            }
            DownloadNews::Canceled(Download { name, .. }) => {
                lines.push(format!("- Download of {name} was canceled"));
            }
            DownloadNews::Completed(download) => {
                let note = match take(&download, directory, left).await {
                    Ok(file) => {
                        left = left.saturating_sub(file.bytes.len() as u64);
                        files.push(file);
                        String::new()
                    }
                    Err(note) => note,
                };
                lines.push(format!("- Downloaded file {}{note}", download.name));
            }
        }
    }
    (lines, files)
}

/// Takes the file of a download; its name was chosen by the browser and is no path.
async fn take(
    download: &Download,
    directory: Option<&Path>,
    left: u64,
) -> Result<ReplyFile, String> {
    let not_kept = |_: std::io::Error| " (not kept)".to_owned();
    let directory = directory.ok_or_else(|| " (not kept)".to_owned())?;
    let path = directory.join(&download.guid);
    let file = tokio::fs::File::open(&path).await.map_err(not_kept)?;
    let length = file.metadata().await.map_err(not_kept)?.len();
    if length > left {
        // It would only fill the disk: nothing can be done with it.
        let _ = tokio::fs::remove_file(&path).await;
        return Err(format!(" (too large to keep: {length} bytes)"));
    }
    let mut bytes = Vec::new();
    file.take(left)
        .read_to_end(&mut bytes)
        .await
        .map_err(not_kept)?;
    // What was handed over is not kept twice; the world's end removes it otherwise.
    let _ = tokio::fs::remove_file(&path).await;
    Ok(ReplyFile {
        title: "Download".to_owned(),
        mime_type: media_type(&download.name),
        name: download.name.clone(),
        bytes: Bytes::from(bytes),
    })
}
