//! Why a call is refused before anything runs, in words that let an agent repair it.
//!
//! All problems of a call are reported at once, so that one more attempt is enough; the
//! message ends with a call that works.

mod fault;

pub use fault::Fault;

use std::fmt;

use super::row::Tool;

/// More problems than this are only counted: a call this wrong needs the example, not a list.
pub const MAX_PROBLEMS: usize = 8;

/// Why a call is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such tool.
    #[error("unknown tool {name}; {}", fault::instead_of_tool(.nearest.as_deref()))]
    UnknownTool {
        /// What was asked for, quoted and shortened.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// The arguments do not fit the tool.
    #[error("{0}")]
    Arguments(Problems),
}

/// What is wrong with the arguments of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    tool: String,
    found: Vec<Problem>,
    left_out: usize,
    example: Option<String>,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place, such as `fields[2].type`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong there.
    pub fault: Fault,
}

impl Problems {
    /// No problems yet with a call of this tool.
    #[must_use]
    pub fn of_tool(tool: &Tool) -> Self {
        Self {
            example: Some(format!("{} {}", tool.name, tool.example)),
            ..Self::of_name(tool.name)
        }
    }

    /// No problems yet with a call of a tool for which no example is known.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        Self {
            tool: name.to_owned(),
            found: Vec::new(),
            left_out: 0,
            example: None,
        }
    }

    /// Takes note of a problem.
    pub fn add(&mut self, path: impl Into<String>, fault: Fault) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            let path = path.into();
            self.found.push(Problem { path, fault });
        }
    }

    /// Ends the message with this call instead of the tool's own example.
    pub fn show_example(&mut self, example: String) {
        self.example = Some(example);
    }

    /// What was found, in order; at most [`MAX_PROBLEMS`].
    #[must_use]
    pub fn found(&self) -> &[Problem] {
        &self.found
    }

    /// Whether further problems are only counted, and their wording is wasted work.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.found.len() >= MAX_PROBLEMS
    }

    /// How many there are, the ones that are only counted included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.found.len() + self.left_out
    }

    /// The value, unless there is a problem.
    ///
    /// # Errors
    /// When at least one problem was noted.
    pub fn or_accept<T>(self, value: T) -> Result<T, Refusal> {
        if self.found.is_empty() {
            Ok(value)
        } else {
            Err(Refusal::Arguments(self))
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, s) = (self.count(), if self.count() == 1 { "" } else { "s" });
        write!(
            f,
            "{} was not run: {count} problem{s} with its arguments.",
            self.tool
        )?;
        for problem in &self.found {
            write!(f, "\n- {problem}")?;
        }
        if self.left_out > 0 {
            write!(f, "\n- and {} more", self.left_out)?;
        }
        match &self.example {
            Some(example) => write!(f, "\nA call that works: {example}"),
            None => write!(f, "\nCorrect this and call again."),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "arguments"
        } else {
            &self.path
        };
        write!(f, "{path}: {}", self.fault)
    }
}
