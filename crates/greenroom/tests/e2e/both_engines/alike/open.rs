//! In what the native engine still differs without a good reason. This list is to become empty.

use serde_json::Value;

use super::sections::Sections;
use super::without;
use crate::both_engines::step::Step;

/// They leave the focus on the element natively, and where it was in the upstream.
const MOVES_FOCUS: &[&str] = &["browser_select_option"];

/// The digest of a page, without what still differs.
pub(super) fn page(step: &Step, page: &Value) -> Value {
    if MOVES_FOCUS.contains(&step.tool) {
        return without(page, "active");
    }
    page.clone()
}

/// Two answers, without what still differs.
pub(super) fn answers(step: &Step, answers: [Sections; 2]) -> [Sections; 2] {
    answers.map(|mut answer| {
        if MOVES_FOCUS.contains(&step.tool) {
            answer.change("Snapshot", |yaml| yaml.replace(" [active]", ""));
        }
        without_interruption(step, &mut answer);
        answer
    })
}

/// What a dialog or a chooser interrupts, the native engine tells when that is answered: its code
/// and result come with the next answer. Until then it says where the page stands.
fn without_interruption(step: &Step, answer: &mut Sections) {
    let is_interrupted = answer.get("Modal state").is_some();
    if is_interrupted || step.tool == "browser_handle_dialog" {
        for section in ["Result", "Ran Playwright code", "Page"] {
            answer.remove(section);
        }
    }
    if step.tool == "browser_file_upload" {
        answer.remove("Ran Playwright code");
    }
}
