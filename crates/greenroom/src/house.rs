//! The browsers of one process: from settings to a service, and back to nothing.

use std::sync::Arc;

use anyhow::Context as _;
use greenroom_browser::process::{Run, Supervisor, prepare_data_directory, raise_open_file_limit};
use greenroom_browser::sandbox::Sandbox;
use greenroom_browser::{Host, Machine};
use greenroom_config::Settings;
use greenroom_server::{Dispatcher, Fleet, Service};

use crate::wiring::Setup;

/// Running pools, with the supervisor that owns every process in them.
pub(crate) struct House {
    supervisor: Supervisor,
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
}

impl House {
    /// Sweeps what a killed run left behind, then starts every pool in the background.
    pub(crate) async fn open(setup: &Setup, settings: Arc<Settings>) -> anyhow::Result<Self> {
        let data_dir = &settings.server.data_dir;
        prepare_data_directory(data_dir)?;
        if let Err(error) = raise_open_file_limit() {
            tracing::warn!(%error, "the limit of open files stays as it is");
        }
        let (run, swept) = Run::open(data_dir).await?;
        for dead in &swept.runs {
            let (killed, left) = (dead.killed.len(), dead.survivors.len());
            tracing::info!(killed, left, "cleared away what a killed run had left");
        }
        let supervisor = Supervisor::new(run)?;
        let host = Host {
            supervisor: supervisor.clone(),
            environment: setup.child_environment(),
            machine: Machine {
                places: setup.places(),
                program: std::env::current_exe().ok(),
                data_dir: data_dir.clone(),
                sandbox: Sandbox::detect(),
            },
        };
        let fleet = Fleet::start(&settings, &host).context("the pools cannot be set up")?;
        Ok(Self {
            supervisor,
            dispatcher: Dispatcher::new(fleet),
            settings,
        })
    }

    pub(crate) fn service(&self) -> Service {
        Service::new(Arc::new(self.dispatcher.clone()))
    }

    /// Lets calls that run finish, at most for SHUTDOWN_TIMEOUT.
    pub(crate) async fn drain(&self) {
        if !self
            .dispatcher
            .drain(self.settings.server.shutdown_timeout)
            .await
        {
            tracing::warn!("calls still ran at the end of SHUTDOWN_TIMEOUT: they are cut off");
        }
    }

    /// Ends every browser and every process below it.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.dispatcher.close().await;
        self.supervisor
            .close(self.settings.server.shutdown_timeout)
            .await?;
        Ok(())
    }
}
