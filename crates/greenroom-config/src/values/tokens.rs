//! Bearer tokens: `name:token` pairs. No message repeats a token.

use crate::values::parse::Refusal;
use crate::values::secret::Secret;
use crate::values::value::AuthToken;

/// Reads the pairs and refuses names or tokens that occur twice: a token
/// stands for one principal, and a principal has one token.
pub(crate) fn parse(items: &[String]) -> Result<Vec<AuthToken>, Refusal> {
    let mut tokens: Vec<AuthToken> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let token = pair(item, index + 1)?;
        for other in &tokens {
            distinct(other, &token)?;
        }
        tokens.push(token);
    }
    Ok(tokens)
}

fn pair(item: &str, place: usize) -> Result<AuthToken, Refusal> {
    let because = |text: String| Err(Refusal::Because(text));
    let Some((name, token)) = item.split_once(':') else {
        return because(format!(
            "has no name in entry {place}; write every entry as name:token"
        ));
    };
    if !is_name(name) {
        return because(format!(
            "has no usable name in entry {place}; a name is 1 to 64 letters, digits, `.`, `_` or `-`"
        ));
    }
    if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic() && c != ',') {
        return because(format!(
            "has no usable token for `{name}`; a token is visible ASCII without spaces and commas"
        ));
    }
    Ok(AuthToken {
        name: name.to_owned(),
        token: Secret::new(token),
    })
}

fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=64).contains(&text.len()) && text.chars().all(allowed)
}

fn distinct(one: &AuthToken, other: &AuthToken) -> Result<(), Refusal> {
    let (a, b) = (&one.name, &other.name);
    if a == b {
        return Err(Refusal::Because(format!(
            "names `{a}` twice; give every name one token"
        )));
    }
    if one.token == other.token {
        return Err(Refusal::Because(format!(
            "gives `{a}` and `{b}` the same token; give every name its own"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(items: &[&str]) -> String {
        let items: Vec<String> = items.iter().map(|&item| item.to_owned()).collect();
        match parse(&items) {
            Err(Refusal::Because(why)) => why,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    #[test]
    fn a_token_may_contain_colons_and_is_hidden_from_debug() {
        let tokens = parse(&["ann:abc:def".to_owned()]).unwrap();
        assert_eq!(tokens[0].token.expose(), "abc:def");
        assert!(!format!("{tokens:?}").contains("abc"));
    }

    #[test]
    fn refusals_name_the_entry_and_never_the_token() {
        for (items, needle) in [
            (vec!["s3cret"], "entry 1"),
            (vec!["a:x", ":s3cret"], "entry 2"),
            (vec!["a:"], "`a`"),
            (vec!["a:s3 cret"], "`a`"),
            (vec!["a:s3cret", "a:other"], "`a` twice"),
            (vec!["a:s3cret", "b:s3cret"], "`a` and `b`"),
        ] {
            let why = refused(&items);
            assert!(why.contains(needle), "{why}");
            assert!(!why.contains("s3cret"), "{why}");
        }
    }
}
