//! Why a browser elsewhere cannot be had.

use std::time::Duration;

use hyper::Uri;

/// A `CDP_ENDPOINT` that is of no use, each with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is no address.
    #[error(
        "CDP_ENDPOINT {endpoint} is no address of a browser ({reason}); use ws://host:port/… or http://host:port"
    )]
    Malformed {
        /// What was configured.
        endpoint: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers there, or the answer is a refusal.
    #[error(
        "cannot connect to the browser at {endpoint}: {reason}; check that it runs and can be reached from here"
    )]
    Unreachable {
        /// Where.
        endpoint: String,
        /// What the system or the peer said.
        reason: String,
    },
    /// Something answers, and it is no browser.
    #[error(
        "what answers at {endpoint} is no browser with remote debugging ({reason}); start Chromium with --remote-debugging-port"
    )]
    NotABrowser {
        /// Where.
        endpoint: String,
        /// What it answered.
        reason: String,
    },
    /// Nothing came in time.
    #[error("the browser at {endpoint} did not answer within {} ms; check that it runs and can be reached from here", after.as_millis())]
    Silent {
        /// Where.
        endpoint: String,
        /// How long was waited.
        after: Duration,
    },
}

/// An endpoint as it may be shown: hosted browsers take their key in the query or before the host.
pub(super) fn shown(endpoint: &str) -> String {
    let Ok(uri) = endpoint.parse::<Uri>() else {
        return "(unreadable)".to_owned();
    };
    let scheme = uri.scheme_str().map(|scheme| format!("{scheme}://"));
    let host = uri.host().unwrap_or_default();
    let port = uri.port().map(|port| format!(":{port}"));
    let (scheme, port) = (scheme.unwrap_or_default(), port.unwrap_or_default());
    format!("{scheme}{host}{port}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_shown_without_its_secrets() {
        let table = [
            ("ws://h:9222/devtools/browser/1", "ws://h:9222"),
            ("wss://user:key@h/?token=secret", "wss://h"),
            ("http://localhost:9222", "http://localhost:9222"),
            ("not an address secret", "(unreadable)"),
        ];
        for (endpoint, expected) in table {
            assert_eq!(shown(endpoint), expected);
        }
    }
}
