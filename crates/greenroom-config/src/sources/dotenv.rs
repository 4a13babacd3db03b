//! The `.env` file of the working directory.
//!
//! It usually belongs to another program, so only lines that name one of our
//! variables are held to account; whatever else it contains, in whatever
//! dialect, is passed over. The dialect read here: `NAME=VALUE`, optionally
//! after `export`; `#` begins a comment at the start of a line and after a
//! space; single quotes keep everything; double quotes know `\n`, `\t`, `\"`
//! and `\\` and may span lines, as single quotes may; `$` means nothing.

use crate::error::Fault;
use crate::origin::Origin;
use crate::sources::environment::Environment;
use crate::sources::{Collected, Trust, base, find, variables};

pub(crate) fn collect(environment: &Environment, collected: &mut Collected) {
    let Some(path) = find::dotenv(&environment.directory) else {
        return;
    };
    let origin = |line, name: &str| Origin::Dotenv {
        path: path.clone(),
        line,
        variable: name.to_owned(),
    };
    let bytes = match find::read(&path) {
        Ok(bytes) => bytes,
        Err(fault) => return collected.unread(origin(0, ""), fault),
    };
    let base = base(environment, &environment.directory);
    for line in parse(&String::from_utf8_lossy(&bytes)) {
        let origin = origin(line.number, line.name);
        if !variables::is_ours(line.name) {
            continue;
        }
        match line.value {
            None => collected.problem(origin, Fault::BadLine),
            Some(text) if text.contains(char::REPLACEMENT_CHARACTER) => {
                collected.problem(origin, Fault::NotUnicode);
            }
            Some(text) => {
                let trust = Trust::FoundDotenv;
                variables::add(line.name, &text, origin, &base, trust, collected);
            }
        }
    }
}

/// A line that names a variable; no value when the line is malformed.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    number: usize,
    name: &'a str,
    value: Option<String>,
}

fn parse(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut number = 1;
    while !rest.is_empty() {
        let before = rest;
        let line = rest.split('\n').next().unwrap_or_default();
        match assignment(line) {
            None => rest = skip_line(rest),
            Some((name, None)) => {
                rest = skip_line(rest);
                lines.push(line_of(number, name, None));
            }
            Some((name, Some(start))) => {
                let (value, after) = value(&rest[start..]);
                rest = after;
                lines.push(line_of(number, name, value));
            }
        }
        let consumed = &before[..before.len() - rest.len()];
        number += consumed.matches('\n').count();
    }
    lines
}

fn line_of(number: usize, name: &str, value: Option<String>) -> Line<'_> {
    Line {
        number,
        name,
        value,
    }
}

/// The name on a line, and where its value begins if there is a `=`.
fn assignment(line: &str) -> Option<(&str, Option<usize>)> {
    let trimmed = line.trim_start();
    let trimmed = match trimmed.strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => trimmed,
    };
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return None;
    }
    let indent = line.len() - trimmed.len();
    match trimmed.split_once('=') {
        Some((name, _)) => Some((name.trim(), Some(indent + name.len() + 1))),
        None => Some((trimmed.split_whitespace().next()?, None)),
    }
}

/// The value at the start of `text`, and what follows its last line. A quote
/// that does not close spoils its own line only.
fn value(text: &str) -> (Option<String>, &str) {
    let start = text.trim_start_matches([' ', '\t']);
    let quoted = match start.chars().next() {
        Some(quote @ ('"' | '\'')) => quoted(&start[1..], quote),
        _ => return (Some(unquoted(start)), skip_line(text)),
    };
    match quoted {
        Some((value, after)) => {
            let tail = after.split('\n').next().unwrap_or_default().trim();
            let clean = tail.is_empty() || tail.starts_with('#');
            (clean.then_some(value), skip_line(after))
        }
        None => (None, skip_line(text)),
    }
}

fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            c if c == quote => return Some((value, &text[at + 1..])),
            '\\' if quote == '"' => match characters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                c @ ('"' | '\\' | '$') => value.push(c),
                c => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
    None
}

fn unquoted(text: &str) -> String {
    let line = text.split('\n').next().unwrap_or_default();
    let comment = line
        .match_indices('#')
        .find(|(at, _)| *at == 0 || line[..*at].ends_with([' ', '\t']));
    let end = comment.map_or(line.len(), |(at, _)| at);
    line[..end].trim().to_owned()
}

fn skip_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_the_dialect() {
        for (text, expected) in [
            ("A=b", Some("b")),
            ("A = b ", Some("b")),
            ("export A=b", Some("b")),
            ("A=b # comment", Some("b")),
            ("A=b#c", Some("b#c")),
            ("A=#c", Some("")),
            ("A=", Some("")),
            ("A='b # c'", Some("b # c")),
            ("A='b\\n'", Some("b\\n")),
            ("A=\"b\\n\\\"c\\\\\" # x", Some("b\n\"c\\")),
            ("A=\"b\\dc\"", Some("b\\dc")),
            ("A=$HOME/x", Some("$HOME/x")),
            ("A=b=c", Some("b=c")),
            ("A=b\r", Some("b")),
            ("A='open", None),
            ("A='x' y", None),
            ("A", None),
        ] {
            let lines = parse(text);
            assert_eq!(lines.len(), 1, "{text}");
            assert_eq!(lines[0].name, "A", "{text}");
            assert_eq!(lines[0].value.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn line_numbers_survive_comments_blank_lines_and_quotes_that_span_lines() {
        let text = "\u{feff}# head\n\nKEY=\"one\ntwo\"\nOPEN='x\nLAST=1\n";
        let seen: Vec<_> = parse(text)
            .into_iter()
            .map(|line| (line.number, line.name.to_owned(), line.value))
            .collect();
        let expected = [
            (3, "KEY", Some("one\ntwo")),
            (5, "OPEN", None),
            (6, "LAST", Some("1")),
        ];
        let expected: Vec<_> = expected
            .map(|(n, name, value)| (n, name.to_owned(), value.map(str::to_owned)))
            .into();
        assert_eq!(seen, expected);
    }
}
