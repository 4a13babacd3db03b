//! The environment, taken once and handed around as a value, so that tests
//! and callers decide what it is.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::names::{HOME, XDG_CONFIG_HOME, XDG_DATA_HOME};
use crate::origin::Origin;
use crate::sources::{Collected, Trust, base, variables};

/// The variables and the working directory of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// Every variable whose name is UTF-8.
    pub variables: BTreeMap<String, OsString>,
    /// The working directory.
    pub directory: PathBuf,
}

impl Environment {
    /// An environment of these variables.
    pub fn new<N, V>(
        directory: impl Into<PathBuf>,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self
    where
        N: Into<String>,
        V: Into<OsString>,
    {
        Self {
            variables: variables
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            directory: directory.into(),
        }
    }

    /// The environment of this process.
    ///
    /// # Errors
    /// When the working directory is gone or may not be read.
    #[allow(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the process environment; all others are handed the result"
    )]
    pub fn of_process() -> io::Result<Self> {
        // Names that are not UTF-8 cannot be names of settings.
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Ok(Self::new(std::env::current_dir()?, variables))
    }

    /// The home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.absolute(HOME)
    }

    /// The directory of the user's configuration files.
    pub(crate) fn config_home(&self) -> Option<PathBuf> {
        let fallback = || self.home().map(|home| home.join(".config"));
        self.absolute(XDG_CONFIG_HOME).or_else(fallback)
    }

    /// The directory of the data of the user's programs.
    pub(crate) fn data_home(&self) -> Option<PathBuf> {
        let fallback = || self.home().map(|home| home.join(".local/share"));
        self.absolute(XDG_DATA_HOME).or_else(fallback)
    }

    /// The XDG specification has relative paths ignored.
    fn absolute(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(self.variables.get(name)?);
        path.is_absolute().then(|| path.to_owned())
    }
}

pub(crate) fn collect(environment: &Environment, collected: &mut Collected) {
    let base = base(environment, &environment.directory);
    for (name, value) in &environment.variables {
        let origin = Origin::Environment {
            variable: name.clone(),
        };
        match value.to_str() {
            Some(text) => {
                variables::add(name, text, origin, &base, Trust::Chosen, collected);
            }
            None if variables::is_ours(name) => collected.problem(origin, Fault::NotUnicode),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_xdg_directories_are_ignored() {
        let environment = Environment::new(
            "/w",
            [
                (HOME, "/home/ann"),
                (XDG_CONFIG_HOME, "conf"),
                (XDG_DATA_HOME, "/data"),
            ],
        );
        assert_eq!(environment.config_home(), Some("/home/ann/.config".into()));
        assert_eq!(environment.data_home(), Some("/data".into()));
    }

    #[test]
    fn the_environment_of_this_process_has_a_working_directory() {
        let environment = Environment::of_process().unwrap();
        assert!(environment.directory.is_absolute());
        assert!(environment.variables.contains_key("PATH"));
    }
}
