//! Takes the upstream's Markdown apart into its sections.
//!
//! An answer is a run of sections, each below a `### Title` line. Nothing in it is escaped, and
//! some of it is the page's own text: an error message, a console line, a dialog. A page may write
//! `### Page` into its dialog to make an agent believe that it is elsewhere. What cannot be forged
//! is the order, for the upstream writes its titles in one fixed order and the page's text always
//! stands inside a section:
//!
//! * A title counts only if those after it rank higher, judged from the end: what a page puts into
//!   an early section comes before the true later ones, which win.
//! * The section `Modal state` quotes dialogs. Everything from its title to the end of its last
//!   quotation is its body, whatever it looks like.
//! * Code and inline snapshots stand between fences and are not looked into.
//! * Where a page's raw text may reach the end of the answer ([`Trust::Beginning`]), only the first
//!   title counts, and of the last ones those that say nothing about where the page stands.
//!
//! A title that does not count is text, and is set off by a space so that nobody takes it for one.

use std::ops::Range;

/// The titles of the upstream, in the order in which it writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Title {
    Error,
    Result,
    Code,
    Tabs,
    Console,
    Page,
    Modal,
    Snapshot,
    Events,
    Paused,
}

const TITLES: &[(Title, &str)] = &[
    (Title::Error, "### Error"),
    (Title::Result, "### Result"),
    (Title::Code, "### Ran Playwright code"),
    (Title::Tabs, "### Open tabs"),
    (Title::Console, "### New console messages"),
    (Title::Page, "### Page"),
    (Title::Modal, "### Modal state"),
    (Title::Snapshot, "### Snapshot"),
    (Title::Events, "### Events"),
    (Title::Paused, "### Paused"),
];

impl Title {
    fn of(line: &str) -> Option<Self> {
        TITLES
            .iter()
            .find(|(_, text)| *text == line)
            .map(|(title, _)| *title)
    }

    pub(super) fn line(self) -> &'static str {
        TITLES[self as usize].1
    }

    fn may_be_fenced(self) -> bool {
        matches!(self, Self::Code | Self::Snapshot)
    }
}

/// How much of an answer's structure can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Raw text of the page stands in early sections only.
    Whole,
    /// Raw text of the page may reach to the end.
    Beginning,
}

/// One section; text before the first title has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: Option<Title>,
    pub(super) body: String,
}

/// Takes a text apart. Joining the sections again gives the text, but for titles set off.
pub(super) fn split(text: &str, trust: Trust) -> Vec<Section> {
    let lines: Vec<&str> = text.split('\n').collect();
    let found = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, Title::of(line)?)));
    let found = outside_modal(&lines, found.collect());
    let (titles, fences) = match trust {
        Trust::Whole => {
            let (found, fences) = outside_fences(&lines, &found);
            (descending_from_the_end(&found), fences)
        }
        Trust::Beginning => (beginning_and_harmless_end(&lines, &found), Vec::new()),
    };
    let forged = |at: usize| {
        Title::of(lines[at]).is_some() && !fences.iter().any(|fence| fence.contains(&at))
    };
    let mut sections = Vec::new();
    let mut end = lines.len();
    for (at, title) in titles.into_iter().rev() {
        sections.push(Section {
            title: Some(title),
            body: body(&lines, at + 1..end, forged),
        });
        end = at;
    }
    if end > 0 {
        sections.push(Section {
            title: None,
            body: body(&lines, 0..end, forged),
        });
    }
    sections.reverse();
    sections
}

/// Puts sections together again.
pub(super) fn join(sections: &[Section]) -> String {
    let parts = || {
        sections.iter().flat_map(|section| match section.title {
            Some(title) if section.body.is_empty() => [Some(title.line()), None],
            Some(title) => [Some(title.line()), Some(section.body.as_str())],
            None => [Some(section.body.as_str()), None],
        })
    };
    // In one piece: answers may be long.
    let length = parts().flatten().map(|part| part.len() + 1).sum();
    let mut text = String::with_capacity(length);
    for (at, part) in parts().flatten().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.push_str(part);
    }
    text
}

fn body(lines: &[&str], range: Range<usize>, forged: impl Fn(usize) -> bool) -> String {
    let mut body = String::new();
    for at in range.clone() {
        if at > range.start {
            body.push('\n');
        }
        if forged(at) {
            body.push(' ');
        }
        body.push_str(lines[at]);
    }
    body
}

type Found = (usize, Title);

/// Drops what stands inside the quotations of `Modal state`.
fn outside_modal(lines: &[&str], found: Vec<Found>) -> Vec<Found> {
    let Some((first, _)) = found.iter().find(|(_, title)| *title == Title::Modal) else {
        return found;
    };
    let first = *first;
    let last = (first..lines.len())
        .rev()
        .find(|at| closes_quotation(lines[*at]))
        .unwrap_or(first);
    found
        .into_iter()
        .filter(|(at, _)| *at <= first || *at > last)
        .collect()
}

/// Whether the line ends like `"]: can be handled by browser_handle_dialog`.
fn closes_quotation(line: &str) -> bool {
    line.rsplit_once("]: can be handled by ")
        .is_some_and(|(_, tool)| {
            !tool.is_empty()
                && tool
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        })
}

/// Drops what stands between fences, and says where those are.
fn outside_fences(lines: &[&str], found: &[Found]) -> (Vec<Found>, Vec<Range<usize>>) {
    let mut outside = Vec::new();
    let mut fences: Vec<Range<usize>> = Vec::new();
    for &(at, title) in found {
        if fences.last().is_some_and(|fence| fence.contains(&at)) {
            continue;
        }
        outside.push((at, title));
        if title.may_be_fenced()
            && lines
                .get(at + 1)
                .is_some_and(|line| line.starts_with("```"))
        {
            fences.extend(fence_end(lines, at + 2, title).map(|end| at + 1..end));
        }
    }
    (outside, fences)
}

/// A fence ends where the answer ends, or where a later title follows.
fn fence_end(lines: &[&str], from: usize, title: Title) -> Option<usize> {
    (from..lines.len())
        .filter(|at| lines[*at] == "```")
        .find_map(|at| {
            let ends = match lines.get(at + 1) {
                None => true,
                Some(line) => Title::of(line).is_some_and(|next| next > title),
            };
            ends.then_some(at + 1)
        })
}

fn descending_from_the_end(found: &[Found]) -> Vec<Found> {
    let mut titles: Vec<Found> = Vec::new();
    for &(at, title) in found.iter().rev() {
        if titles.last().is_none_or(|(_, next)| title < *next) {
            titles.push((at, title));
        }
    }
    titles.reverse();
    titles
}

fn beginning_and_harmless_end(lines: &[&str], found: &[Found]) -> Vec<Found> {
    let mut end = lines.len();
    let mut titles: Vec<Found> = Vec::new();
    for &(at, title) in found.iter().skip(1).rev() {
        let later = titles.last().is_none_or(|(_, next)| title < *next);
        if !later || !is_harmless(title, &lines[at + 1..end]) {
            break;
        }
        titles.push((at, title));
        end = at;
    }
    titles.extend(found.first().filter(|(at, _)| *at == 0));
    titles.reverse();
    titles
}

/// Whether this reads like a section that a page gains nothing by forging.
fn is_harmless(title: Title, body: &[&str]) -> bool {
    match title {
        Title::Modal => body.last().is_some_and(|line| closes_quotation(line)),
        Title::Events => body.iter().all(|line| {
            [
                "- New console entries: ",
                "- Downloading file ",
                "- Downloaded file ",
            ]
            .iter()
            .any(|event| line.starts_with(event))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
