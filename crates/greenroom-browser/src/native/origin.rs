//! The parts of web addresses that say whose storage and cookies are meant.

/// The origin of a web address, as the browser has it; none for other addresses.
pub(crate) fn origin_of(url: &str) -> Option<String> {
    let (scheme, authority) = split(url)?;
    let (_, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    Some(format!("{scheme}://{host}"))
}

/// The host of a web address, without its port; none for other addresses.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let origin = origin_of(url)?;
    let (_, host) = origin.split_once("://")?;
    let host = match host.rfind(']') {
        Some(end) => host.get(..=end)?,
        None => host.split(':').next()?,
    };
    Some(host.to_owned())
}

fn split(url: &str) -> Option<(&str, &str)> {
    // An address that a page stands at is in the browser's own spelling, which is lower case.
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    (matches!(scheme, "http" | "https") && !authority.is_empty()).then_some((scheme, authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_have_an_origin_and_a_host() {
        for (url, origin, host) in [
            ("http://a.b:80/x?y#z", "http://a.b:80", "a.b"),
            ("https://u:p@a/", "https://a", "a"),
            ("http://[::1]:8080/", "http://[::1]:8080", "[::1]"),
            ("https://a?x=http://b/", "https://a", "a"),
        ] {
            assert_eq!(origin_of(url).as_deref(), Some(origin), "{url}");
            assert_eq!(host_of(url).as_deref(), Some(host), "{url}");
        }
        for other in [
            "about:blank",
            "data:text/html,x",
            "blob:http://a/1",
            "http://",
            "",
        ] {
            assert_eq!(origin_of(other), None, "{other}");
        }
    }
}
