//! What is refused before anything is done.

use crate::call::{Call, Content, Reply};

use crate::native::answer::{Answer, list_tabs};
use crate::native::events::Modal;
use crate::native::page::Page;

/// The tool that ends the world.
pub(crate) const CLOSE: &str = "browser_close";
/// The tool that wants another page, whatever became of the one before.
pub(crate) const NAVIGATE: &str = "browser_navigate";
/// The tool that answers a dialog.
pub(crate) const HANDLE_DIALOG: &str = "browser_handle_dialog";
/// The tool that answers a file chooser.
const FILE_UPLOAD: &str = "browser_file_upload";
/// The tool that runs code of the upstream's, which there is none of here.
const RUN_CODE: &str = "browser_run_code_unsafe";
/// Tools that are for tabs and not for what is in them: they go past whatever blocks one.
const TABS: &str = "browser_tabs";

/// Whether a tool does not act on a page, or acts on one that another call is at work on.
pub(crate) fn needs_no_turn(tool: &str) -> bool {
    matches!(tool, HANDLE_DIALOG | TABS)
}

/// Why a call is refused, if it is.
pub(crate) fn refusal(call: &Call, page: Option<&Page>) -> Option<Answer> {
    let tool = call.tool.as_str();
    if tool == RUN_CODE {
        return Some(Answer::error(
            "Error: browser_run_code_unsafe runs Playwright's own code, and this browser is driven without it. Use browser_evaluate for code in the page, or a pool with ENGINE=playwright and ALLOW_RUN_CODE=true.",
        ));
    }
    let modal = page.and_then(Page::modal);
    let answers = |modal: &Modal| tool == modal.handled_by();
    match (tool, modal) {
        (TABS, _) | (_, None) if !matches!(tool, HANDLE_DIALOG | FILE_UPLOAD) => None,
        (_, Some(modal)) if answers(&modal) => None,
        (HANDLE_DIALOG | FILE_UPLOAD, _) => Some(Answer::error(format!(
            "Error: The tool \"{tool}\" can only be used when there is related modal state present. Do first what brings it up, such as a click."
        ))),
        (_, Some(modal)) => Some(Answer::error(format!(
            "Error: Tool \"{tool}\" does not handle the modal state. Call {} first.",
            modal.handled_by()
        ))),
        (_, None) => None,
    }
}

/// The answer when all tabs are closed.
pub(crate) fn closed() -> Reply {
    let none = list_tabs(&[]).join("\n");
    let text =
        format!("### Result\n{none}\n### Ran Playwright code\n```js\nawait page.close()\n```");
    let content = vec![Content::text(text)];
    let raw = serde_json::json!({ "content": content }).to_string().into();
    Reply {
        content,
        raw,
        ..Reply::default()
    }
}
