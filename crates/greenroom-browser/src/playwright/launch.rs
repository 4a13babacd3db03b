//! From what an instance is to be to a running process with a connection.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::command::{self, Directories, UpstreamCommand};
use super::windows::PathStyle;
use super::{Client, ClientOptions, OutputDir};
use crate::call::EngineError;
use crate::process::{Child, FileLock, Scratch, Spawn};
use crate::{Error, Host, LaunchSpec, Machine, profile};

/// Starts the upstream. It runs in the directory that it writes to, so that one directory holds
/// all it links to, and nothing else is in its reach.
pub(super) async fn launch(
    label: &str,
    spec: &LaunchSpec,
    host: &Host,
) -> Result<(Child, Client, OutputDir), EngineError> {
    let mut scratch = host.supervisor.scratch(label)?;
    let output = scratch.output();
    let (command, lock) = prepare(spec.clone(), host.machine.clone(), &scratch).await?;
    if let Some(lock) = lock {
        scratch.keep(lock);
    }
    let spawn = Spawn::new(command.program)
        .args(command.args)
        .envs(host.environment.iter().cloned())
        .cwd(&output);
    let child = host.supervisor.spawn(spawn, scratch)?;
    let pipes = child.take_stdout().zip(child.take_stdin());
    let (stdout, stdin) = pipes.expect("BUG: the pipes of a new child were taken");
    let client = Client::connect(stdout, stdin, &ClientOptions::default());
    Ok((child, client, OutputDir::new(output)))
}

/// Looks for everything that is run, writes the upstream's configuration, and takes the profile.
async fn prepare(
    spec: LaunchSpec,
    machine: Machine,
    scratch: &Scratch,
) -> Result<(UpstreamCommand, Option<FileLock>), EngineError> {
    let directories = Directories {
        output: scratch.output(),
        profile: scratch.profile(),
        config: scratch.path().join("upstream.json"),
    };
    let work = move || {
        let paths = PathStyle::choose(spec.wsl_windows, &machine)?;
        let command = command::build(&spec, &machine, &directories, &paths)?;
        write_config(&directories.config, &command.config)?;
        let lock = profile::take(&spec, &machine.data_dir)?;
        Ok((command, lock))
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| {
        EngineError::NotStarted(Arc::new(Error::Supervision {
            source: std::io::Error::other(error),
        }))
    })?
}

fn write_config(path: &Path, config: &Value) -> Result<(), EngineError> {
    std::fs::write(path, config.to_string()).map_err(|source| {
        let path = path.to_owned();
        Error::RunDirectory { path, source }.into()
    })
}
