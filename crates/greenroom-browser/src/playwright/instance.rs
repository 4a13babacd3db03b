//! One upstream process with its browser, as the pool sees it.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::browser_watch::BrowserWatch;
use super::handshake::{Handshake, shake_hands};
use super::launch;
use super::{Client, Health, OutputDir, ReplyReader};
use crate::call::{Death, EngineError};
use crate::process::{Child, Memory};
use crate::{Host, LaunchSpec};

/// A pipe closes a moment before its process has ended. This long the end is waited for, because
/// the exit says more than the pipe.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// An upstream that has been started and greeted.
///
/// Calls are in `calling`, the reset between two holders is in `reset`.
#[derive(Debug)]
pub struct PlaywrightInstance {
    pub(super) child: Child,
    pub(super) client: Client,
    pub(super) handshake: Handshake,
    pub(super) browser: BrowserWatch,
    pub(super) output: OutputDir,
    pub(super) replies: ReplyReader,
    pub(super) allow_run_code: bool,
    pub(super) warm: bool,
}

impl PlaywrightInstance {
    /// Starts an upstream and greets it, and starts its browser if the instance is to be warm.
    pub async fn start(label: &str, spec: &LaunchSpec, host: &Host) -> Result<Self, EngineError> {
        let end = Instant::now() + spec.start_timeout;
        let (child, client, output) = launch::launch(label, spec, host).await?;
        let greeting = shake_hands(&client, left(end));
        let handshake = child
            .ready_within("the MCP handshake", left(end), greeting)
            .await?;
        let instance = Self {
            child,
            client,
            handshake,
            browser: BrowserWatch::new(),
            replies: ReplyReader::new(output.clone()),
            output,
            allow_run_code: spec.allow_run_code,
            warm: spec.warm,
        };
        if spec.warm {
            let warming = instance.warm_up(left(end));
            let child = &instance.child;
            child
                .ready_within("its browser", left(end), warming)
                .await?;
        }
        Ok(instance)
    }

    /// Proves that the upstream lives and answers: the process, then a message there and back.
    pub async fn probe(&self, deadline: Duration) -> Result<(), EngineError> {
        if self.client.health() == Health::Noisy {
            return Err(EngineError::Protocol {
                detail: "it floods its output with what is no message".to_owned(),
            });
        }
        let (method, params) = self.handshake.era.probe();
        let pong = self.client.call(method, &params, deadline);
        self.while_it_lives(pong).await.map(drop)
    }

    /// Resolves when the upstream or its browser has ended though nobody asked for it.
    pub async fn ended(&self) -> Death {
        tokio::select! {
            _ = self.child.exited() => self.death_of_upstream().await,
            death = self.client.ended() => self.death(Some(&death)).await,
            () = self.browser.lost() => self.death_of_browser().await,
        }
    }

    /// A browser ends with its upstream, and the news of it may come first.
    async fn death_of_browser(&self) -> Death {
        if self.upstream_ends_too().await {
            return self.death_of_upstream().await;
        }
        Death {
            how: "the browser ended below its upstream".to_owned(),
            stderr_tail: self.stderr_tail(),
            half_line: None,
        }
    }

    /// Whether the upstream ends with its browser. A process with many threads takes a moment.
    pub(super) async fn upstream_ends_too(&self) -> bool {
        timeout(LAST_WORDS, self.child.exited()).await.is_ok()
    }

    /// What the upstream said last may still be on its way.
    pub(super) async fn death_of_upstream(&self) -> Death {
        let seen = timeout(LAST_WORDS, self.client.ended()).await;
        self.death(seen.ok().as_deref()).await
    }

    /// Closes the browser, then the upstream, then kills whatever is left of them.
    pub async fn stop(&self, grace: Duration) -> Result<(), EngineError> {
        let end = Instant::now() + grace;
        if !grace.is_zero() && !self.client.has_ended() {
            // A browser that does not close in half the time is left to the signals.
            let _ = self.close_browser(grace / 2).await;
        }
        self.client.close_input();
        self.child.stop(left(end)).await?;
        Ok(())
    }

    /// Lays a file out in the directory in which the upstream runs.
    pub async fn lay_out(
        &self,
        folder: &str,
        name: &str,
        contents: &mut tokio::fs::File,
    ) -> std::io::Result<std::path::PathBuf> {
        self.output.lay_out(folder, name, contents).await
    }

    /// What the upstream said about itself: its era, its version, its tools.
    pub fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    /// The upstream's process.
    pub fn pid(&self) -> i32 {
        self.child.root().pid
    }

    /// The browser's process, once it is known.
    pub fn browser_pid(&self) -> Option<i32> {
        self.browser.pid()
    }

    /// The end of what the upstream has written to stderr.
    pub fn stderr_tail(&self) -> String {
        self.child.stderr_tail()
    }

    /// The memory of all its processes.
    pub async fn memory(&self) -> Result<Memory, EngineError> {
        Ok(self.child.memory().await?)
    }

    /// The connection, for its counters.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// How the upstream ended: what the connection saw, and what the process left.
    pub(super) async fn death(&self, seen: Option<&Death>) -> Death {
        let exit = timeout(LAST_WORDS, self.child.exited()).await;
        let how = match (exit, seen) {
            (Ok(exit), _) => exit.ended.to_string(),
            (Err(_), Some(seen)) => seen.how.clone(),
            (Err(_), None) => "it ended".to_owned(),
        };
        Death {
            how,
            stderr_tail: self.stderr_tail(),
            half_line: seen.and_then(|seen| seen.half_line.clone()),
        }
    }
}

/// What is left of the time until `end`.
pub(super) fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}
