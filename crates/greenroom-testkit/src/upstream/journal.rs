//! What the fake upstream saw and did, one JSON object per line.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry {
    /// It was started like this.
    Started {
        /// Its process id.
        pid: u32,
        /// Its arguments, the program first.
        argv: Vec<String>,
        /// Its working directory.
        cwd: PathBuf,
        /// The names of all its variables.
        env_names: Vec<String>,
        /// The values of those that the script asks for.
        env: Map<String, Value>,
    },
    /// It started a grandchild, which now lives in its own session.
    Grandchild {
        /// Its process id.
        pid: u32,
    },
    /// A message came in.
    Received {
        /// As it was.
        message: Value,
    },
    /// The client was asked something in the middle of a call.
    Asked {
        /// What.
        method: String,
        /// The client's answer, if one came.
        answer: Option<Value>,
    },
    /// A call was given up because it was cancelled.
    Cancelled {
        /// The id of the call.
        id: Value,
    },
    /// A signal came in.
    Signal {
        /// Its number.
        number: i32,
    },
    /// Stdin was closed.
    Eof,
}

/// The writing end.
#[derive(Debug, Clone)]
pub(super) struct Journal(Option<PathBuf>);

impl Journal {
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self(path)
    }

    /// Appends in one write, so that lines of several threads do not mix.
    pub(super) fn write(&self, entry: &Entry) {
        let Some(path) = &self.0 else {
            return;
        };
        let mut line = serde_json::to_vec(entry).expect("BUG: an entry is plain data");
        line.push(b'\n');
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(path);
        let written = file.and_then(|mut file| file.write_all(&line));
        written.expect("the journal must be writable");
    }
}

/// Reads a journal: what has been written so far, nothing if it does not exist yet.
pub fn read_journal(path: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole_lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let parse = |line: &str| serde_json::from_str(line).expect("BUG: the journal is damaged");
    whole_lines.map(parse).collect()
}
