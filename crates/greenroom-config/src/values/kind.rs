//! The kind of value a key takes.

use std::time::Duration;

use crate::values::unit::Unit;

/// What a key accepts. Bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A yes or no.
    Bool,
    /// A yes or no, or `auto`: whatever works here.
    AutoBool,
    /// A whole number.
    Number {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// A whole number, or `off`.
    Limit {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// A length of time.
    Time {
        /// The unit of a plain number.
        unit: Unit,
        /// Least value in milliseconds.
        min_ms: u64,
        /// Greatest value in milliseconds.
        max_ms: u64,
    },
    /// A length of time, or `off`.
    Age {
        /// The unit of a plain number.
        unit: Unit,
        /// Least value in milliseconds.
        min_ms: u64,
        /// Greatest value in milliseconds.
        max_ms: u64,
    },
    /// A number of bytes.
    Size {
        /// Greatest value.
        max: u64,
    },
    /// One of a few words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Other spellings that are accepted, and the word each stands for.
        synonyms: &'static [(&'static str, &'static str)],
    },
    /// Free text; the one kind for which empty is a value.
    Prose,
    /// Text on one line.
    Line,
    /// A second name of an instance.
    Alias,
    /// A host name or address to listen on, without a port.
    Host,
    /// A file or directory.
    Path,
    /// A program, named by a path.
    Executable,
    /// A program and its arguments.
    Command,
    /// Command-line arguments.
    Words,
    /// A width and a height in pixels.
    Viewport,
    /// The address of a proxy.
    Proxy,
    /// The address of a websocket.
    Websocket,
    /// The address of a search page, with a place for the query.
    SearchUrl,
    /// A URL, or a JSON file of tool calls.
    Warmup,
    /// Names and bearer tokens.
    Tokens,
    /// Host names, each with or without a port.
    Hosts,
    /// Origins, each with or without a port.
    Origins,
}

impl Kind {
    /// Whether a value of this kind may carry a secret, so that it must not
    /// be repeated in messages.
    #[must_use]
    pub fn is_sensitive(self) -> bool {
        matches!(
            self,
            Self::Tokens | Self::Proxy | Self::Websocket | Self::Words | Self::Command
        )
    }

    /// What a value must be, as the end of "must be …".
    pub(crate) fn expected(self) -> String {
        match self {
            Self::Bool => "true or false (also 1/0, yes/no, on/off)".to_owned(),
            Self::AutoBool => "auto, true or false".to_owned(),
            Self::Number { min, max } => format!("a whole number from {min} to {max}"),
            Self::Limit { min, max } => format!("off, or a whole number from {min} to {max}"),
            Self::Time {
                unit,
                min_ms,
                max_ms,
            } => time(unit, min_ms, max_ms),
            Self::Age {
                unit,
                min_ms,
                max_ms,
            } => format!("off, or {}", time(unit, min_ms, max_ms)),
            Self::Size { max } => {
                format!(
                    "a size of at most {max} bytes, in bytes or with a suffix such as 16KiB or 1MiB"
                )
            }
            Self::Choice { words, .. } => format!("one of {}", words.join(", ")),
            other => other.noun().to_owned(),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Prose => "text",
            Self::Line => "text on one line",
            Self::Alias => "a name on one line that is not all digits",
            Self::Host => "a host name or address without scheme or port",
            Self::Path => "a path",
            Self::Executable => "the path of a program",
            Self::Command => "a program and its arguments, quoted as in a shell (an array in TOML)",
            Self::Words => "arguments quoted as in a shell (an array in TOML)",
            Self::Viewport => "a width and a height from 1 to 16384, such as 1280x720",
            Self::Proxy => {
                "a proxy such as http://host:3128 or socks5://host:1080 (http, https, socks4 or socks5)"
            }
            Self::Websocket => {
                "a websocket address such as ws://host:9222/devtools/browser/ID, or http://host:9222"
            }
            Self::SearchUrl => "an http or https address that contains {query}",
            Self::Warmup => "an http or https address, or the path of a .json file of tool calls",
            Self::Tokens => {
                "name:token pairs separated by commas (an array of \"name:token\" in TOML)"
            }
            Self::Hosts => {
                "host names, each with or without a port, separated by commas (an array in TOML)"
            }
            Self::Origins => {
                "origins such as https://host or http://host:8080, separated by commas (an array in TOML)"
            }
            _ => "",
        }
    }
}

fn time(unit: Unit, min_ms: u64, max_ms: u64) -> String {
    let bound = |milliseconds| Unit::shortest(Duration::from_millis(milliseconds));
    format!(
        "a time from {} to {}: a number of {}, or one with a suffix such as 500ms, 30s, 5m or 2h",
        bound(min_ms),
        bound(max_ms),
        unit.word()
    )
}
