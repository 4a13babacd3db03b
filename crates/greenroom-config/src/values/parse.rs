//! Reads a written value as the kind its key asks for.

use std::time::Duration;

use crate::values::kind::Kind;
pub(crate) use crate::values::paths::Base;
use crate::values::raw::Raw;
use crate::values::secret::MaskedUrl;
use crate::values::unit::{self, Unit};
use crate::values::value::{Value, Viewport, Warmup};
use crate::values::{net, programs, tokens};

/// Why a value was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is not what the kind expects; the kind says what that is.
    Kind,
    /// A reason of its own, as the end of "KEY …".
    Because(String),
}

/// Reads `raw` as `kind`. Empty values are handled before: they are not set.
pub(crate) fn parse(kind: Kind, raw: &Raw, base: &Base) -> Result<Value, Refusal> {
    match kind {
        Kind::Bool => boolean(raw).map(Value::Bool),
        Kind::AutoBool => auto_bool(raw),
        Kind::Number { min, max } => number(raw, min, max).map(Value::Number),
        Kind::Limit { min, max } if !is_off(raw) => {
            number(raw, min, max).map(|n| Value::Limit(Some(n)))
        }
        Kind::Limit { .. } => Some(Value::Limit(None)),
        Kind::Time {
            unit,
            min_ms,
            max_ms,
        } => time(raw, unit, min_ms, max_ms).map(Value::Time),
        Kind::Age {
            unit,
            min_ms,
            max_ms,
        } if !is_off(raw) => time(raw, unit, min_ms, max_ms).map(|t| Value::Age(Some(t))),
        Kind::Age { .. } => Some(Value::Age(None)),
        Kind::Size { max } => size(raw, max).map(Value::Size),
        Kind::Choice { words, synonyms } => choice(raw, words, synonyms).map(Value::Choice),
        Kind::Viewport => viewport(raw).map(Value::Viewport),
        Kind::Prose => prose(raw).map(Value::Text),
        Kind::Line => line(raw).map(|text| Value::Text(text.to_owned())),
        Kind::Path => line(raw)
            .and_then(|text| base.resolve(text))
            .map(Value::Path),
        Kind::Words => return programs::words(raw).map(Value::Words),
        Kind::Tokens => return tokens::parse(&items(raw)?).map(Value::Tokens),
        Kind::Hosts => list(raw, net::host_and_port),
        Kind::Origins => list(raw, net::origin),
        Kind::Alias => return alias(raw),
        Kind::Executable => return programs::executable(raw, base),
        Kind::Command => return programs::command(raw, base),
        Kind::Host => return net::host(line(raw).ok_or(Refusal::Kind)?).map(Value::Text),
        Kind::Proxy => masked(raw, net::is_proxy),
        Kind::Websocket => masked(raw, |text| {
            net::is_url(text, &["ws", "wss", "http", "https"])
        }),
        Kind::SearchUrl => masked(raw, |text| {
            net::is_url(text, &["http", "https"]) && text.contains("{query}")
        }),
        Kind::Warmup => warmup(raw, base),
    }
    .ok_or(Refusal::Kind)
}

fn boolean(raw: &Raw) -> Option<bool> {
    match raw {
        Raw::Bool(value) => Some(*value),
        Raw::Plain(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn auto_bool(raw: &Raw) -> Option<Value> {
    let auto = raw
        .text()
        .is_some_and(|text| text.eq_ignore_ascii_case("auto"));
    let value = if auto { None } else { Some(boolean(raw)?) };
    Some(Value::AutoBool(value))
}

fn is_off(raw: &Raw) -> bool {
    raw.text()
        .is_some_and(|text| text.eq_ignore_ascii_case("off"))
}

fn number(raw: &Raw, min: u64, max: u64) -> Option<u64> {
    let number = match raw {
        Raw::Integer(number) => u64::try_from(*number).ok()?,
        Raw::Plain(text) => digits(text.trim())?,
        _ => return None,
    };
    (min..=max).contains(&number).then_some(number)
}

fn digits(text: &str) -> Option<u64> {
    let plain = text.chars().all(|c| c.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn time(raw: &Raw, unit: Unit, min_ms: u64, max_ms: u64) -> Option<Duration> {
    let time = match raw {
        Raw::Integer(number) => unit.times(u64::try_from(*number).ok()?)?,
        other => unit.parse(other.text()?)?,
    };
    let (min, max) = (Duration::from_millis(min_ms), Duration::from_millis(max_ms));
    (min..=max).contains(&time).then_some(time)
}

fn size(raw: &Raw, max: u64) -> Option<u64> {
    let bytes = match raw {
        Raw::Integer(number) => u64::try_from(*number).ok()?,
        other => unit::parse_size(other.text()?)?,
    };
    (bytes <= max).then_some(bytes)
}

fn choice(
    raw: &Raw,
    words: &'static [&'static str],
    synonyms: &'static [(&'static str, &'static str)],
) -> Option<&'static str> {
    let text = raw.text()?.to_ascii_lowercase();
    let synonym = synonyms.iter().find(|(other, _)| *other == text);
    let text = synonym.map_or(text.as_str(), |(_, word)| word);
    words.iter().copied().find(|word| *word == text)
}

fn viewport(raw: &Raw) -> Option<Viewport> {
    let (width, height) = raw.text()?.split_once(['x', 'X'])?;
    let side = |text: &str| {
        let pixels = digits(text)?.try_into().ok()?;
        (1..=16_384).contains(&pixels).then_some(pixels)
    };
    Some(Viewport {
        width: side(width)?,
        height: side(height)?,
    })
}

fn prose(raw: &Raw) -> Option<String> {
    match raw {
        Raw::Plain(text) | Raw::String(text) => Some(text.clone()),
        _ => None,
    }
}

pub(crate) fn line(raw: &Raw) -> Option<&str> {
    raw.text()
        .filter(|text| !text.contains(|c: char| c.is_control()))
}

fn alias(raw: &Raw) -> Result<Value, Refusal> {
    let text = line(raw).ok_or(Refusal::Kind)?;
    if text.chars().all(|c| c.is_ascii_digit()) {
        let why = format!("is `{text}`, all digits, which only instance ids may be; add a letter");
        return Err(Refusal::Because(why));
    }
    Ok(Value::Text(text.to_owned()))
}

/// The items of a list: an array in TOML, separated by commas elsewhere.
fn items(raw: &Raw) -> Result<Vec<String>, Refusal> {
    let trimmed = |text: &str| text.trim().to_owned();
    let items: Vec<String> = match raw {
        Raw::Strings(items) => items.iter().map(|item| trimmed(item)).collect(),
        // A trailing comma is a habit, not a mistake.
        Raw::Plain(text) => text
            .split(',')
            .map(trimmed)
            .filter(|item| !item.is_empty())
            .collect(),
        _ => return Err(Refusal::Kind),
    };
    if items.is_empty() {
        return Err(Refusal::Kind);
    }
    Ok(items)
}

fn list(raw: &Raw, item: impl Fn(&str) -> Option<String>) -> Option<Value> {
    let items = items(raw).ok()?;
    let read: Option<Vec<String>> = items.iter().map(|text| item(text)).collect();
    read.map(Value::List)
}

fn masked(raw: &Raw, accept: impl Fn(&str) -> bool) -> Option<Value> {
    line(raw)
        .filter(|text| accept(text))
        .map(|text| Value::Url(MaskedUrl::new(text)))
}

fn warmup(raw: &Raw, base: &Base) -> Option<Value> {
    let text = line(raw)?;
    let warmup = if net::is_url(text, &["http", "https"]) {
        Warmup::Url(MaskedUrl::new(text))
    } else {
        let script = text.ends_with(".json") && !text.contains("://");
        Warmup::Script(script.then(|| base.resolve(text)).flatten()?)
    };
    Some(Value::Warmup(warmup))
}
