//! An outline as lines, in the words of the snapshot that it stands for.

use super::{Heading, Landmark, Outline};

/// What an outline may take, in bytes.
const MAX_TEXT: usize = 2048;
/// What its landmarks may take of that: the headings say more about a page.
const MAX_LANDMARKS_TEXT: usize = 640;
/// What is kept back for the lines that say what was left out.
const RESERVE: usize = 64;

pub(super) fn write(outline: &Outline) -> String {
    let lines = match outline.lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    };
    let mut text = format!("{lines}: {}\n", outline.counts);
    let landmarks = outline.landmarks.iter().map(landmark_line);
    let limit = text.len() + MAX_LANDMARKS_TEXT;
    let shown = section(&mut text, "Landmarks:\n", landmarks, limit);
    let left = outline.landmarks.len() - shown + outline.more_landmarks;
    rest(&mut text, left, "landmark");

    let headings = outline.headings.iter().map(heading_line);
    let shown = section(&mut text, "Headings:\n", headings, MAX_TEXT - RESERVE);
    let left = outline.headings.len() - shown + outline.more_headings;
    rest(&mut text, left, "heading");
    text
}

/// Writes lines until the text is as long as it may be, and says how many were written.
fn section(
    text: &mut String,
    title: &str,
    lines: impl ExactSizeIterator<Item = String>,
    limit: usize,
) -> usize {
    if lines.len() > 0 {
        text.push_str(title);
    }
    let mut shown = 0;
    for line in lines {
        if text.len() + line.len() > limit {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    shown
}

fn rest(text: &mut String, left: usize, kind: &str) {
    if left > 0 {
        let plural = if left == 1 { "" } else { "s" };
        text.push_str(&format!("- … {left} more {kind}{plural}\n"));
    }
}

fn heading_line(heading: &Heading) -> String {
    let level = heading
        .level
        .map_or_else(String::new, |level| format!(" [level={level}]"));
    let name = quoted(&heading.text);
    format!(
        "- heading {name}{level}{}\n",
        reference(heading.reference.as_deref())
    )
}

fn landmark_line(landmark: &Landmark) -> String {
    let name = landmark
        .name
        .as_deref()
        .map(|name| format!(" {}", quoted(name)));
    let name = name.unwrap_or_default();
    format!(
        "- {}{name}{}\n",
        landmark.role,
        reference(landmark.reference.as_deref())
    )
}

fn reference(reference: Option<&str>) -> String {
    reference.map_or_else(String::new, |reference| format!(" [ref={reference}]"))
}

/// A name as a snapshot quotes it.
fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}
