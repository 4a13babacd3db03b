//! JMESPath over the tree form of a page.

use greenroom_store::{PageRequest, PageStart};
use serde_json::json;

use super::content::Target;
use super::error;
use crate::dispatch::CallError;
use crate::service::{Answer, Refused};
use crate::snapshot;

/// A larger page is read in parts.
const LARGEST_PAGE: usize = 8 << 20;
/// A larger result was not asked for precisely enough.
const LARGEST_RESULT: usize = 1 << 20;

/// What the expression selects.
pub(super) async fn run(target: &Target<'_>, expression: &str) -> Result<Answer, CallError> {
    if !target.is_page() {
        return Err(error::invalid(
            "query works on pages, and this answer is none: use search_for, or offset and limit",
        ));
    }
    let request = PageRequest {
        start: PageStart::Byte(0),
        max_lines: None,
        max_bytes: LARGEST_PAGE,
    };
    let store = target.journal.store();
    let page = store.page(target.principal.clone(), target.ref_id, request);
    let page = page.await.map_err(|error| target.failed(&error))?;
    if page.next_byte.is_some() {
        return Err(too_large(
            page.total_bytes,
            LARGEST_PAGE,
            "the page",
            "use search_for",
        ));
    }
    let asked = expression.to_owned();
    // A query walks the whole page, and a large page takes much memory as a tree: not on a thread
    // that others wait for, and not many at once.
    let _turn = target.journal.turn_to_query().await;
    let running = tokio::task::spawn_blocking(move || snapshot::query_text(&page.text, &asked));
    let result = running
        .await
        .map_err(|_| error::invalid("the query broke off: write a simpler one"))?
        .map_err(|error| error::invalid(error.to_string()))?;
    let text = result.to_string();
    if text.len() > LARGEST_RESULT {
        let size = text.len() as u64;
        return Err(too_large(
            size,
            LARGEST_RESULT,
            "the result",
            "select fewer fields",
        ));
    }
    let is_empty = result.is_null() || result.as_array().is_some_and(Vec::is_empty);
    let note = match (is_empty, expression.contains("==\"")) {
        (true, true) => "nothing matches; text stands in 'single quotes', as in role=='link'",
        (true, false) => "nothing matches",
        (false, _) => "result of the query",
    };
    let data = json!({"changed": false, "result": result});
    Ok(target.answer("query", &text, note, data))
}

fn too_large(size: u64, limit: usize, what: &str, instead: &str) -> CallError {
    CallError::Reading {
        kind: Refused::TooLarge,
        message: format!("{what} has {size} bytes and a query may have {limit}: {instead}"),
    }
}
