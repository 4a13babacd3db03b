//! Joins the command line to the parts it drives.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context as _;
use greenroom_browser::find::Places;
use greenroom_browser::process::child_environment;
use greenroom_config::{Environment, Flags, Inputs, Problems, Settings};

use crate::cli::SettingsArgs;

/// What every command starts from.
pub(crate) struct Setup {
    pub(crate) environment: Environment,
    /// The configuration, or everything that is wrong with it.
    pub(crate) settings: Result<Settings, Problems>,
}

impl Setup {
    /// Reads the environment and the configuration; starts nothing.
    pub(crate) fn read(args: &SettingsArgs) -> anyhow::Result<Self> {
        let environment = Environment::of_process()
            .context("the working directory cannot be read; change to one that exists")?;
        let inputs = Inputs {
            environment: environment.clone(),
            flags: Flags {
                config: args.config.clone(),
                host: args.host.clone(),
                port: args.port.clone(),
                data_dir: args.data_dir.clone(),
                log_level: args.log_level.clone(),
                set: args.set.clone(),
            },
        };
        Ok(Self {
            environment,
            settings: greenroom_config::load(&inputs),
        })
    }

    /// What children get of this process's environment.
    pub(crate) fn child_environment(&self) -> Vec<(OsString, OsString)> {
        let variables = self.environment.variables.iter();
        child_environment(variables.map(|(name, value)| (name.into(), value.clone())))
    }

    /// Where sockets of this user may live.
    pub(crate) fn runtime_dir(&self) -> PathBuf {
        let named = self
            .environment
            .variables
            .get("XDG_RUNTIME_DIR")
            .map(PathBuf::from);
        let usable = named.filter(|dir| dir.is_absolute() && dir.is_dir());
        usable.unwrap_or_else(std::env::temp_dir)
    }

    /// Where browsers, Node and the upstream are looked for.
    pub(crate) fn places(&self) -> Places {
        Places::from_env(|name| self.environment.variables.get(name).cloned())
    }
}

/// The runtime of commands that serve. Work here is waiting, not computing: few threads do.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(4))
        .enable_all()
        .build();
    runtime.context("the async runtime cannot be started")
}
