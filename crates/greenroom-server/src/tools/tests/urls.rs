//! Where a browser may be sent.

use super::super::urls::{UrlFault, navigable};

#[test]
fn web_addresses_are_opened_in_full() {
    for (given, expected) in [
        ("https://example.com", "https://example.com"),
        (
            "http://example.com/a b?q=1#f",
            "http://example.com/a b?q=1#f",
        ),
        ("HTTPS://Example.com", "https://Example.com"),
        ("  https://example.com\n", "https://example.com"),
        ("\u{0}\u{1f}https://example.com", "https://example.com"),
        ("ht\ttps://exam\nple.com", "https://example.com"),
        ("http:example.com", "http://example.com"),
        ("http:/example.com", "http://example.com"),
        ("http:\\\\example.com\\a", "http://example.com\\a"),
        (
            "https://user:pass@example.com/",
            "https://user:pass@example.com/",
        ),
        ("example.com", "https://example.com"),
        ("example.com/a:b", "https://example.com/a:b"),
        ("example.com:8080/x", "https://example.com:8080/x"),
        ("münchen.de", "https://münchen.de"),
        ("//example.com/x", "https://example.com/x"),
        ("web:3000", "https://web:3000"),
        ("localhost", "http://localhost"),
        ("localhost:3000/x", "http://localhost:3000/x"),
        ("LOCALHOST:3000", "http://LOCALHOST:3000"),
        ("app.localhost:3000", "http://app.localhost:3000"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080/x", "http://[::1]:8080/x"),
        ("[::1]", "http://[::1]"),
        ("localhost.example.com", "https://localhost.example.com"),
        ("127.0.0.1.example.com", "https://127.0.0.1.example.com"),
        ("about:blank", "about:blank"),
        ("ABOUT:Blank", "about:blank"),
    ] {
        assert_eq!(navigable(given).as_deref(), Ok(expected), "{given:?}");
    }
}

#[test]
fn everything_else_is_refused_however_it_is_written() {
    for (given, scheme) in [
        ("file:///etc/passwd", "file"),
        ("FILE:/etc/passwd", "file"),
        ("fi\nle:///etc/passwd", "file"),
        (" \u{1}file:///etc/passwd", "file"),
        ("chrome://version", "chrome"),
        ("chrome:version", "chrome"),
        ("devtools://devtools/bundled/inspector.html", "devtools"),
        ("javascript:alert(1)", "javascript"),
        ("JavaScript:alert(1)", "javascript"),
        ("java\tscript:alert(1)", "javascript"),
        ("\njava\r\nscript\t:alert(1)", "javascript"),
        ("javascript://example.com/%0aalert(1)", "javascript"),
        ("javascript:1", "javascript"),
        ("javascript:1/x", "javascript"),
        ("data:80", "data"),
        ("view-source:https://example.com", "view-source"),
        ("view-source:80", "view-source"),
        ("filesystem:https://example.com/temporary/x", "filesystem"),
        ("chrome-extension://abc/x.html", "chrome-extension"),
        ("about:config", "about"),
        ("about:blank#x", "about"),
        ("about:80", "about"),
        ("blob:https://example.com/1", "blob"),
        ("ftp://example.com", "ftp"),
        ("ws://example.com", "ws"),
        ("mailto:a@example.com", "mailto"),
        ("edge://settings", "edge"),
        ("user:pass@example.com", "user"),
        ("web:123456", "web"),
    ] {
        assert_eq!(
            navigable(given),
            Err(UrlFault::Scheme(scheme.to_owned())),
            "{given:?}"
        );
    }
}

#[test]
fn a_page_in_itself_is_opened_as_it_is() {
    for (given, page) in [
        ("data:text/html,<h1>x y</h1>", "data:text/html,<h1>x y</h1>"),
        (" DATA:,x", "data:,x"),
    ] {
        assert_eq!(navigable(given), Ok(page.to_owned()));
    }
}

#[test]
fn what_is_no_address_is_refused_with_its_reason() {
    for (given, fault) in [
        ("", UrlFault::Empty),
        (" \t\n", UrlFault::Empty),
        ("/login", UrlFault::NoHost),
        ("\\login", UrlFault::NoHost),
        ("?q=1", UrlFault::NoHost),
        ("#top", UrlFault::NoHost),
        ("../up", UrlFault::NoHost),
        ("http://", UrlFault::NoHost),
        ("https:?q", UrlFault::NoHost),
        ("//", UrlFault::NoHost),
        ("how to sort a list", UrlFault::Malformed),
        ("java script:alert(1)", UrlFault::Malformed),
        ("java\u{0}script:alert(1)", UrlFault::Malformed),
        ("https://exa\u{7f}mple.com", UrlFault::Malformed),
        ("https://exa mple.com", UrlFault::Malformed),
    ] {
        assert_eq!(navigable(given), Err(fault), "{given:?}");
    }
}

#[test]
fn whatever_is_accepted_is_a_web_address() {
    let pieces = [
        "", "java", "script", ":", "/", "//", "\\", "file", "http", "https", "about", "blank",
        "\t", "\n", " ", "\u{0}", "1", "80", "@", "#", "?", ".", "data", "\u{feff}", "ｊ",
    ];
    let mut accepted = 0;
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in pieces {
                    let Ok(url) = navigable(&[a, b, c, d].concat()) else {
                        continue;
                    };
                    accepted += 1;
                    let is_web = url.starts_with("http://") || url.starts_with("https://");
                    let is_page = url == "about:blank" || url.starts_with("data:");
                    assert!(is_web || is_page, "{url:?}");
                    assert_eq!(navigable(&url), Ok(url.clone()), "stable");
                }
            }
        }
    }
    assert!(accepted > 1000);
}

#[test]
fn every_refusal_says_what_to_do_instead() {
    for (given, expected) in [
        (
            "data:80",
            "data: addresses are refused; write it as data:text/html,<h1>Hello</h1>",
        ),
        (
            "chrome://version",
            "chrome: addresses are refused; only http:// and https:// addresses, data: pages and about:blank are opened",
        ),
        (
            "/login",
            "has no host; give the whole address, such as \"https://example.com/login\"",
        ),
    ] {
        assert_eq!(navigable(given).unwrap_err().to_string(), expected);
    }
}
