//! Rewrites the upstream's text so that it stands alone.
//!
//! The upstream says "see this file" for what a caller wants to read: the snapshot, the console.
//! Here the file takes the place of its link, in the form in which the upstream prints it when
//! asked directly, and other files are handed over with the reply. No path of this machine stays.

use std::borrow::Cow;

use bytes::Bytes;

use super::console;
use super::files::{OutputDir, Taken, base_name};
use super::links::{self, Link};
use super::page;
use super::sections::{self, Section, Title, Trust};
use crate::call::{Content, Reply, ReplyFile};
use crate::media_type::media_type;

/// The largest snapshot that is read back; more is no use to anybody.
const SNAPSHOT_LIMIT: u64 = 16 * 1024 * 1024;
/// The most that is read of a console log at once: some 70,000 messages, so that counts are right.
const CONSOLE_LIMIT: u64 = 16 * 1024 * 1024;
/// The most that the files of one reply may hold together.
const FILES_LIMIT: u64 = 64 * 1024 * 1024;
/// Console lines shown in the text of a reply; all of them are in its list.
const CONSOLE_LINES: usize = 40;
/// How much of one console line is shown in the text.
const CONSOLE_COLUMNS: usize = 400;

/// Rewrites the texts of one reply, and gathers what they say.
#[derive(Debug)]
pub(super) struct Rewriter<'a> {
    output: &'a OutputDir,
    tool: &'a str,
    trust: Trust,
    /// The sizes of the pictures that the reply already holds.
    pictures: Vec<u64>,
    /// Links that were followed, each with the name that replaces it.
    followed: Vec<(String, String)>,
    files_left: u64,
    reply: Reply,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        output: &'a OutputDir,
        tool: &'a str,
        trust: Trust,
        content: &[Content],
    ) -> Self {
        let pictures = content.iter().filter_map(|content| match content {
            Content::Image { data, .. } => Some(decoded_length(data)),
            _ => None,
        });
        Self {
            output,
            tool,
            trust,
            pictures: pictures.collect(),
            followed: Vec::new(),
            files_left: FILES_LIMIT,
            reply: Reply::default(),
        }
    }

    /// What the texts said.
    pub(super) fn into_reply(self) -> Reply {
        self.reply
    }

    /// Rewrites one text.
    pub(super) fn rewrite(&mut self, text: &str) -> String {
        let mut sections = sections::split(text, self.trust);
        for section in &mut sections {
            self.section(section);
        }
        for section in &mut sections {
            if section.title != Some(Title::Snapshot) {
                self.hide_paths(section);
            }
        }
        sections::join(&sections)
    }

    fn section(&mut self, section: &mut Section) {
        match section.title {
            Some(Title::Page) => self.reply.page = page::parse_page(&section.body),
            Some(Title::Tabs) => self.reply.tabs = page::parse_tabs(&section.body),
            Some(Title::Modal) => self.reply.modal = Some(section.body.clone()),
            Some(Title::Snapshot) => section.body = self.snapshot(&section.body),
            Some(Title::Code) => {}
            Some(Title::Result) => {
                self.result(&section.body);
                section.body = self.lines(&section.body);
            }
            Some(Title::Console | Title::Events) => {
                let told = console::parse_items(&section.body);
                self.reply.console.extend(told);
                section.body = self.lines(&section.body);
            }
            Some(Title::Error | Title::Paused) | None => {
                section.body = self.lines(&section.body);
            }
        }
    }

    /// Two tools say in their result what others say in a section.
    fn result(&mut self, body: &str) {
        match self.tool {
            "browser_tabs" => self.reply.tabs = page::parse_tabs(body),
            "browser_console_messages" => self.reply.console = console::parse_listing(body),
            _ => {}
        }
    }

    /// Replaces the link to a snapshot by the snapshot, printed as `browser_snapshot` prints it.
    fn snapshot(&mut self, body: &str) -> String {
        if let Some(inline) = body.strip_prefix("```yaml\n") {
            let yaml = inline.strip_suffix("```").unwrap_or(inline);
            self.reply.snapshot = Some(yaml.strip_suffix('\n').unwrap_or(yaml).to_owned());
            return body.to_owned();
        }
        let Some(Link::File { target, .. }) = links::parse(body) else {
            return self.lines(body);
        };
        self.followed
            .push((target.to_owned(), base_name(target).to_owned()));
        match self.output.take(target, SNAPSHOT_LIMIT) {
            Taken::Contents(yaml) => {
                let yaml = String::from_utf8_lossy(&yaml).into_owned();
                let body = format!("```yaml\n{yaml}\n```");
                self.reply.snapshot = Some(yaml);
                body
            }
            Taken::TooLarge(length) => format!(
                "- The snapshot is too large to show ({length} bytes, at most {SNAPSHOT_LIMIT}): \
                 take one of a part of the page, with browser_snapshot and a target or a depth"
            ),
            Taken::Absent => {
                "- The snapshot was not kept: take another one with browser_snapshot".to_owned()
            }
        }
    }

    fn lines(&mut self, body: &str) -> String {
        // Straight into one text: a list of lines would take another copy of a long answer.
        let mut text = String::with_capacity(body.len());
        let mut is_first = true;
        for line in body.split('\n') {
            let Some(line) = self.line(line) else {
                continue;
            };
            if !std::mem::take(&mut is_first) {
                text.push('\n');
            }
            text.push_str(&line);
        }
        text
    }

    /// A line as it goes out; `None` drops it.
    fn line<'l>(&mut self, line: &'l str) -> Option<Cow<'l, str>> {
        match links::parse(line) {
            Some(Link::File { target, .. } | Link::Download { target, .. })
                if self.trust == Trust::Beginning && !self.output.holds(target) =>
            {
                Some(line.into())
            }
            Some(Link::File { title, target }) => {
                let name = base_name(target).to_owned();
                let note = self.file(title, target);
                Some(format!("- {title}: {name}{note}").into())
            }
            Some(Link::Download { name, target }) => {
                let note = self.file("Download", target);
                Some(format!("- Downloaded file {name}{note}").into())
            }
            Some(Link::Console { target }) => self.console(target).map(Cow::from),
            None => Some(line.into()),
        }
    }

    /// Hands a file over with the reply, and says what a reader must know of it.
    fn file(&mut self, title: &str, target: &str) -> String {
        let name = base_name(target).to_owned();
        self.followed.push((target.to_owned(), name.clone()));
        match self.output.take(target, self.files_left) {
            Taken::Contents(bytes) if self.pictures.contains(&(bytes.len() as u64)) => {
                String::new()
            }
            Taken::Contents(bytes) => {
                self.files_left -= bytes.len() as u64;
                self.reply.files.push(ReplyFile {
                    title: title.to_owned(),
                    mime_type: media_type(&name),
                    name,
                    bytes: Bytes::from(bytes),
                });
                String::new()
            }
            Taken::TooLarge(length) => format!(" (too large to keep: {length} bytes)"),
            Taken::Absent => " (not kept)".to_owned(),
        }
    }

    /// Replaces the link to new console messages by the messages. A link to messages that an
    /// earlier reply has brought already is dropped.
    fn console(&mut self, target: &str) -> Option<String> {
        let (log, more) = self.output.take_log(target, CONSOLE_LIMIT)?;
        let messages = console::split_log(&String::from_utf8_lossy(&log));
        self.reply
            .console
            .extend(messages.iter().map(|message| console::entry(message)));
        Some(show_console(&messages, more))
    }

    fn hide_paths(&self, section: &mut Section) {
        if section.title == Some(Title::Code) {
            for (target, name) in &self.followed {
                section.body = section.body.replace(target, name);
            }
        }
        let root = self.output.path().to_string_lossy();
        if section.body.contains(&*root) {
            let body = section.body.replace(&format!("{root}/"), "");
            section.body = body.replace(&*root, "the workspace");
        }
    }
}

/// Console messages as text, each line indented so that none can pass for a title.
fn show_console(messages: &[String], more: bool) -> String {
    let mut text = format!("- New console entries: {}", messages.len());
    let lines: Vec<&str> = messages
        .iter()
        .flat_map(|message| message.lines())
        .collect();
    for line in lines.iter().take(CONSOLE_LINES) {
        text.push_str("\n  ");
        text.extend(line.chars().take(CONSOLE_COLUMNS));
        if line.chars().nth(CONSOLE_COLUMNS).is_some() {
            text.push('…');
        }
    }
    if more || lines.len() > CONSOLE_LINES {
        text.push_str("\n  … see them all with browser_console_messages");
    }
    text
}

/// How many bytes Base64 text stands for.
fn decoded_length(base64: &str) -> u64 {
    let padding = base64.len() - base64.trim_end_matches('=').len();
    (base64.len() as u64 / 4 * 3).saturating_sub(padding as u64)
}
