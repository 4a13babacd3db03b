//! Joins the command line to the parts it drives.

use anyhow::Context as _;
use greenroom_browser::find::Places;
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

    /// Where browsers, Node and the upstream are looked for.
    pub(crate) fn places(&self) -> Places {
        Places::from_env(|name| self.environment.variables.get(name).cloned())
    }
}
