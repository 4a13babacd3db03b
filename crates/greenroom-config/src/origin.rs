//! Where a value came from, precise enough to go there and change it.

use std::fmt;
use std::path::PathBuf;

/// The place that gave a value. Ordered as the sources are: later wins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The default of the key.
    Default,
    /// The built-in pool, which exists when no pool is declared.
    BuiltInPool,
    /// A place in a TOML file.
    File {
        /// The file, as it was named or found.
        path: PathBuf,
        /// Line, counted from 1; 0 when the file as a whole is meant.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
    },
    /// A line of the `.env` file of the working directory.
    Dotenv {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1; 0 when the file as a whole is meant.
        line: usize,
        /// The variable on that line; empty when the file as a whole is meant.
        variable: String,
    },
    /// A variable of the environment.
    Environment {
        /// Its name.
        variable: String,
    },
    /// A command-line flag.
    Flag {
        /// The flag without its value, such as `--port` or `--set HEADLESS`.
        flag: String,
    },
}

impl Origin {
    /// Whether a person set the value, rather than Greenroom itself.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !matches!(self, Self::Default | Self::BuiltInPool)
    }

    /// The place as the start of a problem: a bare variable name, a flag, or
    /// a file position that an editor can open.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Environment { variable } => variable.clone(),
            Self::Flag { flag } => flag.clone(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::BuiltInPool => f.write_str("built-in pool"),
            Self::File { path, line: 0, .. } | Self::Dotenv { path, line: 0, .. } => {
                write!(f, "{}", path.display())
            }
            Self::File { path, line, column } => {
                write!(f, "{}:{line}:{column}", path.display())
            }
            Self::Dotenv {
                path,
                line,
                variable,
            } => write!(f, "{}:{line} ({variable})", path.display()),
            Self::Environment { variable } => write!(f, "environment {variable}"),
            Self::Flag { flag } => write!(f, "flag {flag}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_reads_as_a_place() {
        let file = Origin::File {
            path: "/etc/greenroom.toml".into(),
            line: 3,
            column: 5,
        };
        let dotenv = Origin::Dotenv {
            path: "/w/.env".into(),
            line: 7,
            variable: "PW_MCP_PROXY_HEADLESS".to_owned(),
        };
        let environment = Origin::Environment {
            variable: "PW_MCP_PROXY_HEADLESS".to_owned(),
        };
        assert_eq!(file.place(), "/etc/greenroom.toml:3:5");
        assert_eq!(dotenv.place(), "/w/.env:7 (PW_MCP_PROXY_HEADLESS)");
        assert_eq!(environment.place(), "PW_MCP_PROXY_HEADLESS");
        assert_eq!(environment.to_string(), "environment PW_MCP_PROXY_HEADLESS");
    }

    #[test]
    fn origins_are_ordered_as_the_sources_are() {
        let file = Origin::File {
            path: "z".into(),
            line: 9,
            column: 9,
        };
        let environment = Origin::Environment {
            variable: "A".to_owned(),
        };
        let flag = Origin::Flag {
            flag: "--port".to_owned(),
        };
        assert!(Origin::Default < file && file < environment && environment < flag);
    }
}
