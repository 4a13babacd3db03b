//! Words as the history of a session is searched by. The same rule makes them when a text is
//! indexed, when a query is read, and when a line is checked, so the three always agree.

use std::collections::{BTreeSet, HashSet};

use sha2::{Digest, Sha256};

use crate::ids::{Principal, SessionId};

/// Longer ones are left out: they are data, not words.
const LONGEST: usize = 64;

/// A text with more is indexed by its first ones.
const MOST: usize = 50_000;

/// A text in lower case with nothing but letters, digits and spaces between them. Scripts that are
/// written without spaces get one after each character.
#[derive(Debug)]
pub(crate) struct Plain(String);

impl Plain {
    pub(crate) fn of(text: &str) -> Self {
        let mut plain = String::with_capacity(text.len());
        // References name elements of one moment. They are most of the distinct words of a page,
        // and nobody searches its history for them.
        let mut pieces = text.split("[ref=");
        plain_text(pieces.next().unwrap_or_default(), &mut plain);
        for piece in pieces {
            let after = piece.find(']').map_or(piece, |end| &piece[end..]);
            plain_text(after, &mut plain);
        }
        Self(plain)
    }
    /// The distinct words, in order.
    pub(crate) fn words(&self) -> BTreeSet<&str> {
        let words = self
            .0
            .split_ascii_whitespace()
            .filter(|word| word.len() <= LONGEST);
        // Most words of a page come again and again; hashing them is cheaper than sorting.
        let distinct: HashSet<&str> = words.take(MOST).collect();
        distinct.into_iter().collect()
    }
}

fn plain_text(text: &str, plain: &mut String) {
    for c in text.chars() {
        if c.is_ascii() {
            plain.push(if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                ' '
            });
        } else if !c.is_alphanumeric() {
            plain.push(' ');
        } else if stands_alone(c) {
            plain.extend([' ', c, ' ']);
        } else {
            plain.extend(c.to_lowercase());
        }
    }
}

/// A word of the index that stands for one session. No word of a text has a `#`.
pub(crate) fn scope(principal: &Principal, session: Option<&SessionId>) -> String {
    let mut hash = Sha256::new();
    hash.update(principal.as_str());
    hash.update([0]);
    hash.update(session.map_or("", SessionId::as_str));
    let digest = hash.finalize();
    let hex: String = digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("#{hex}")
}

/// What is indexed for a text.
pub(crate) fn document(scope: &str, words: &BTreeSet<&str>) -> String {
    let mut document = scope.to_owned();
    for word in words {
        document.push(' ');
        document.push_str(word);
    }
    document
}

/// A query for texts of one session that have all these words.
pub(crate) fn query(scope: &str, words: &BTreeSet<&str>) -> String {
    let mut query = format!("\"{scope}\"");
    for word in words {
        query.push_str(" AND \"");
        query.push_str(word);
        query.push('"');
    }
    query
}

/// Han, kana and the like: everything from the CJK radicals on, but not Hangul, which has spaces.
fn stands_alone(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case_and_distinct() {
        let table: [(&str, &[&str]); 6] = [
            (
                "- button \"Save all\" [ref=e12]: now",
                &["all", "button", "now", "save"],
            ),
            ("Save SAVE save", &["save"]),
            ("Größe ÉTÉ", &["größe", "été"]),
            ("東京 tower", &["tower", "京", "東"]),
            ("…—«»", &[]),
            ("", &[]),
        ];
        for (text, expected) in table {
            let plain = Plain::of(text);
            assert_eq!(
                plain.words().into_iter().collect::<Vec<_>>(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_scope_is_that_of_one_principal_and_one_session() {
        let (ada, bob) = (Principal::new("ada"), Principal::new("bob"));
        let session = SessionId::new("s");
        assert_eq!(scope(&ada, Some(&session)), scope(&ada, Some(&session)));
        assert_ne!(scope(&ada, Some(&session)), scope(&bob, Some(&session)));
        assert_ne!(scope(&ada, Some(&session)), scope(&ada, None));
    }
}
