//! Masks passwords and tokens in addresses.

/// What stands in for a secret.
const HIDDEN: &str = "***";

/// Masks user, password, query and fragment: for addresses whose query is
/// where providers put their token. The path stays, save that a part of it
/// which follows a part named `token` is masked too.
pub(crate) fn url(text: &str) -> String {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let mut shown = path_tokens(&userinfo(&text[..end], true));
    if end < text.len() {
        shown.push_str(&text[end..=end]);
        shown.push_str(HIDDEN);
    }
    shown
}

/// Masks `user:password@` wherever an address occurs in `text`.
pub(crate) fn addresses(text: &str) -> String {
    userinfo(text, false)
}

/// Masks the part before `@` of every authority. With `bare`, text without a
/// scheme is taken for an authority as well.
fn userinfo(text: &str, bare: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    if bare && !text.contains("://") {
        return authority(text);
    }
    while let Some(start) = rest.find("://").map(|at| at + "://".len()) {
        shown.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest
            .find(|c: char| matches!(c, '/' | '?' | '#' | ',') || c.is_whitespace())
            .unwrap_or(rest.len());
        shown.push_str(&authority(&rest[..end]));
        rest = &rest[end..];
    }
    shown.push_str(rest);
    shown
}

fn authority(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, host)) => format!("{HIDDEN}@{host}"),
        None => text.to_owned(),
    }
}

fn path_tokens(text: &str) -> String {
    let mut after_token = false;
    let shown = |part: &str| {
        let hide = std::mem::replace(&mut after_token, part.eq_ignore_ascii_case("token"));
        let part = if hide && !part.is_empty() {
            HIDDEN
        } else {
            part
        };
        part.to_owned()
    };
    text.split('/').map(shown).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_queries_of_addresses_are_masked() {
        for (text, shown) in [
            ("http://proxy:3128", "http://proxy:3128"),
            ("http://bob:s3cret@proxy:3128", "http://***@proxy:3128"),
            ("http://bob:p@ss@proxy:3128/x", "http://***@proxy:3128/x"),
            ("bob:s3cret@proxy:3128", "***@proxy:3128"),
            ("wss://farm/chrome?token=abc&x=1", "wss://farm/chrome?***"),
            ("wss://farm/chrome#abc", "wss://farm/chrome#***"),
            ("wss://u:p@farm?token=a@b", "wss://***@farm?***"),
            ("wss://farm/token/abc/x", "wss://farm/token/***/x"),
        ] {
            assert_eq!(url(text), shown);
        }
    }

    #[test]
    fn addresses_inside_other_text_are_masked() {
        for (text, shown) in [
            (
                "--proxy-server=http://a:b@c:1",
                "--proxy-server=http://***@c:1",
            ),
            ("http://a:b@c,http://d:e@f", "http://***@c,http://***@f"),
            ("mail me@example.com", "mail me@example.com"),
        ] {
            assert_eq!(addresses(text), shown);
        }
    }
}
