//! A part of an answer, by lines or, where lines are too long, by bytes.

use greenroom_store::{Page, PageRequest, PageStart};
use serde_json::json;

use super::content::Target;
use super::{Arguments, error};
use crate::dispatch::CallError;
use crate::service::Answer;

/// The most that one part holds.
const MOST: usize = 256 << 10;

/// The part that the arguments ask for.
pub(super) async fn read(
    target: &Target<'_>,
    arguments: &Arguments<'_>,
) -> Result<Answer, CallError> {
    let offset = arguments.number("offset").unwrap_or_default();
    let limit = arguments.number("limit");
    let by_bytes = arguments.text("unit") == Some("bytes");
    let request = if by_bytes {
        let most = limit.map_or(MOST, |limit| usize::try_from(limit).unwrap_or(MOST));
        PageRequest {
            start: PageStart::Byte(offset),
            max_lines: None,
            max_bytes: most.min(MOST),
        }
    } else {
        PageRequest {
            start: PageStart::Line(offset),
            max_lines: limit,
            max_bytes: MOST,
        }
    };
    let page = take(target, request).await?;
    let total = if by_bytes {
        page.total_bytes
    } else {
        page.total_lines
    };
    if offset > 0 && offset >= total {
        let unit = if by_bytes { "bytes" } else { "lines" };
        return Err(error::invalid(format!(
            "offset {offset} is past the end: this answer has {total} {unit}, the first is 0"
        )));
    }
    Ok(answer(target, &page))
}

/// How a long answer begins; `None` if that is all of it.
pub(super) async fn beginning(
    target: &Target<'_>,
    longer_than: u64,
) -> Result<Option<Answer>, CallError> {
    let request = PageRequest {
        start: PageStart::Line(0),
        max_lines: None,
        max_bytes: MOST,
    };
    let page = take(target, request).await?;
    Ok((page.total_bytes > longer_than).then(|| answer(target, &page)))
}

/// How a page begins that is too long to be given at once. It counts as read.
pub(super) fn of_long_page(target: &Target<'_>, text: &str) -> Answer {
    let end = text.floor_char_boundary(MOST);
    let end = text[..end].rfind('\n').map_or(end, |last| last + 1);
    let lines = text[..end].matches('\n').count() as u64;
    let page = Page {
        text: text[..end].to_owned(),
        next_byte: Some(end as u64),
        next_line: (lines > 0).then_some(lines),
        total_lines: text.lines().count() as u64,
        total_bytes: text.len() as u64,
        ..Page::default()
    };
    answer(target, &page)
}

async fn take(target: &Target<'_>, request: PageRequest) -> Result<Page, CallError> {
    let store = target.journal.store();
    let page = store.page(target.principal.clone(), target.ref_id, request);
    page.await.map_err(|error| target.failed(&error))
}

fn answer(target: &Target<'_>, page: &Page) -> Answer {
    let lines = format!("line {} on, of {}", page.first_line, page.total_lines);
    let (next, unit) = match (page.next_line, page.next_byte) {
        (Some(line), _) => (Some(line), "lines"),
        (None, Some(byte)) => (Some(byte), "bytes"),
        (None, None) => (None, "lines"),
    };
    let more = match (next, unit) {
        (None, _) => "this is the end".to_owned(),
        (Some(next), "lines") => format!("go on with offset {next}"),
        (Some(next), _) => format!("the line is long: go on with offset {next}, unit \"bytes\""),
    };
    let data = json!({
        "changed": true,
        "offset": page.first_line,
        "next_offset": next,
        "next_unit": next.map(|_| unit),
        "total_lines": page.total_lines,
        "total_bytes": page.total_bytes,
    });
    target.answer("page", &page.text, &format!("{lines}; {more}"), data)
}
