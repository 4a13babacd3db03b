//! Exit codes, and the one place where an error becomes one.

use greenroom_config::Problems;

use crate::output;

/// What the command tells its caller by its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Done.
    Ok,
    /// It failed; stderr says why.
    Failed,
    /// The command line or the configuration is wrong; nothing was started. (clap uses 2 too.)
    Usage,
    /// No server runs on the data directory.
    NoServer,
}

impl From<Code> for std::process::ExitCode {
    fn from(code: Code) -> Self {
        match code {
            Code::Ok => 0,
            Code::Failed => 1,
            Code::Usage => 2,
            Code::NoServer => 3,
        }
        .into()
    }
}

/// Tells the person what went wrong, on stderr.
pub(crate) fn report(error: &anyhow::Error) -> Code {
    if let Some(problems) = error.downcast_ref::<Problems>() {
        output::to_stderr(&format!("{problems}\n"));
        return Code::Usage;
    }
    output::to_stderr(&format!("greenroom: {error:#}\n"));
    Code::Failed
}
