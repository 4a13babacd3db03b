//! The data directory: Greenroom's alone.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::Error;

const OWNER_ONLY: u32 = 0o700;
const RUNS: &str = "runs";

/// Makes the data directory if need be, readable by its owner only.
///
/// One that exists and is open to others is closed when it is empty or Greenroom's already. A
/// directory with other people's files is refused instead: whoever says `/tmp` by mistake must
/// not find it changed.
pub fn prepare_data_directory(path: &Path) -> Result<(), Error> {
    let failed = |source| Error::DataDirectory {
        path: path.into(),
        source,
    };
    create_private(path).map_err(failed)?;
    let mode = mode_of(path).map_err(failed)?;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    if !is_ours(path).map_err(failed)? {
        let path = path.into();
        return Err(Error::DataDirectoryExposed { path, mode });
    }
    fs::set_permissions(path, Permissions::from_mode(OWNER_ONLY)).map_err(failed)
}

/// The directory of all runs, made if need be. Its path is absolute and free of links, because
/// children with other working directories get paths below it.
pub(super) fn runs_directory(data_dir: &Path) -> Result<PathBuf, Error> {
    prepare_data_directory(data_dir)?;
    let make = || -> io::Result<PathBuf> {
        let runs = fs::canonicalize(data_dir)?.join(RUNS);
        create_private(&runs)?;
        Ok(runs)
    };
    make().map_err(|source| Error::DataDirectory {
        path: data_dir.into(),
        source,
    })
}

fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(OWNER_ONLY).create(path)
}

fn is_ours(path: &Path) -> io::Result<bool> {
    let has_runs = mode_of(&path.join(RUNS)).is_ok_and(|mode| mode == OWNER_ONLY);
    Ok(has_runs || fs::read_dir(path)?.next().is_none())
}

fn mode_of(path: &Path) -> io::Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o7777)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
        directory
    }

    #[test]
    fn a_new_directory_is_private_with_its_parents() {
        let base = tempfile::tempdir().unwrap();
        let data = base.path().join("a/b");
        prepare_data_directory(&data).unwrap();
        assert_eq!(mode_of(&data).unwrap(), 0o700);
    }

    #[test]
    fn an_open_one_is_closed_when_empty_or_ours() {
        let data = open_directory();
        runs_directory(data.path()).unwrap();
        assert_eq!(mode_of(data.path()).unwrap(), 0o700);
        fs::set_permissions(data.path(), Permissions::from_mode(0o750)).unwrap();
        prepare_data_directory(data.path()).unwrap();
        assert_eq!(mode_of(data.path()).unwrap(), 0o700);
    }

    #[test]
    fn an_open_one_with_files_of_others_is_refused_and_left_as_it_is() {
        let data = open_directory();
        fs::write(data.path().join("thesis.tex"), "").unwrap();
        let error = prepare_data_directory(data.path()).unwrap_err();
        assert!(matches!(
            error,
            Error::DataDirectoryExposed { mode: 0o755, .. }
        ));
        assert!(error.to_string().contains("chmod 700"), "{error}");
        assert_eq!(mode_of(data.path()).unwrap(), 0o755);
    }
}
