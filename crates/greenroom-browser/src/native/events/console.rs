//! The console of a page.

use std::collections::VecDeque;

use crate::call::{ConsoleEntry, ConsoleLevel};

use super::preview::text_of;
use crate::native::protocol::log::LogEntry;
use crate::native::protocol::runtime::{ConsoleApiCalled, ExceptionDetails};

/// How many messages are kept, how much of each, and how much of all: a page that talks without end
/// costs no more than that.
const KEPT: usize = 10_000;
const LONGEST: usize = 16 << 10;
const BYTES: usize = 4 << 20;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What kind it is: `log`, `error`, `warning`…
    pub kind: String,
    /// What it says.
    pub text: String,
    /// The address and line (from 0) that said it.
    pub place: Option<(String, i64)>,
    /// Whether it is an exception that nobody caught: its text is the stack then.
    pub is_exception: bool,
    /// Its number among all messages of the page.
    number: u64,
    /// Which load of the page it came in.
    load: u64,
}

/// The messages of a page, the newest ones at least.
#[derive(Debug, Default)]
pub struct ConsoleLog {
    messages: VecDeque<Message>,
    /// The length of their texts.
    bytes: usize,
    next: u64,
    load: u64,
    /// Counts since the page was loaded, those included that are not kept.
    total: u64,
    errors: u64,
    warnings: u64,
    /// The number up to which messages have been reported.
    reported: u64,
}

impl ConsoleLog {
    /// A new document: counting begins anew.
    pub(crate) fn loaded(&mut self) {
        self.load += 1;
        (self.total, self.errors, self.warnings) = (0, 0, 0);
    }

    pub(crate) fn called(&mut self, called: &ConsoleApiCalled) {
        let frame = called.stack_trace.as_ref();
        let frame = frame.and_then(|stack| stack.call_frames.first());
        let place = frame.map(|frame| (frame.url.clone(), frame.line_number));
        self.add(&called.kind, text_of(called), place, false);
    }

    pub(crate) fn threw(&mut self, thrown: &ExceptionDetails) {
        let frame = thrown.stack_trace.as_ref();
        let frame = frame.and_then(|stack| stack.call_frames.first());
        let place = match frame {
            Some(frame) => Some((frame.url.clone(), frame.line_number)),
            None => thrown.url.clone().map(|url| (url, thrown.line_number)),
        };
        self.add("error", thrown.message(), place, true);
    }

    pub(crate) fn logged(&mut self, entry: &LogEntry) {
        if entry.source == "worker" {
            return;
        }
        let kind = match entry.level.as_str() {
            "verbose" => "debug",
            level => level,
        };
        let line = entry.line_number.unwrap_or_default();
        let place = (entry.url.clone().unwrap_or_default(), line);
        self.add(kind, entry.text.clone(), Some(place), false);
    }

    fn add(&mut self, kind: &str, text: String, place: Option<(String, i64)>, is_exception: bool) {
        self.total += 1;
        match kind {
            "error" => self.errors += 1,
            "warning" => self.warnings += 1,
            _ => {}
        }
        let text = shorten(text);
        self.bytes += text.len();
        self.messages.push_back(Message {
            kind: kind.to_owned(),
            text,
            place,
            is_exception,
            number: self.next,
            load: self.load,
        });
        self.next += 1;
        while self.messages.len() > KEPT || self.bytes > BYTES {
            let Some(oldest) = self.messages.pop_front() else {
                return;
            };
            self.bytes -= oldest.text.len();
        }
    }

    /// How many messages, errors and warnings there were since the page was loaded.
    pub fn counts(&self) -> (u64, u64, u64) {
        (self.total, self.errors, self.warnings)
    }

    /// The messages of this level and graver ones, since the page was loaded or of all loads.
    pub fn list(&self, level: ConsoleLevel, all: bool) -> Vec<Message> {
        let wanted = |message: &&Message| {
            (all || message.load == self.load) && level_of(&message.kind) <= level
        };
        self.messages.iter().filter(wanted).cloned().collect()
    }

    /// The messages that have not been reported yet. They are now.
    pub(crate) fn take_new(&mut self) -> Vec<Message> {
        let reported = std::mem::replace(&mut self.reported, self.next);
        let new = self
            .messages
            .iter()
            .filter(|message| message.number >= reported);
        new.cloned().collect()
    }
}

impl Message {
    /// As agents read it: `[ERROR] text @ address:line`, or the stack of an exception.
    pub fn line(&self) -> String {
        if self.is_exception {
            return self.text.clone();
        }
        let (url, line) = self.place.clone().unwrap_or_default();
        format!(
            "[{}] {} @ {url}:{line}",
            self.kind.to_uppercase(),
            self.text
        )
    }

    /// As the store keeps it.
    pub fn entry(&self) -> ConsoleEntry {
        let place = self.place.as_ref().filter(|(url, _)| !url.is_empty());
        ConsoleEntry {
            level: level_of(&self.kind),
            text: self.text.clone(),
            location: place.map(|(url, line)| format!("{url}:{line}")),
        }
    }
}

/// How grave a kind of message is.
pub fn level_of(kind: &str) -> ConsoleLevel {
    match kind {
        "assert" | "error" => ConsoleLevel::Error,
        "warning" => ConsoleLevel::Warning,
        "clear"
        | "debug"
        | "endGroup"
        | "profile"
        | "profileEnd"
        | "startGroup"
        | "startGroupCollapsed"
        | "trace" => ConsoleLevel::Debug,
        _ => ConsoleLevel::Info,
    }
}

fn shorten(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(log: &mut ConsoleLog, kind: &str, text: &str) {
        log.add(kind, text.to_owned(), Some(("http://a/".into(), 3)), false);
    }

    #[test]
    fn messages_are_counted_by_load_and_reported_once() {
        let mut log = ConsoleLog::default();
        said(&mut log, "error", "before");
        assert_eq!(log.take_new().len(), 1);
        log.loaded();
        said(&mut log, "warning", "a");
        said(&mut log, "log", "b");
        said(&mut log, "debug", "c");
        assert_eq!(log.counts(), (3, 0, 1));
        assert_eq!(log.list(ConsoleLevel::Info, false).len(), 2);
        assert_eq!(log.list(ConsoleLevel::Debug, true).len(), 4);
        assert_eq!(log.list(ConsoleLevel::Error, true).len(), 1);
        let new = log.take_new();
        assert_eq!(new[0].line(), "[WARNING] a @ http://a/:3");
        assert_eq!(new[0].entry().location.as_deref(), Some("http://a/:3"));
        assert!(log.take_new().is_empty());
    }

    #[test]
    fn a_flood_keeps_the_newest_and_counts_all() {
        let mut log = ConsoleLog::default();
        for n in 0..KEPT + 5 {
            said(&mut log, "error", &n.to_string());
        }
        assert_eq!(log.counts().1, (KEPT + 5) as u64);
        let kept = log.take_new();
        assert_eq!((kept.len(), kept[0].text.as_str()), (KEPT, "5"));
        for _ in 0..BYTES / LONGEST + 5 {
            said(&mut log, "log", &"e".repeat(LONGEST));
        }
        assert!(log.bytes <= BYTES && log.messages.len() == BYTES / LONGEST);
        log.take_new();
        said(&mut log, "log", &"é".repeat(LONGEST));
        assert!(log.take_new()[0].text.len() <= LONGEST + '…'.len_utf8());
    }
}
