//! Texts: free ones, web addresses, session ids, words out of a few.

use serde_json::Value;

use super::super::super::refusal::Fault;
use super::super::super::row::Kind;
use super::super::super::{suggest, urls};
use super::super::wording;
use super::Cleaner;

/// The most characters in a session id.
pub const MAX_SESSION_ID: usize = 128;

impl Cleaner {
    /// Text. Numbers and truth values are taken as they are written: `browser_instance: 0`
    /// and `value: true` can mean only one thing.
    pub(super) fn text(&mut self, kind: &Kind, given: Value, path: &str) -> Option<String> {
        let text = match given {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            other => return self.wrong_type(kind, &other, path),
        };
        match checked(kind, text) {
            Ok(text) => Some(text),
            Err(fault) => {
                self.problems.add(path, fault);
                None
            }
        }
    }

    /// One of a few words, in any case.
    pub(super) fn choice(
        &mut self,
        kind: &Kind,
        words: &'static [&'static str],
        given: Value,
        path: &str,
    ) -> Option<Value> {
        let Value::String(text) = given else {
            return self.wrong_type(kind, &given, path);
        };
        let same = |word: &&&str| word.eq_ignore_ascii_case(text.trim());
        if let Some(word) = words.iter().find(same) {
            return Some(Value::from(*word));
        }
        let fault = Fault::NotAChoice {
            given: wording::quoted(&text),
            allowed: words,
            nearest: suggest::nearest(&text, words.iter().copied()),
        };
        self.problems.add(path, fault);
        None
    }
}

fn checked(kind: &Kind, text: String) -> Result<String, Fault> {
    match kind {
        Kind::Url => urls::navigable(&text).map_err(Fault::Url),
        Kind::SessionId if !is_session_id(&text) => Err(Fault::SessionId {
            max: MAX_SESSION_ID,
        }),
        Kind::Text if text.is_empty() => Err(Fault::Empty {
            wanted: wording::wanted(kind),
        }),
        _ => Ok(text),
    }
}

/// Session ids end up in logs, headers and lists: nothing invisible may be in them.
fn is_session_id(text: &str) -> bool {
    let is_visible = |c: char| c.is_ascii_graphic() || c.is_alphanumeric();
    (1..=MAX_SESSION_ID).contains(&text.chars().count()) && text.chars().all(is_visible)
}
