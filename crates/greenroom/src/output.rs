//! Writing to a person. `println!` panics when the reader has gone (`greenroom … | head`); here a
//! closed pipe ends the output and nothing else.

use std::io::Write as _;

/// Writes all of the text to stdout.
pub(crate) fn to_stdout(text: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes to stderr. Nobody can be told when that fails.
pub(crate) fn to_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
