//! A Chromium that runs and answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::last_words;
use super::pipes::{COMMANDS, Pipes, REPLIES};
use super::prepare::prepare;
use crate::call::{Death, EngineError};
use crate::native::conn::{self, Connection, Session};
use crate::native::error::CdpError;
use crate::native::protocol::browser::{Close, GetVersion, Version};
use crate::process::{Child, Memory, Spawn};
use crate::{Error, Host, LaunchSpec};

/// A running browser: a child of ours, or one that runs elsewhere.
#[derive(Debug)]
pub struct Chromium {
    connection: Connection,
    browser: Session,
    version: Version,
    process: Option<Process>,
}

/// What there is of a browser that is our child.
#[derive(Debug)]
struct Process {
    child: Child,
    /// Where it may write: downloads go there.
    output: PathBuf,
}

impl Chromium {
    /// Starts a browser and waits until it answers. When this fails, or is dropped, nothing of it
    /// is left running.
    pub async fn start(label: &str, spec: &LaunchSpec, host: &Host) -> Result<Self, EngineError> {
        let end = Instant::now() + spec.start_timeout;
        let mut scratch = host.supervisor.scratch(label)?;
        let output = scratch.output();
        let prepared = prepare(spec.clone(), host.machine.clone(), &scratch).await?;
        if let Some(lock) = prepared.lock {
            scratch.keep(lock);
        }
        let pipes = Pipes::new().map_err(|source| Error::Supervision { source })?;
        let spawn = Spawn::new(prepared.program)
            .args(prepared.args)
            .envs(host.environment.iter().cloned())
            .pass(pipes.their_commands, COMMANDS)
            .pass(pipes.their_replies, REPLIES);
        let child = host.supervisor.spawn(spawn, scratch)?;
        let mut watch = child.watch();
        let obituary = async move { last_words::death(&watch.exited().await) };
        let connection = Connection::over_pipe(pipes.replies, pipes.commands, obituary);
        drain(&child);
        let browser = connection.browser(spec.timeout);
        let left = end.saturating_duration_since(Instant::now());
        let greeting = browser.call_within(left, GetVersion {});
        let version = child
            .ready_within("its answer over the DevTools pipe", left, greeting)
            .await?;
        tracing::debug!(
            label,
            product = version.product,
            pid = child.root().pid,
            "a browser runs"
        );
        Ok(Self {
            connection,
            browser,
            version,
            process: Some(Process { child, output }),
        })
    }

    /// Takes a browser that runs elsewhere.
    pub async fn connect(
        endpoint: &str,
        patience: Duration,
        deadline: Duration,
    ) -> Result<Self, EngineError> {
        let end = Instant::now() + deadline;
        let connection = conn::connect(endpoint, deadline).await;
        let connection = connection.map_err(|error| EngineError::NoBrowser {
            reason: error.to_string(),
        })?;
        let browser = connection.browser(patience);
        let left = end.saturating_duration_since(Instant::now());
        let version = browser.call_within(left, GetVersion {}).await?;
        Ok(Self {
            connection,
            browser,
            version,
            process: None,
        })
    }

    /// The browser itself, to be asked for contexts and targets.
    pub fn session(&self) -> &Session {
        &self.browser
    }

    /// The connection to it.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// What it says it is.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Its process, if it is ours.
    pub fn pid(&self) -> Option<i32> {
        self.process
            .as_ref()
            .map(|process| process.child.root().pid)
    }

    /// Where it may leave files for us, if it is ours.
    pub fn output(&self) -> Option<&Path> {
        self.process
            .as_ref()
            .map(|process| process.output.as_path())
    }

    /// The end of what it has written to stderr.
    pub fn stderr_tail(&self) -> String {
        let process = self.process.as_ref();
        process.map_or_else(String::new, |process| process.child.stderr_tail())
    }

    /// The memory of all its processes; none for a browser elsewhere.
    pub async fn memory(&self) -> Result<Memory, EngineError> {
        match &self.process {
            Some(process) => Ok(process.child.memory().await?),
            None => Ok(Memory::default()),
        }
    }

    /// Whether it can still be spoken to.
    pub fn is_alive(&self) -> bool {
        self.connection.try_ended().is_none()
    }

    /// Resolves when it has ended, and tells how.
    pub async fn ended(&self) -> Arc<Death> {
        self.connection.ended().await
    }

    /// Proves that it answers.
    pub async fn probe(&self, deadline: Duration) -> Result<(), CdpError> {
        let answer = self.browser.call_within(deadline, GetVersion {}).await;
        answer.map(drop)
    }

    /// Ends it: in good order within `grace`, by force after it. One that runs elsewhere is only
    /// let go: it is not ours to end.
    pub async fn stop(&self, grace: Duration) -> Result<(), EngineError> {
        let Some(Process { child, .. }) = &self.process else {
            self.connection.close();
            self.connection.ended().await;
            return Ok(());
        };
        let end = Instant::now() + grace;
        if !grace.is_zero() && self.is_alive() {
            // A browser that writes its profile needs a moment. One that hangs does not take all
            // of the time: the signals need some of it too.
            let closing = async {
                let _ = self.browser.call_within(grace / 2, Close {}).await;
                child.exited().await;
            };
            let _ = timeout(grace / 2, closing).await;
        }
        self.connection.close();
        let left = end.saturating_duration_since(Instant::now());
        child.stop(left).await?;
        Ok(())
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Whoever still has a session of it must not keep a connection open that nobody owns.
        self.connection.close();
    }
}

/// What it writes to stdout is nothing to anybody, but must be read, or it blocks one day.
fn drain(child: &Child) {
    if let Some(mut stdout) = child.take_stdout() {
        tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
    }
}
