//! Limits that the system puts on this process.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The limit of open files before and after [`raise_open_file_limit`]. None means unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFileLimit {
    /// The soft limit as it was found.
    pub before: Option<u64>,
    /// The soft limit as it is now.
    pub after: Option<u64>,
}

/// Raises the soft limit of open files to the hard one.
///
/// Every child costs a handful of descriptors and every connection one, while the usual soft
/// limit of 1024 is a courtesy to programs that use `select`, which this one does not.
pub fn raise_open_file_limit() -> io::Result<OpenFileLimit> {
    let found = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: found.maximum,
            maximum: found.maximum,
        },
    )?;
    Ok(OpenFileLimit {
        before: found.current,
        after: getrlimit(Resource::Nofile).current,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_reaches_the_hard_one() {
        let hard = getrlimit(Resource::Nofile).maximum;
        let lowered = Rlimit {
            current: Some(256),
            maximum: hard,
        };
        setrlimit(Resource::Nofile, lowered).unwrap();
        let limit = raise_open_file_limit().unwrap();
        assert_eq!(limit.before, Some(256));
        assert_eq!(limit.after, hard);
    }
}
