//! Finding a program, and saying precisely why it cannot be run.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::Error;

/// The absolute path of a program. A bare name is looked up in the PATH that the *child* gets, so
/// that what is run does not depend on what the parent's environment happens to be.
pub(super) fn find(program: &Path, path_variable: Option<&OsStr>) -> Result<PathBuf, Error> {
    if program.components().count() > 1 || program.is_absolute() {
        let path = std::path::absolute(program).map_err(|source| Error::Spawn {
            program: program.into(),
            source,
        })?;
        return check(&path).map(|()| path);
    }
    let directories = path_variable
        .map(std::env::split_paths)
        .into_iter()
        .flatten();
    let mut candidates = directories.map(|directory| directory.join(program));
    candidates
        .find(|candidate| check(candidate).is_ok())
        .ok_or_else(|| Error::ProgramMissing {
            program: program.into(),
            searched: format!("in PATH {}", path_variable.unwrap_or_default().display()),
        })
}

/// Whether this file may be run at all.
fn check(path: &Path) -> Result<(), Error> {
    let found = fs::metadata(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::ProgramMissing {
            program: path.into(),
            searched: "no such file".into(),
        },
        _ => Error::Spawn {
            program: path.into(),
            source,
        },
    })?;
    if found.is_dir() {
        return Err(Error::ProgramIsDirectory { path: path.into() });
    }
    if found.permissions().mode() & 0o111 == 0 {
        return Err(Error::ProgramNotExecutable { path: path.into() });
    }
    Ok(())
}

/// What a failed start of an existing, executable program means.
pub(super) fn explain(program: PathBuf, cwd: &Path, source: io::Error) -> Error {
    match source.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AGAIN) => Error::TooManyProcesses { program, source },
        Some(Errno::MFILE | Errno::NFILE) => Error::TooManyOpenFiles { program, source },
        Some(Errno::NOMEM) => Error::OutOfMemory { program, source },
        Some(Errno::NOENT | Errno::NOTDIR) if !cwd.is_dir() => {
            Error::WorkingDirectory { path: cwd.into() }
        }
        // The file is there, so what is missing is the interpreter it names.
        Some(Errno::NOENT | Errno::NOEXEC | Errno::LIBBAD) => Error::ProgramNotRunnable {
            path: program,
            source,
        },
        Some(Errno::ACCESS) => Error::ProgramNotExecutable { path: program },
        _ => Error::Spawn { program, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_found_in_the_given_path_only() {
        let directory = tempfile::tempdir().unwrap();
        let tool = directory.path().join("tool");
        fs::write(&tool, "#!/bin/sh\n").unwrap();
        let path = Some(directory.path().as_os_str());
        let plain = find(Path::new("tool"), path).unwrap_err();
        assert!(matches!(plain, Error::ProgramMissing { .. }), "{plain}");
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find(Path::new("tool"), path).unwrap(), tool);
        assert!(find(Path::new("tool"), None).is_err());
        assert!(find(Path::new("sh"), path).is_err());
    }

    #[test]
    fn each_refusal_of_the_system_has_its_own_name() {
        let here = std::env::current_dir().unwrap();
        let gone = here.join("no-such-directory");
        let explained = |errno: Errno, cwd: &Path| {
            let source = io::Error::from_raw_os_error(errno.raw_os_error());
            explain("/opt/tool".into(), cwd, source)
        };
        let table = [
            (explained(Errno::AGAIN, &here), "limit of processes"),
            (explained(Errno::MFILE, &here), "limit of open files"),
            (explained(Errno::NFILE, &here), "limit of open files"),
            (explained(Errno::NOMEM, &here), "out of memory"),
            (explained(Errno::NOENT, &here), "interpreter"),
            (
                explained(Errno::NOEXEC, &here),
                "not a program for this system",
            ),
            (explained(Errno::NOENT, &gone), "no such directory"),
            (explained(Errno::ACCESS, &here), "chmod +x"),
            (explained(Errno::IO, &here), "run it by hand"),
        ];
        for (error, phrase) in table {
            assert!(error.to_string().contains(phrase), "{error}");
        }
    }
}
