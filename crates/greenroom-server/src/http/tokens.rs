//! Bearer tokens, kept and compared as digests.
//!
//! Both sides are hashed first, so that neither the length of a token nor how much of it was right
//! shows in the time a comparison takes; all tokens are compared, whichever matches.

use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::HttpError;
use crate::identity::Principal;

/// The tokens that open the door, and whose they are.
#[derive(Clone, Default)]
pub(crate) struct Tokens(Vec<(Principal, [u8; 32])>);

impl Tokens {
    /// Takes pairs of a name and its token.
    pub(crate) fn new(pairs: &[(String, String)]) -> Result<Self, HttpError> {
        let digest = |(name, token): &(String, String)| {
            if token.is_empty() {
                return Err(HttpError::EmptyToken(name.clone()));
            }
            Ok((Principal::named(name), Sha256::digest(token).into()))
        };
        pairs.iter().map(digest).collect::<Result<_, _>>().map(Self)
    }

    /// Whether anybody may come in.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whose token this is.
    pub(crate) fn principal(&self, token: &str) -> Option<Principal> {
        let offered: [u8; 32] = Sha256::digest(token).into();
        let mut matched = Choice::from(0);
        let mut position = 0_u64;
        for (index, (_, known)) in (0_u64..).zip(&self.0) {
            let same = known.ct_eq(&offered);
            position.conditional_assign(&index, same);
            matched |= same;
        }
        let index = usize::try_from(position).ok()?;
        bool::from(matched).then(|| self.0[index].0.clone())
    }
}

/// The token in an `Authorization` header.
pub(crate) fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    let token = token.trim_matches(' ');
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        let pairs = [("ci", "alpha"), ("laptop", "beta")];
        Tokens::new(&pairs.map(|(name, token)| (name.to_owned(), token.to_owned()))).unwrap()
    }

    #[test]
    fn a_token_is_its_owner_and_nothing_near_it_is() {
        assert_eq!(tokens().principal("alpha").unwrap().as_str(), "ci");
        assert_eq!(tokens().principal("beta").unwrap().as_str(), "laptop");
        for wrong in ["", "alph", "alpha ", "ALPHA", "alphabeta"] {
            assert_eq!(tokens().principal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn without_tokens_nobody_matches() {
        assert!(Tokens::default().is_empty());
        assert_eq!(Tokens::default().principal(""), None);
    }

    #[test]
    fn an_empty_token_is_refused_by_name() {
        let error = Tokens::new(&[("ci".into(), String::new())]).err().unwrap();
        assert!(error.to_string().contains("'ci'"), "{error}");
    }

    #[test]
    fn only_the_bearer_scheme_is_read() {
        assert_eq!(bearer("Bearer x"), Some("x"));
        assert_eq!(bearer("bEARER   x "), Some("x"));
        for other in ["", "Bearer", "Bearer ", "Basic x", "Bearerx"] {
            assert_eq!(bearer(other), None, "{other}");
        }
    }
}
