use std::fmt;
use std::sync::Arc;

/// How minted ids begin. Callers may name their own sessions, but not like this: an unknown id of
/// this form is a session that has ended, and is never quietly made anew.
const MINTED: &str = "gr-";
const LONGEST: usize = 128;

/// The name of a session among those of its principal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SessionId(Arc<str>);

/// An id that no session can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("session_id must be 1 to {LONGEST} printable characters without spaces")]
pub(crate) struct InvalidSessionId;

impl SessionId {
    /// A fresh id that nobody can guess: 130 random bits.
    pub(crate) fn mint() -> Self {
        const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let mut random = [0_u8; 26];
        getrandom::fill(&mut random).expect("BUG: the system has no random numbers");
        let letters = random.map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
        Self(format!("{MINTED}{}", String::from_iter(letters)).into())
    }

    /// An id as a caller wrote it.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidSessionId> {
        let printable = |c: char| !c.is_whitespace() && !c.is_control();
        if text.is_empty() || text.len() > LONGEST || !text.chars().all(printable) {
            return Err(InvalidSessionId);
        }
        Ok(Self(text.into()))
    }

    /// Whether it has the form of an id that Greenroom minted.
    pub(crate) fn is_minted(&self) -> bool {
        self.0.starts_with(MINTED)
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minted_ids_differ_and_parse_back() {
        let (one, two) = (SessionId::mint(), SessionId::mint());
        assert_ne!(one, two);
        assert_eq!(SessionId::parse(one.as_str()), Ok(one.clone()));
        assert!(one.is_minted() && one.as_str().len() == 29);
    }

    #[test]
    fn what_a_caller_names_is_bounded_and_printable() {
        assert!(SessionId::parse("dark-mode-test").is_ok());
        for bad in ["", "two words", "line\nbreak", "\u{7}", &"x".repeat(129)] {
            assert_eq!(SessionId::parse(bad), Err(InvalidSessionId), "{bad:?}");
        }
    }
}
