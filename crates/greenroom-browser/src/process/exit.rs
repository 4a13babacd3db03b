//! How a child ended.

use std::fmt;
use std::os::fd::AsFd;

use rustix::process::{WaitId, WaitIdOptions, WaitIdStatus, waitid};

/// How much of stderr a message quotes. All of it is in [`Exit::stderr`].
const QUOTED_BYTES: usize = 2000;

/// How the root of a tree ended, with its last words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// Code or signal.
    pub ended: Ended,
    /// Whether we asked it to end; if not, it did so by itself.
    pub asked: bool,
    /// The end of what it wrote to stderr.
    pub stderr: String,
}

/// Code or signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It returned this code.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// It has not ended: it hangs in the kernel and outlived SIGKILL.
    Never,
}

impl Ended {
    /// The state of a child, without collecting it.
    pub(super) fn peek(pidfd: impl AsFd) -> Self {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::PidFd(pidfd.as_fd()), options) {
            Ok(Some(status)) => Self::of(&status),
            Ok(None) | Err(_) => Self::Never,
        }
    }

    fn of(status: &WaitIdStatus) -> Self {
        let code = status.exit_status().map(Self::Code);
        let signal = status.terminating_signal().map(Self::Signal);
        code.or(signal).unwrap_or(Self::Never)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "it exited with code {code}"),
            Self::Signal(signal) => write!(f, "it was ended by signal {signal}{}", name(*signal)),
            Self::Never => f.write_str("it outlived SIGKILL"),
        }
    }
}

/// The names of the signals that end programs in practice.
fn name(signal: i32) -> &'static str {
    match signal {
        1 => " (SIGHUP)",
        2 => " (SIGINT)",
        4 => " (SIGILL)",
        5 => " (SIGTRAP)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        31 => " (SIGSYS)",
        _ => "",
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ended)?;
        match quotable(&self.stderr) {
            "" => f.write_str(" and said nothing on stderr"),
            said => write!(f, "; its last words on stderr: {said}"),
        }
    }
}

/// The last lines of a text, as many as fit.
fn quotable(text: &str) -> &str {
    let text = text.trim();
    let mut start = text.len().saturating_sub(QUOTED_BYTES);
    if start == 0 {
        return text;
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let end = &text[start..];
    // Begin with a whole line, unless there is only one.
    end.split_once('\n').map_or(end, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_says_code_or_signal_and_the_last_words() {
        let exit = |ended, stderr: &str| Exit {
            ended,
            asked: false,
            stderr: stderr.into(),
        };
        let table = [
            (
                exit(Ended::Code(3), "no browser\n"),
                "it exited with code 3; its last words on stderr: no browser",
            ),
            (
                exit(Ended::Signal(9), ""),
                "it was ended by signal 9 (SIGKILL) and said nothing on stderr",
            ),
            (
                exit(Ended::Signal(40), " \n"),
                "it was ended by signal 40 and said nothing on stderr",
            ),
        ];
        for (exit, expected) in table {
            assert_eq!(exit.to_string(), expected);
        }
    }

    #[test]
    fn a_long_stderr_is_quoted_from_a_line_near_its_end() {
        let long: String = (0..1000).map(|n| format!("ligne numéro {n}\n")).collect();
        let quoted = quotable(&long);
        assert!(quoted.len() <= QUOTED_BYTES && quoted.len() > QUOTED_BYTES - 50);
        assert!(quoted.starts_with("ligne") && quoted.ends_with("numéro 999"));
        let one_line = "é".repeat(3000);
        assert!(quotable(&one_line).len() <= QUOTED_BYTES);
    }
}
