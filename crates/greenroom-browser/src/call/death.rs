use std::fmt;

/// How an engine ended, gathered for a person who has to find out why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Death {
    /// The exit in words: `exit code 1`, `killed by signal 9`, `its output ended`.
    pub how: String,
    /// The last lines of its standard error.
    pub stderr_tail: String,
    /// The beginning of a line that it did not finish.
    pub half_line: Option<String>,
}

impl Death {
    /// An end of which only the manner is known.
    pub fn new(how: impl Into<String>) -> Self {
        Self {
            how: how.into(),
            ..Self::default()
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.how)?;
        if let Some(half) = &self.half_line {
            write!(f, ", in the middle of a line ({half})")?;
        }
        match self.stderr_tail.trim() {
            "" => Ok(()),
            tail => write!(f, "; it last said: {tail}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_death_tells_the_exit_the_half_line_and_the_last_words() {
        let death = Death {
            how: "killed by signal 9".into(),
            stderr_tail: "out of memory\n".into(),
            half_line: Some("{\"jsonrpc\"".into()),
        };
        let text = death.to_string();
        assert_eq!(
            text,
            "killed by signal 9, in the middle of a line ({\"jsonrpc\"); it last said: out of memory"
        );
        assert_eq!(Death::new("exit code 1").to_string(), "exit code 1");
    }
}
