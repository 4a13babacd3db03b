//! When two outcomes of a step are the same.

mod accepted;
mod sections;

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
    if native.page != playwright.page {
        let [ours, theirs] = [native, playwright].map(|outcome| format!("{:#}", outcome.page));
        found.push(format!("the pages differ:\n{}", apart(&ours, &theirs)));
    }
    if native.attached != playwright.attached {
        let (ours, theirs) = (&native.attached, &playwright.attached);
        found.push(format!("the files differ: + {ours:?} - {theirs:?}"));
    }
    let answers = [native, playwright].map(|outcome| accepted::answer(step, &outcome.said));
    let [ours, theirs] = answers.map(|answer| answer.to_string());
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
