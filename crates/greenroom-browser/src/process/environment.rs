//! Which variables a child gets from Greenroom's own environment.
//!
//! A browser runs code of strangers, so secrets of the user's shell must not reach it: children
//! start with an empty environment, and only what is listed here is copied. The list is public
//! ([`PASSED_VARIABLES`], [`PASSED_PREFIXES`]) because users have a right to know it.

use std::ffi::{OsStr, OsString};

/// Variables that are passed on by their exact name.
pub const PASSED_VARIABLES: &[&str] = &[
    // Who runs this, and where programs are.
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    // Language and time.
    "LANG",
    "LANGUAGE",
    "TZ",
    // The desktop that a headed browser draws on.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    // Playwright looks for the browsers that it installed below the user's cache directory.
    "XDG_CACHE_HOME",
    // Proxies, in both spellings: programs disagree on which one counts.
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    // Certificates of such proxies.
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Playwright's own. By name, not by prefix: PLAYWRIGHT_MCP_* are options of the upstream and
    // would override what the pool says, PLAYWRIGHT_PROXY_* and the older PLAYWRIGHT_* names are
    // Greenroom's configuration.
    "PLAYWRIGHT_BROWSERS_PATH",
    "PLAYWRIGHT_HOST_PLATFORM_OVERRIDE",
    "PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS",
    "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK",
    "PLAYWRIGHT_DISABLE_SERVICE_WORKER_NETWORK",
    "PLAYWRIGHT_DISABLE_SERVICE_WORKER_CONSOLE",
    "PLAYWRIGHT_SKIP_NAVIGATION_CHECK",
    "PLAYWRIGHT_LEGACY_SCREENSHOT",
    // Which variables WSL hands over to Windows programs.
    "WSLENV",
];

/// Variables that are passed on by the beginning of their name.
pub const PASSED_PREFIXES: &[&str] = &["LC_", "WSL_"];

/// Picks from an environment what a child gets of it, in the order in which it came.
pub fn child_environment(
    parent: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    parent
        .into_iter()
        .filter(|(name, _)| is_passed(name))
        .collect()
}

fn is_passed(name: &OsStr) -> bool {
    // A name that is not text is on no list.
    name.to_str().is_some_and(|name| {
        PASSED_VARIABLES.contains(&name)
            || PASSED_PREFIXES.iter().any(|start| name.starts_with(start))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    #[test]
    fn what_programs_need_is_passed_and_what_might_be_secret_is_not() {
        let table = [
            ("PATH", true),
            ("HOME", true),
            ("LC_ALL", true),
            ("LC_CTYPE", true),
            ("TZ", true),
            ("DISPLAY", true),
            ("XDG_RUNTIME_DIR", true),
            ("https_proxy", true),
            ("HTTPS_PROXY", true),
            ("NODE_EXTRA_CA_CERTS", true),
            ("PLAYWRIGHT_BROWSERS_PATH", true),
            ("WSL_DISTRO_NAME", true),
            ("WSL_INTEROP", true),
            ("PLAYWRIGHT_PROXY_TIMEOUT", false),
            ("PLAYWRIGHT_MCP_HEADLESS", false),
            ("PLAYWRIGHT_HEADLESS", false),
            ("PLAYWRIGHT_BROWSER", false),
            ("PW_MCP_PROXY_AUTH_TOKENS", false),
            ("AWS_SECRET_ACCESS_KEY", false),
            ("NODE_OPTIONS", false),
            ("LD_PRELOAD", false),
            ("TMPDIR", false),
            ("DEBUG", false),
            ("path", false),
            ("GREENROOM_RUN", false),
            ("GREENROOM_CHILD", false),
            ("", false),
        ];
        for (name, expected) in table {
            assert_eq!(is_passed(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn values_are_copied_byte_by_byte_and_odd_names_are_left_out() {
        let odd = OsString::from_vec(vec![b'L', b'C', b'_', 0xff]);
        let value = OsString::from_vec(vec![0xfe, b'=', b'x']);
        let parent = [
            (odd, OsString::from("x")),
            (OsString::from("SECRET"), OsString::from("x")),
            (OsString::from("PATH"), value.clone()),
        ];
        assert_eq!(child_environment(parent), [(OsString::from("PATH"), value)]);
    }
}
