//! Finds and reads the files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::sources::{Inputs, Trust};

/// More than anybody writes by hand; a device or a log named by mistake must
/// not fill the memory.
const LARGEST: u64 = 1024 * 1024;

const FILE_NAME: &str = "greenroom.toml";

/// The TOML file to read and how far it is trusted: the one that `--config`
/// names, else the one of the working directory, else the user's own.
pub(crate) fn toml(inputs: &Inputs) -> Option<(PathBuf, Trust)> {
    let directory = &inputs.environment.directory;
    if let Some(named) = &inputs.flags.config {
        return Some((directory.join(named), Trust::Chosen));
    }
    let here = directory.join(FILE_NAME);
    if here.exists() {
        return Some((here, Trust::FoundFile));
    }
    let home = inputs.environment.config_home()?;
    let user = home.join("greenroom").join(FILE_NAME);
    user.exists().then_some((user, Trust::Chosen))
}

/// The `.env` file of `directory`. Anything but a file of that name, such as
/// a directory, belongs to another tool.
pub(crate) fn dotenv(directory: &Path) -> Option<PathBuf> {
    let path = directory.join(".env");
    path.is_file().then_some(path)
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error: std::io::Error| Fault::Unreadable {
        reason: error.to_string(),
    };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Fault::TooLarge { limit: LARGEST });
    }
    Ok(bytes)
}
