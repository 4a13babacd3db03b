//! In what two answers may differ for good, and why.

use super::sections::Sections;
use crate::both_engines::step::Step;

/// An answer without what may differ.
pub(super) fn answer(step: &Step, said: &str) -> Sections {
    // Greenroom indents a heading of the upstream's where a page might have written it: in what the
    // tools beyond the catalogue answer, and in errors.
    let said = said.replace("\n ### ", "\n### ");
    let mut answer = Sections::of(&without_refs(&without_times(&said)));
    if step.has_own_words {
        answer.change("Error", |_| "in own words".to_owned());
        // What is refused leaves a chooser open; only the native engine says so.
        answer.remove("Modal state");
    }
    if answer.get("Modal state").is_some() {
        // The upstream asks the page for its title, which it does not get while something blocks
        // it; nor does it always say where the page stands.
        answer.remove("Page");
    }
    if step.is_in_motion {
        for section in ["Open tabs", "Page", "Snapshot", "Events"] {
            answer.remove(section);
        }
    }
    if step.tool == "browser_network_request" {
        answer.change("Result", without_chance);
    }
    if step.tool.starts_with("browser_navigate") && answer.get("Error").is_some() {
        // Where a page stands after it was not reached, the upstream tells with the next answer.
        answer.remove("Page");
    }
    answer.change("Error", first_sentence);
    if !step.is_by_ref() {
        answer.change("Ran Playwright code", without_locators);
    }
    if step.tool == "browser_drop" {
        answer.change("Ran Playwright code", without_order);
    }
    without_empty_snapshot(&mut answer);
    answer
}

/// The upstream says where in its own code an error was met and adds a log; the native engine adds
/// what to do next. What went wrong is the first sentence of either.
fn first_sentence(error: &str) -> String {
    let mut error = error.replace("Error: browserBackend.callTool: ", "Error: ");
    error = error.replace("Error: page.goto: ", "Error: ");
    error = error.replace("Error: page.goBack: ", "Error: ");
    error = error.replace("Error: Error: ", "Error: ");
    // Some of the upstream's errors do not say again that they are one.
    let error = error.strip_prefix("Error: ").unwrap_or(&error);
    let line = error.lines().next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default();
    sentence.trim_end_matches('.').to_owned()
}

/// What was named by a selector, the upstream names so again; the native engine names it by role
/// and name, so that the code of a run survives a change of the page's markup.
fn without_locators(code: &str) -> String {
    let without = |line: &str| {
        let named = line.strip_prefix("await page.");
        let action = named.and_then(|named| named.rfind(").").map(|at| &named[at + 2..]));
        action.map_or_else(
            || line.to_owned(),
            |action| format!("await page.IT.{action}"),
        )
    };
    code.lines().map(without).collect::<Vec<_>>().join("\n")
}

/// The upstream writes the data of a drop in the order of their kinds and without the quotes that
/// the kinds need to be code.
fn without_order(code: &str) -> String {
    let plain = |line: &str| {
        let signs = ['\'', ',', ' '];
        line.replace(signs, "")
    };
    let mut lines: Vec<String> = code.lines().map(plain).collect();
    lines.sort();
    lines.join("\n")
}

/// How long a request took differs each time. The headers that the browser's network adds, and then
/// the order of all, are told by the upstream if word of them came before it was asked; by the
/// native engine always.
fn without_chance(details: &str) -> String {
    const ADDED: &[&str] = &[
        "duration:",
        "accept:",
        "accept-encoding:",
        "connection:",
        "content-length:",
        "host:",
        "origin:",
        "sec-fetch-",
    ];
    let is_added = |line: &str| ADDED.iter().any(|name| line.trim_start().starts_with(name));
    let lines = details.lines().filter(|line| !is_added(line));
    let mut lines: Vec<&str> = lines.collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Refs mean nothing but the line that they are on: each goes by the order of its appearance.
fn without_refs(said: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut parts = said.split("[ref=");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(']').unwrap_or((part, ""));
        let at = known.iter().position(|it| *it == name);
        let at = at.unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        });
        text.push_str(&format!("[ref={at}]{rest}"));
    }
    text
}

/// Files without a name of their own are named by the time, such as `2026-11-15T09-19-37-919Z`.
fn without_times(said: &str) -> String {
    const SHAPE: &[u8] = b"0000-00-00T00-00-00-000Z";
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        shape => byte == shape,
    };
    let is_time = |time: &str| time.as_bytes().iter().zip(SHAPE).all(fits);
    let (mut text, mut rest) = (String::new(), said);
    while let Some(next) = rest.chars().next() {
        let taken = match rest.get(..SHAPE.len()).filter(|time| is_time(time)) {
            Some(time) => {
                text.push_str("TIME");
                time.len()
            }
            None => {
                text.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    text
}

/// While a dialog is open the upstream shows an empty page, which says nothing.
fn without_empty_snapshot(answer: &mut Sections) {
    if answer
        .get("Snapshot")
        .is_some_and(|yaml| yaml == "```yaml\n\n```")
    {
        answer.remove("Snapshot");
    }
}
