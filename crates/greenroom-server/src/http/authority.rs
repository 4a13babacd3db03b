//! Host names and origins, compared as browsers mean them.
//!
//! A page on the open web can reach a server on this machine by pointing a name of its own at
//! 127.0.0.1. The name it used is then in `Host`, and its own origin in `Origin`; both are compared
//! with lists of what we answer to. What cannot be parsed is not on any list.

use std::net::Ipv6Addr;

use super::HttpError;

/// The names under which only this machine reaches itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// `host[:port]`, with the host in one canonical spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Authority {
    host: String,
    port: Option<u16>,
}

impl Authority {
    fn parse(text: &str) -> Option<Self> {
        let (host, port) = split_port(text)?;
        let port = match port {
            None | Some("") => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            Some(_) => return None,
        };
        let host = canonical_host(host)?;
        Some(Self { host, port })
    }
}

fn split_port(text: &str) -> Option<(&str, Option<&str>)> {
    let end_of_address = match text.starts_with('[') {
        true => text.find(']')? + 1,
        false => 0,
    };
    let (_, rest) = text.split_at(end_of_address);
    match rest.find(':') {
        Some(colon) => {
            let colon = end_of_address + colon;
            Some((&text[..colon], Some(&text[colon + 1..])))
        }
        None => Some((text, None)),
    }
}

/// Lower case, without the dot of a fully qualified name, IPv6 in its shortest form.
fn canonical_host(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[') {
        let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let sound = !name.is_empty() && !name.ends_with('.') && name.bytes().all(allowed);
    sound.then(|| name.to_ascii_lowercase())
}

/// The hosts that we answer to.
#[derive(Debug, Clone)]
pub(crate) struct HostList(Vec<Authority>);

impl HostList {
    pub(crate) fn loopback() -> Self {
        Self(
            LOOPBACK
                .iter()
                .filter_map(|name| Authority::parse(name))
                .collect(),
        )
    }

    /// Entries are `host` (any port) or `host:port`.
    pub(crate) fn new(entries: &[String]) -> Result<Self, HttpError> {
        let parse =
            |entry: &String| Authority::parse(entry).ok_or_else(|| HttpError::Host(entry.clone()));
        entries
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub(crate) fn allows(&self, host: &str) -> bool {
        Authority::parse(host).is_some_and(|asked| {
            self.0.iter().any(|allowed| {
                allowed.host == asked.host && (allowed.port.is_none() || allowed.port == asked.port)
            })
        })
    }
}

/// Where a page comes from: scheme, host and port, the port always known.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    /// `null`, other schemes and anything with a path are no origins of ours.
    fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let default_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let Authority { host, port } = Authority::parse(authority)?;
        let port = port.unwrap_or(default_port);
        Some(Self { scheme, host, port })
    }
}

/// The origins whose pages may call us.
#[derive(Debug, Clone)]
pub(crate) enum OriginList {
    /// Pages served from this machine, whatever the port.
    Loopback,
    /// These.
    Exactly(Vec<OriginPattern>),
}

/// An origin, with a port or with any.
#[derive(Debug, Clone)]
pub(crate) struct OriginPattern {
    origin: Origin,
    any_port: bool,
}

impl OriginList {
    /// Entries are `scheme://host` (its default port), `scheme://host:port` or `scheme://host:*`.
    pub(crate) fn new(entries: &[String]) -> Result<Self, HttpError> {
        let parse = |entry: &String| {
            let any_port = entry.ends_with(":*");
            Origin::parse(entry.trim_end_matches(":*"))
                .map(|origin| OriginPattern { origin, any_port })
                .ok_or_else(|| HttpError::Origin(entry.clone()))
        };
        entries
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Self::Exactly)
    }

    pub(crate) fn allows(&self, origin: &str) -> bool {
        let Some(asked) = Origin::parse(origin) else {
            return false;
        };
        match self {
            Self::Loopback => LOOPBACK.contains(&asked.host.as_str()),
            Self::Exactly(patterns) => patterns.iter().any(|pattern| {
                let allowed = &pattern.origin;
                allowed.scheme == asked.scheme
                    && allowed.host == asked.host
                    && (pattern.any_port || allowed.port == asked.port)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn loopback_has_many_spellings() {
        let list = HostList::loopback();
        for host in [
            "localhost",
            "LocalHost",
            "localhost.",
            "LOCALHOST.:80",
            "localhost:34501",
            "localhost:",
            "127.0.0.1",
            "127.0.0.1:1",
            "[::1]",
            "[::1]:34501",
            "[0:0:0:0:0:0:0:1]",
            "[::0001]:2",
        ] {
            assert!(list.allows(host), "{host}");
        }
    }

    #[test]
    fn names_that_only_look_like_loopback_are_not() {
        let list = HostList::loopback();
        for host in [
            "",
            ".",
            "evil.com",
            "localhost.evil.com",
            "evil.localhost",
            "localhost..",
            "127.0.0.1.evil.com",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "127.0.0.2",
            "::1",
            "[::1",
            "[::1]x",
            "[::ffff:127.0.0.1]",
            "localhost:80:80",
            "localhost:+80",
            "localhost:99999",
            "user@localhost",
            "localhost/",
            " localhost",
            "localhost, evil.com",
            "[::]",
            "[127.0.0.1]",
        ] {
            assert!(!list.allows(host), "{host}");
        }
    }

    #[test]
    fn a_listed_host_may_fix_its_port() {
        let list = HostList::new(&entries(&["Green.Example", "other.example:8443"])).unwrap();
        assert!(list.allows("green.example:1") && list.allows("green.example."));
        assert!(list.allows("other.example:8443"));
        assert!(!list.allows("other.example") && !list.allows("other.example:1"));
        assert!(!list.allows("localhost"), "a list replaces the default");
    }

    #[test]
    fn loopback_origins_pass_on_any_port_and_nothing_else_does() {
        let list = OriginList::Loopback;
        for origin in [
            "http://localhost",
            "https://LOCALHOST:3",
            "http://127.0.0.1:8",
            "http://[::1]:9",
        ] {
            assert!(list.allows(origin), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.com",
            "http://localhost.evil.com",
            "file://",
            "localhost",
            "chrome-extension://localhost",
            "http://localhost/path",
            "http://localhost@evil.com",
            "http://localhost http://evil.com",
        ] {
            assert!(!list.allows(origin), "{origin}");
        }
    }

    #[test]
    fn a_listed_origin_means_its_scheme_and_port() {
        let listed = [
            "https://app.example",
            "http://dev.example:*",
            "http://x.example:8080",
        ];
        let list = OriginList::new(&entries(&listed)).unwrap();
        for origin in [
            "https://app.example",
            "https://app.example:443",
            "http://dev.example:5",
            "http://x.example:8080",
        ] {
            assert!(list.allows(origin), "{origin}");
        }
        for origin in [
            "http://app.example",
            "https://app.example:444",
            "http://x.example",
            "http://localhost",
        ] {
            assert!(!list.allows(origin), "{origin}");
        }
    }

    #[test]
    fn entries_that_could_never_match_are_refused() {
        for entry in ["", "http://a", "a b", "a:x"] {
            assert!(HostList::new(&entries(&[entry])).is_err(), "{entry}");
        }
        for entry in ["", "null", "a.example", "ftp://a", "https://a/b"] {
            assert!(OriginList::new(&entries(&[entry])).is_err(), "{entry}");
        }
    }
}
