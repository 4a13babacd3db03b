//! When two outcomes of a step are the same.

mod accepted;
mod open;
mod sections;

use serde_json::Value;

use super::ground::Outcome;
use super::step::Step;

/// The snapshot in an answer.
pub(super) fn snapshot_in(said: &str) -> Option<&str> {
    let (_, rest) = said.split_once("### Snapshot\n```yaml\n")?;
    rest.split("\n```").next()
}

/// Everything in which two outcomes of a step differ, for whoever reads the test's failure.
pub(super) fn differences(step: &Step, native: &Outcome, playwright: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    let pages = [native, playwright].map(|outcome| open::page(step, &outcome.page));
    if pages[0] != pages[1] {
        let [ours, theirs] = pages.map(|page| format!("{page:#}"));
        found.push(format!("the pages differ:\n{}", apart(&ours, &theirs)));
    }
    if native.attached != playwright.attached {
        let (ours, theirs) = (&native.attached, &playwright.attached);
        found.push(format!("the files differ: + {ours:?} - {theirs:?}"));
    }
    let answers = [native, playwright].map(|outcome| accepted::answer(step, &outcome.said));
    let [ours, theirs] = open::answers(step, answers).map(|answer| answer.to_string());
    if ours != theirs {
        found.push(format!("the answers differ:\n{}", apart(&ours, &theirs)));
    }
    found
}

/// The lines that only one of two texts has.
fn apart(native: &str, playwright: &str) -> String {
    let only = |sign: char, here: &str, there: &str| {
        let there: Vec<&str> = there.lines().collect();
        let lines = here.lines().filter(|line| !there.contains(line));
        lines
            .map(|line| format!("{sign} {line}\n"))
            .collect::<String>()
    };
    let found = only('+', native, playwright) + &only('-', playwright, native);
    if found.is_empty() {
        return format!("in the order or number of lines:\n{native}\n--\n{playwright}");
    }
    format!("(+ natively, - upstream)\n{found}")
}

/// Replaces a part of a digest that is not compared.
fn without(page: &Value, part: &str) -> Value {
    let mut page = page.clone();
    if let Some(fields) = page.as_object_mut() {
        fields.remove(part);
    }
    page
}
