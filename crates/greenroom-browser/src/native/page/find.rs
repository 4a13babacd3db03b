//! From what an agent calls a target to the element that it means.

use serde_json::Value;

use super::error::ToolError;
use super::{Element, Page, content};
use crate::native::deadline::Deadline;

/// Finds the element that a target means.
pub(super) async fn find(
    page: &Page,
    target: &str,
    deadline: Deadline,
) -> Result<Element, ToolError> {
    let target = target.trim();
    match document_of(target) {
        Some(number) => by_ref(page, target, number, deadline).await,
        None => by_parts(page, target, deadline).await,
    }
}

/// The number of the document that a ref belongs to; none for what is not a ref.
fn document_of(target: &str) -> Option<u32> {
    let (number, rest) = match target.strip_prefix('f') {
        Some(rest) => {
            let (number, element) = rest.split_once('e')?;
            (number.parse().ok()?, element)
        }
        None => (0, target.strip_prefix('e')?),
    };
    let is_number = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}

async fn by_ref(
    page: &Page,
    target: &str,
    number: u32,
    deadline: Deadline,
) -> Result<Element, ToolError> {
    // The document may just have been replaced, and nobody has looked at the new one yet.
    page.catch_up(deadline).await;
    let frame = page.read(|books| books.frames.numbered(number));
    let Some(frame) = frame else {
        let target = target.to_owned();
        return Err(ToolError::OtherDocument { target });
    };
    page.frame(frame).element("resolve", target, deadline).await
}

/// A selector may lead through frames: each part but the last leads to an element with a frame.
async fn by_parts(page: &Page, target: &str, deadline: Deadline) -> Result<Element, ToolError> {
    let mut frame = page.main_frame();
    if !target.contains("rame") {
        return frame.element("resolve", target, deadline).await;
    }
    let mut parts: Vec<Value> = frame.ask("parts", target, deadline).await?;
    let last = match parts.pop() {
        Some(last) if !parts.is_empty() => last,
        _ => return frame.element("resolve", target, deadline).await,
    };
    for part in parts {
        let holder = frame.element("resolve", part, deadline).await?;
        let inside = content::frame_in(&holder, deadline).await?;
        frame = inside.ok_or_else(|| {
            ToolError::Argument(format!(
                "{target} leads through an element that holds no frame. Take a snapshot and use a ref from it."
            ))
        })?;
    }
    frame.element("resolve", last, deadline).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_name_their_document_and_selectors_are_no_refs() {
        let table = [
            ("e12", Some(0)),
            ("f3e12", Some(3)),
            ("f12e1", Some(12)),
            ("e", None),
            ("f1e", None),
            ("fe1", None),
            ("e1x", None),
            ("em", None),
            ("form", None),
            ("text=e1", None),
            ("f99999999999e1", None),
            ("", None),
        ];
        for (target, expected) in table {
            assert_eq!(document_of(target), expected, "{target}");
        }
    }
}
