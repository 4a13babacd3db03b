//! Where a browser may be sent.
//!
//! The rule is an allow-list by construction: whatever [`navigable`] returns begins with
//! `http://`, `https://`, `data:` or is `about:blank`, so an address in disguise cannot slip
//! through, at worst it becomes a web address that does not resolve. Input is read as
//! browsers read it: spaces and control characters around it do not count, tabs and line
//! breaks inside it do not either, schemes have no case, backslashes are slashes.
//!
//! Addresses without a scheme are completed: `http://` for this machine, where nobody
//! has certificates, `https://` for everything else.

/// Schemes that no host name is mistaken for: `javascript:1` is a script, although
/// `web:3000` is a host with a port.
const NEVER_A_HOST: [&str; 26] = [
    "about",
    "blob",
    "brave",
    "chrome",
    "chrome-error",
    "chrome-extension",
    "chrome-search",
    "chrome-untrusted",
    "content",
    "data",
    "devtools",
    "edge",
    "file",
    "filesystem",
    "ftp",
    "intent",
    "jar",
    "javascript",
    "mailto",
    "moz-extension",
    "opera",
    "resource",
    "tel",
    "vbscript",
    "view-source",
    "vivaldi",
];

/// Why a browser is not sent somewhere. Each message says what to give instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// Nothing but blanks.
    #[error("is empty; give an address such as \"https://example.com\"")]
    Empty,
    /// A path without a host.
    #[error("has no host; give the whole address, such as \"https://example.com/login\"")]
    NoHost,
    /// Characters that no address contains.
    #[error(
        "is not an address; give one such as \"https://example.com\", with spaces written as %20"
    )]
    Malformed,
    /// A scheme that is not opened.
    #[error("{0}: addresses are refused; {instead}", instead = instead_of(.0))]
    Scheme(String),
}

/// The address in full, if a browser may be sent there.
///
/// # Errors
/// When it is no web address.
pub fn navigable(input: &str) -> Result<String, UrlFault> {
    let address = as_browsers_read(input);
    if address.is_empty() {
        return Err(UrlFault::Empty);
    }
    if address.chars().any(char::is_control) {
        return Err(UrlFault::Malformed);
    }
    match split_scheme(&address) {
        Some((scheme, rest)) => with_scheme(&scheme, rest, &address),
        None => without_scheme(&address),
    }
}

/// Trims and strips what URL parsers ignore.
fn as_browsers_read(input: &str) -> String {
    input
        .trim_matches(|c| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect()
}

/// The scheme in lower case and what follows its colon.
fn split_scheme(address: &str) -> Option<(String, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let mut letters = scheme.chars();
    let is_scheme = letters.next()?.is_ascii_alphabetic()
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

fn with_scheme(scheme: &str, rest: &str, address: &str) -> Result<String, UrlFault> {
    match scheme {
        "http" | "https" => with_host(scheme, rest.trim_start_matches(['/', '\\'])),
        // A page in itself, with an origin that nobody shares.
        "data" if rest.contains(',') => Ok(format!("data:{rest}")),
        "about" if rest.eq_ignore_ascii_case("blank") => Ok("about:blank".to_owned()),
        _ if starts_with_port(rest) && !NEVER_A_HOST.contains(&scheme) => complete(address),
        _ => Err(UrlFault::Scheme(scheme.to_owned())),
    }
}

fn without_scheme(address: &str) -> Result<String, UrlFault> {
    let is_slash = |c| matches!(c, '/' | '\\');
    if address.chars().take_while(|c| is_slash(*c)).count() == 2 {
        return complete(&address[2..]);
    }
    if address.starts_with(['/', '\\', '?', '#', '.']) {
        return Err(UrlFault::NoHost);
    }
    complete(address)
}

/// Whether this is what follows the colon in `host:8080/path`.
fn starts_with_port(rest: &str) -> bool {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - after.len();
    (1..=5).contains(&digits) && (after.is_empty() || after.starts_with(['/', '\\', '?', '#']))
}

fn complete(address: &str) -> Result<String, UrlFault> {
    let scheme = if is_this_machine(authority(address)) {
        "http"
    } else {
        "https"
    };
    with_host(scheme, address)
}

fn with_host(scheme: &str, address: &str) -> Result<String, UrlFault> {
    let authority = authority(address);
    if authority.is_empty() {
        return Err(UrlFault::NoHost);
    }
    if authority.chars().any(char::is_whitespace) {
        return Err(UrlFault::Malformed);
    }
    Ok(format!("{scheme}://{address}"))
}

/// Host and port, with credentials if there are any.
fn authority(address: &str) -> &str {
    address.split(['/', '\\', '?', '#']).next().unwrap_or("")
}

fn is_this_machine(authority: &str) -> bool {
    let port_at = authority
        .rfind(':')
        .filter(|at| !authority[*at..].contains(']'));
    let host = port_at
        .map_or(authority, |at| &authority[..at])
        .to_ascii_lowercase();
    matches!(host.as_str(), "localhost" | "[::1]" | "0.0.0.0")
        || host.ends_with(".localhost")
        || (host.starts_with("127.") && host.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// What an agent can do instead: it usually wants something that another tool does.
fn instead_of(scheme: &str) -> &'static str {
    match scheme {
        "javascript" | "vbscript" => "run scripts with browser_evaluate",
        "data" => "write it as data:text/html,<h1>Hello</h1>",
        "blob" => {
            "open \"about:blank\" and write the content with browser_evaluate, or serve it over http"
        }
        "view-source" => "open the page and read it with browser_snapshot or browser_evaluate",
        "file" | "filesystem" => "serve the file over http and open that address",
        _ => "only http:// and https:// addresses, data: pages and about:blank are opened",
    }
}
