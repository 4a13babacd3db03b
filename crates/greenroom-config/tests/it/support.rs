//! A directory to work in and the words to describe a configuration.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use greenroom_config::{
    Environment, Explanation, Fault, Flags, InstanceId, Key, PoolName, Problems, Scope, Settings,
};
use tempfile::TempDir;

/// A configuration to be loaded, in a working directory of its own.
pub(crate) struct Setup {
    directory: Rc<TempDir>,
    variables: Vec<(String, String)>,
    pub(crate) flags: Flags,
}

impl Setup {
    pub(crate) fn new() -> Self {
        let directory = Rc::new(tempfile::tempdir().unwrap());
        fs::create_dir(directory.path().join("home")).unwrap();
        fs::create_dir(directory.path().join("work")).unwrap();
        Self::in_directory(directory)
    }

    fn in_directory(directory: Rc<TempDir>) -> Self {
        let home = directory.path().join("home");
        Self {
            variables: vec![("HOME".to_owned(), home.to_str().unwrap().to_owned())],
            directory,
            flags: Flags::default(),
        }
    }

    /// Another configuration in the same directory, emptied of files, so
    /// that resolved paths can be compared.
    pub(crate) fn emptied(&self) -> Self {
        for name in ["greenroom.toml", ".env"] {
            let path = self.work().join(name);
            if path.exists() {
                fs::remove_file(path).unwrap();
            }
        }
        Self::in_directory(self.directory.clone())
    }

    /// The working directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.directory.path().join("work")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    pub(crate) fn without_home(mut self) -> Self {
        self.variables.retain(|(name, _)| name != "HOME");
        self
    }

    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Variables as `NAME=VALUE` separated by spaces.
    pub(crate) fn env(self, words: &str) -> Self {
        words.split_whitespace().fold(self, |setup, word| {
            let (name, value) = word.split_once('=').unwrap();
            setup.var(name, value)
        })
    }

    pub(crate) fn set(mut self, assignment: &str) -> Self {
        self.flags.set.push(assignment.to_owned());
        self
    }

    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        let path = self.work().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// `greenroom.toml` of the working directory.
    pub(crate) fn toml(self, text: &str) -> Self {
        self.file("greenroom.toml", text)
    }

    /// The same, named with `--config`.
    pub(crate) fn chosen_toml(mut self, text: &str) -> Self {
        self.flags.config = Some("greenroom.toml".into());
        self.toml(text)
    }

    pub(crate) fn dotenv(self, text: &str) -> Self {
        self.file(".env", text)
    }

    pub(crate) fn load(&self) -> Result<Settings, Problems> {
        let environment = Environment::new(self.work(), self.variables.clone());
        let flags = self.flags.clone();
        greenroom_config::load(&greenroom_config::Inputs { environment, flags })
    }

    pub(crate) fn settings(&self) -> Settings {
        self.load()
            .unwrap_or_else(|problems| panic!("must be valid:\n{problems}"))
    }

    /// The messages of all problems, the working directory shortened to `~w`.
    pub(crate) fn messages(&self) -> Vec<String> {
        let work = self.work();
        let problems = self.load().expect_err("must have problems");
        problems
            .iter()
            .map(|problem| problem.to_string().replace(work.to_str().unwrap(), "~w"))
            .collect()
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        let problems = self.load().expect_err("must have problems");
        problems
            .iter()
            .map(|problem| problem.fault.clone())
            .collect()
    }

    /// The one message there must be.
    #[track_caller]
    pub(crate) fn message(&self) -> String {
        let messages = self.messages();
        assert_eq!(messages.len(), 1, "one problem expected: {messages:#?}");
        messages.into_iter().next().unwrap()
    }

    /// Asserts that there is one message and that it holds every needle,
    /// without regard to case.
    #[track_caller]
    pub(crate) fn says(&self, needles: &[&str]) {
        let message = self.message();
        let lower = message.to_lowercase();
        for needle in needles {
            assert!(
                lower.contains(&needle.to_lowercase()),
                "`{needle}` in: {message}"
            );
        }
    }
}

pub(crate) fn pool(name: &str) -> Scope {
    Scope::Pool(PoolName::new(name).unwrap())
}

pub(crate) fn instance(name: &str, id: u32) -> Scope {
    Scope::Instance(PoolName::new(name).unwrap(), InstanceId(id))
}

/// A value as text and its origin as text.
pub(crate) fn told(settings: &Settings, scope: &Scope, key: Key) -> (String, String) {
    let Explanation { value, origin, .. } = settings.explain(scope, key);
    (value.unwrap_or_default(), origin.to_string())
}
