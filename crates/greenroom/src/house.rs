//! The browsers of one process: from settings to a service, and back to nothing.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use greenroom_browser::process::{Run, Supervisor, prepare_data_directory, raise_open_file_limit};
use greenroom_browser::sandbox::Sandbox;
use greenroom_browser::{Host, Machine};
use greenroom_config::Settings;
use greenroom_server::{Dispatcher, Fleet, Journal, Service, Shutdown};
use tokio::time::{Instant, timeout, timeout_at};

use crate::output;
use crate::wiring::Setup;

/// What browsers have to close in good order when calls have used up all the time.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// How long the last answers may take to reach clients, most of whom read at once.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Running pools, with the supervisor that owns every process in them.
pub(crate) struct House {
    supervisor: Supervisor,
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
}

impl House {
    /// Sweeps what a killed run left behind, then starts every pool in the background.
    pub(crate) async fn open(setup: &Setup, settings: Arc<Settings>) -> anyhow::Result<Self> {
        Self::open_with(setup, settings, false).await
    }

    /// The same, but a damaged database is moved aside and a new one begun.
    pub(crate) async fn open_or_quarantine(
        setup: &Setup,
        settings: Arc<Settings>,
    ) -> anyhow::Result<Self> {
        Self::open_with(setup, settings, true).await
    }

    async fn open_with(
        setup: &Setup,
        settings: Arc<Settings>,
        quarantine: bool,
    ) -> anyhow::Result<Self> {
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
        match furnish(setup, &settings, &supervisor, quarantine).await {
            Ok(dispatcher) => Ok(Self {
                supervisor,
                dispatcher,
                settings,
            }),
            Err(error) => {
                // Nothing runs yet. What cannot be cleared away now, the next start sweeps.
                let _ = supervisor.close(Duration::ZERO).await;
                Err(error)
            }
        }
    }

    pub(crate) fn service(&self) -> Service {
        Service::new(Arc::new(self.dispatcher.clone()))
    }

    /// Ends every process at once, whatever else is being waited for.
    pub(crate) fn killer(&self) -> Killer {
        Killer(self.supervisor.clone())
    }

    /// Takes nothing new, lets what runs finish until SHUTDOWN_TIMEOUT, then ends everything.
    /// `edges` resolves when no client is left, which `shutdown` brings about.
    pub(crate) async fn end(
        self,
        shutdown: &Shutdown,
        edges: impl Future<Output = ()>,
    ) -> anyhow::Result<()> {
        let deadline = self.deadline();
        shutdown.drain();
        if !self.dispatcher.drain(deadline).await {
            tracing::warn!("calls still ran at the end of SHUTDOWN_TIMEOUT: they are cut off");
        }
        let (closed, ()) = tokio::join!(self.close_by(deadline), see_off(edges, shutdown));
        closed
    }

    /// Ends every browser and every process below it.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        let deadline = self.deadline();
        self.close_by(deadline).await
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.server.shutdown_timeout
    }

    /// There is one deadline for everything: who waits for it must not wait for it twice.
    async fn close_by(self, deadline: Instant) -> anyhow::Result<()> {
        let deadline = deadline.max(Instant::now() + LAST_MOMENT);
        if timeout_at(deadline, self.dispatcher.close()).await.is_err() {
            tracing::warn!("browsers did not close in time: they are killed");
        }
        let grace = deadline.saturating_duration_since(Instant::now());
        self.supervisor.close(grace).await?;
        Ok(())
    }
}

/// Opens the record, then starts every pool in the background.
async fn furnish(
    setup: &Setup,
    settings: &Arc<Settings>,
    supervisor: &Supervisor,
    quarantine: bool,
) -> anyhow::Result<Dispatcher> {
    let host = Host {
        supervisor: supervisor.clone(),
        environment: setup.child_environment(),
        machine: Machine {
            places: setup.places(),
            program: std::env::current_exe().ok(),
            data_dir: settings.server.data_dir.clone(),
            sandbox: Sandbox::detect(),
        },
    };
    let journal = if quarantine {
        let (journal, aside) = Journal::open_or_quarantine(&settings.server).await?;
        if let Some(aside) = aside {
            let aside = aside.display();
            output::to_stderr(&format!(
                "greenroom: the damaged database was moved to {aside}; a new one is begun\n"
            ));
        }
        journal
    } else {
        Journal::open(&settings.server).await?
    };
    let fleet = Fleet::start(settings, &host).context("the pools cannot be set up")?;
    Ok(Dispatcher::new(fleet, journal))
}

/// The last resort of somebody who will not wait.
pub(crate) struct Killer(Supervisor);

impl Killer {
    /// Kills every process and clears the run away, without asking anybody.
    pub(crate) async fn kill(self) {
        // What is left after that, the sweep of the next start clears.
        let _ = timeout(LAST_MOMENT, self.0.close(Duration::ZERO)).await;
    }
}

/// Lets clients read their last answers, then hangs up.
async fn see_off(edges: impl Future<Output = ()>, shutdown: &Shutdown) {
    let mut edges = pin!(edges);
    if timeout(LAST_WORDS, &mut edges).await.is_err() {
        shutdown.cancel();
        edges.await;
    }
}
