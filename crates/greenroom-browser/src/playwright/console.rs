//! Console messages out of the upstream's ways of writing them.
//!
//! A message is `[ERROR] text @ address:line`; an exception is its stack trace. In a log file each
//! is preceded by its time, `[      27ms] `; in the answer of `browser_console_messages` nothing
//! tells where one ends but its own form. Releases that write no log file list messages in the
//! answer itself, each as an item, `- [ERROR] text`. Text may span lines in all of them.

use crate::call::{ConsoleEntry, ConsoleLevel};

/// What the upstream tells beside console messages.
const OTHER_EVENTS: [&str; 3] = [
    "New console entries: ",
    "Downloading file ",
    "Downloaded file ",
];

/// The messages of a log file, each as the upstream writes it, without its time.
pub(super) fn split_log(log: &str) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    for line in log.lines() {
        match (after_time(line), messages.last_mut()) {
            (Some(rest), _) => messages.push(rest.to_owned()),
            (None, Some(message)) => append(message, line),
            (None, None) => messages.push(line.to_owned()),
        }
    }
    messages
}

/// The messages of a listing: its head ends with an empty line.
pub(super) fn parse_listing(listing: &str) -> Vec<ConsoleEntry> {
    let Some((head, body)) = listing.split_once("\n\n") else {
        return Vec::new();
    };
    if !head.starts_with("Total messages: ") {
        return Vec::new();
    }
    let mut messages: Vec<String> = Vec::new();
    for line in body.lines() {
        match messages.last_mut() {
            Some(message) if continues(message, line) => append(message, line),
            _ => messages.push(line.to_owned()),
        }
    }
    messages.iter().map(|message| entry(message)).collect()
}

/// The messages that an answer lists itself. Other events may stand between them, and sections of
/// which nothing is known after them.
pub(super) fn parse_items(body: &str) -> Vec<ConsoleEntry> {
    let mut messages: Vec<String> = Vec::new();
    let mut is_message = false;
    for line in body.lines().take_while(|line| !line.starts_with("### ")) {
        match line.strip_prefix("- ") {
            Some(item) => {
                is_message = !OTHER_EVENTS.iter().any(|event| item.starts_with(event));
                messages.extend(is_message.then(|| item.to_owned()));
            }
            None if is_message => messages
                .last_mut()
                .into_iter()
                .for_each(|message| append(message, line)),
            None => {}
        }
    }
    let messages = messages.iter().map(|message| entry(message.trim_end()));
    messages.collect()
}

/// Whether a line belongs to the message before it: a message lasts until its place is named, an
/// exception as long as its stack.
fn continues(message: &str, line: &str) -> bool {
    if kind(line).is_some() {
        return false;
    }
    match kind(message) {
        Some((_, text)) => place(text).is_none(),
        None => line.starts_with(char::is_whitespace) || line.is_empty(),
    }
}

fn append(message: &mut String, line: &str) {
    message.push('\n');
    message.push_str(line);
}

fn after_time(line: &str) -> Option<&str> {
    let (time, rest) = line.strip_prefix('[')?.split_once("ms] ")?;
    let digits = time.trim_start_matches([' ', '-']);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
}

/// What one message says.
pub(super) fn entry(message: &str) -> ConsoleEntry {
    let Some((level, text)) = kind(message) else {
        return ConsoleEntry {
            level: ConsoleLevel::Error,
            text: message.to_owned(),
            location: stack_place(message),
        };
    };
    let (text, location) = place(text).unwrap_or((text, ""));
    ConsoleEntry {
        level,
        text: text.to_owned(),
        location: (!location.is_empty() && !location.starts_with(':')).then(|| location.to_owned()),
    }
}

/// The level that `[TYPE] ` stands for, and what follows.
fn kind(message: &str) -> Option<(ConsoleLevel, &str)> {
    let (kind, text) = message.strip_prefix('[')?.split_once("] ")?;
    let level = match kind {
        "ERROR" | "ASSERT" => ConsoleLevel::Error,
        "WARNING" => ConsoleLevel::Warning,
        "CLEAR"
        | "DEBUG"
        | "ENDGROUP"
        | "PROFILE"
        | "PROFILEEND"
        | "STARTGROUP"
        | "STARTGROUPCOLLAPSED"
        | "TRACE" => ConsoleLevel::Debug,
        _ if !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            ConsoleLevel::Info
        }
        _ => return None,
    };
    Some((level, text))
}

/// Splits `text @ address:line`.
fn place(text: &str) -> Option<(&str, &str)> {
    let (said, place) = text.rsplit_once(" @ ")?;
    let (address, line) = place.rsplit_once(':')?;
    let named = line.parse::<u64>().is_ok() && !address.contains(char::is_whitespace);
    named.then_some((said, place))
}

/// The first place of a stack trace: `    at f (http://x/:2:276)` or without a name.
fn stack_place(stack: &str) -> Option<String> {
    let frame = stack
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("at "))?;
    let place = match frame.rsplit_once('(') {
        Some((_, place)) => place.strip_suffix(')')?,
        None => frame,
    };
    Some(place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConsoleLevel::{Debug, Error, Info, Warning};

    fn parse_log(log: &str) -> Vec<ConsoleEntry> {
        split_log(log)
            .iter()
            .map(|message| entry(message))
            .collect()
    }

    fn told(entries: &[ConsoleEntry]) -> Vec<(ConsoleLevel, &str, Option<&str>)> {
        entries
            .iter()
            .map(|entry| (entry.level, entry.text.as_str(), entry.location.as_deref()))
            .collect()
    }

    #[test]
    fn a_log_gives_its_messages_with_level_text_and_place() {
        let log = "[      27ms] [ERROR] early\n### Snapshot\n- x @ http://h/:1\n\
            [      27ms] [LOG] a @ b @ http://h/:2\n[     -35ms] Error: oops\n    at http://h/:2:276\n\
            [     1ms] [WARNING]  @ :0\n[     1ms] [DEBUG] no place\n[1ms] [STARTGROUP] g @ http://h/:0\n";
        assert_eq!(
            told(&parse_log(log)),
            [
                (Error, "early\n### Snapshot\n- x", Some("http://h/:1")),
                (Info, "a @ b", Some("http://h/:2")),
                (
                    Error,
                    "Error: oops\n    at http://h/:2:276",
                    Some("http://h/:2:276")
                ),
                (Warning, "", None),
                (Debug, "no place", None),
                (Debug, "g", Some("http://h/:0")),
            ]
        );
    }

    #[test]
    fn a_listing_gives_the_same_messages() {
        let listing = "Total messages: 3 (Errors: 2, Warnings: 0)\nReturning 3 messages for level \"info\"\n\n\
            [ERROR] early\n### Snapshot\n- x @ http://h/:1\n[LOG] x @ http://h/:1\nError: oops\n    \
            at f (http://h/:2:276)\nTypeError: other";
        assert_eq!(
            told(&parse_listing(listing)),
            [
                (Error, "early\n### Snapshot\n- x", Some("http://h/:1")),
                (Info, "x", Some("http://h/:1")),
                (
                    Error,
                    "Error: oops\n    at f (http://h/:2:276)",
                    Some("http://h/:2:276")
                ),
                (Error, "TypeError: other", None),
            ]
        );
    }

    #[test]
    fn items_of_an_answer_are_messages_unless_they_are_other_events() {
        let body = "- [ERROR] early\n- Downloading file a.txt ...\n- [LOG] x @ http://h/:1\n\
            - TypeError: oops\n    at http://h/:2:276\n- Downloaded file a.txt to \"./a.txt\"\n\
            - New console entries: c.log#L1\n\n### Page state\n- Page URL: http://h/";
        assert_eq!(
            told(&parse_items(body)),
            [
                (Error, "early", None),
                (Info, "x", Some("http://h/:1")),
                (
                    Error,
                    "TypeError: oops\n    at http://h/:2:276",
                    Some("http://h/:2:276")
                ),
            ]
        );
        assert_eq!(parse_items(""), []);
    }

    #[test]
    fn what_is_no_listing_gives_nothing() {
        for text in [
            "",
            "Total messages: 0 (Errors: 0, Warnings: 0)\n\n",
            "words\n\n[LOG] x @ y:1",
        ] {
            assert_eq!(parse_listing(text), [], "{text:?}");
        }
    }

    #[test]
    fn a_log_that_begins_in_the_middle_of_a_message_keeps_the_rest_of_it() {
        assert_eq!(told(&parse_log("tail\n[ 1ms] [LOG] x @ y:1")).len(), 2);
    }
}
