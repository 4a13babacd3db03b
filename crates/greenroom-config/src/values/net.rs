//! Hosts, origins and addresses: only as much of them as a setting needs.

use std::net::{IpAddr, Ipv6Addr};

use crate::values::parse::Refusal;

/// Whether listening on `host` is reachable from this machine only.
pub(crate) fn is_loopback(host: &str) -> bool {
    let name = host.to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// A host to listen on. Brackets around an IPv6 address are taken off.
pub(crate) fn host(text: &str) -> Result<String, Refusal> {
    let bare = unbracket(text);
    if bare.parse::<Ipv6Addr>().is_ok() {
        return Ok(bare.to_owned());
    }
    if let Some((name, port)) = text.rsplit_once(':')
        && is_host_name(name)
        && port.parse::<u16>().is_ok()
    {
        let why = "carries a port; give the host alone and the port as SERVER_PORT";
        return Err(Refusal::Because(why.to_owned()));
    }
    is_host_name(text)
        .then(|| text.to_owned())
        .ok_or(Refusal::Kind)
}

/// `host`, `host:port`, `[v6]` or `[v6]:port`, in lower case.
pub(crate) fn host_and_port(text: &str) -> Option<String> {
    let (host, port) = split_port(text)?;
    let valid_host = match host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => is_host_name(host),
    };
    (valid_host && port.is_none_or(is_port)).then(|| text.to_ascii_lowercase())
}

/// `scheme://host` or `scheme://host:port` with http or https, in lower case.
pub(crate) fn origin(text: &str) -> Option<String> {
    let (scheme, authority) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let authority = host_and_port(authority)?;
    matches!(scheme.as_str(), "http" | "https").then(|| format!("{scheme}://{authority}"))
}

/// Whether `text` is an absolute address with one of `schemes` and a host.
pub(crate) fn is_url(text: &str, schemes: &[&str]) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    schemes.iter().any(|s| s.eq_ignore_ascii_case(scheme))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && host_and_port(host).is_some()
}

/// A proxy: an address without a path, or a bare `host:port`.
pub(crate) fn is_proxy(text: &str) -> bool {
    const SCHEMES: &[&str] = &["http", "https", "socks4", "socks5"];
    if text.contains("://") {
        let after = text.split_once("://").map_or("", |(_, rest)| rest);
        return is_url(text, SCHEMES) && !after.trim_end_matches('/').contains('/');
    }
    let host = text.rsplit_once('@').map_or(text, |(_, host)| host);
    matches!(split_port(host), Some((_, Some(_)))) && host_and_port(host).is_some()
}

fn unbracket(text: &str) -> &str {
    text.strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text)
}

fn is_host_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !text.is_empty() && text.len() <= 253 && text.chars().all(allowed)
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port > 0)
}

/// Splits a port off; `None` when the brackets of an address do not close.
fn split_port(text: &str) -> Option<(&str, Option<&str>)> {
    if text.starts_with('[') {
        let end = text.find(']')? + 1;
        let rest = &text[end..];
        return match rest.strip_prefix(':') {
            Some(port) => Some((&text[..end], Some(port))),
            None => rest.is_empty().then_some((&text[..end], None)),
        };
    }
    Some(match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_recognised_in_every_spelling() {
        for host in [
            "localhost",
            "LOCALHOST",
            "a.localhost",
            "127.0.0.1",
            "127.9.9.9",
            "::1",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "0.0.0.0",
            "::",
            "192.168.1.1",
            "example.com",
            "localhost.evil.com",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_host_to_listen_on_has_no_scheme_and_no_port() {
        assert_eq!(host("[::1]").ok().as_deref(), Some("::1"));
        assert_eq!(host("0.0.0.0").ok().as_deref(), Some("0.0.0.0"));
        assert!(matches!(host("localhost:80"), Err(Refusal::Because(_))));
        for bad in ["http://x", "a b", "x/y", "a:b:c"] {
            assert!(matches!(host(bad), Err(Refusal::Kind)), "{bad}");
        }
    }

    #[test]
    fn hosts_and_origins_may_carry_a_port() {
        for good in ["a", "a.b:80", "[::1]", "[::1]:80", "127.0.0.1:1"] {
            assert!(host_and_port(good).is_some(), "{good}");
            assert!(origin(&format!("https://{good}")).is_some(), "{good}");
        }
        for bad in [
            "", "*", "a:", "a:0", "a:99999", "[::1", "[::1]x", "a/b", "::1", "a b",
        ] {
            assert!(host_and_port(bad).is_none(), "{bad}");
        }
        for bad in ["localhost", "ftp://a", "http://a/path", "null"] {
            assert!(origin(bad).is_none(), "{bad}");
        }
        assert_eq!(origin("HTTP://Host:80").as_deref(), Some("http://host:80"));
    }

    #[test]
    fn proxies_may_leave_out_the_scheme_but_then_not_the_port() {
        for good in [
            "http://p:1",
            "socks5://u:p@h:1",
            "http://p",
            "p:3128",
            "http://p:1/",
        ] {
            assert!(is_proxy(good), "{good}");
        }
        for bad in ["p", "ftp://p:1", "http://p/x", "http://", "p:x"] {
            assert!(!is_proxy(bad), "{bad}");
        }
    }
}
