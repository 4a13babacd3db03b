//! What is said of an answer that is too long to be given.

use std::fmt::Write as _;

use super::{Mode, Shaping, texts};
use crate::service::{Answer, Metadata};
use crate::snapshot::Outline;

/// What is shown of a text that is no page.
const HEAD_LINES: usize = 20;
const HEAD_BYTES: usize = 1024;

/// The facts, then what is short enough, then an outline, then how to read the rest.
pub(super) fn text(answer: &Answer, shaping: &Shaping<'_>) -> String {
    let said = texts(answer).collect::<Vec<_>>().join("\n");
    let mut text = facts(shaping.ref_id, shaping.metadata);
    if answer.is_error {
        let end = said.floor_char_boundary(shaping.rules.inline_max);
        return format!("{}\n{text}", &said[..end]);
    }
    if shaping.mode == Mode::Auto {
        match shaping.snapshot {
            Some(page) => {
                let rest = without_page(&said, page);
                if rest.len() <= shaping.rules.inline_max {
                    let _ = write!(text, "\n{rest}");
                }
                let _ = write!(text, "\n### Outline\n{}", Outline::of_text(page).to_text());
            }
            None => {
                let _ = write!(text, "\n### Begins with\n{}", head(&said));
            }
        }
    }
    let _ = write!(text, "\n{}", how_to_read(shaping));
    text
}

fn facts(ref_id: &str, metadata: &Metadata) -> String {
    let Metadata {
        tool,
        status,
        has_snapshot,
        has_console_logs,
        console_error_count,
        bytes,
        url,
        title,
    } = metadata;
    let mut text = format!(
        "### Stored as {ref_id}\n- tool: {tool}\n- status: {status}\n- has_snapshot: {has_snapshot}\n\
         - has_console_logs: {has_console_logs}\n- console_error_count: {console_error_count}\n\
         - bytes: {bytes}"
    );
    for (name, value) in [("url", url), ("title", title)] {
        if let Some(value) = value {
            let _ = write!(text, "\n- {name}: {value}");
        }
    }
    text
}

/// What was said around the page. The engine prints the page between fences.
fn without_page(said: &str, page: &str) -> String {
    let Some(start) = said.find(page) else {
        return String::new();
    };
    let (before, after) = (&said[..start], &said[start + page.len()..]);
    let before = before.trim_end().trim_end_matches("```yaml").trim_end();
    let before = before.strip_suffix("### Snapshot").unwrap_or(before);
    let after = after.trim_start().trim_start_matches("```");
    format!("{}\n{}", before.trim(), after.trim())
        .trim()
        .to_owned()
}

fn head(said: &str) -> String {
    let lines: Vec<&str> = said.lines().take(HEAD_LINES).collect();
    let head = lines.join("\n");
    let end = head.floor_char_boundary(HEAD_BYTES);
    format!("{}…", &head[..end])
}

fn how_to_read(shaping: &Shaping<'_>) -> &'static str {
    if shaping.metadata.has_snapshot {
        "Read it with get_content and this ref_id: search_for finds lines with their refs, query \
         takes JMESPath, offset and limit take a part, mode \"diff\" only what changed since you \
         last read this page."
    } else {
        "Read it with get_content and this ref_id: search_for finds lines, offset and limit take \
         a part."
    }
}
