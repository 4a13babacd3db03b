//! The engines, and the contract that they meet.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::call::{Call, Death, EngineError, Reply};
use crate::native::{NativeInstance, Source};
use crate::playwright::PlaywrightInstance;
use crate::{Host, LaunchSpec};

/// A browser world that serves one holder at a time.
///
/// A closed set, so that whoever adds an engine meets every place that must know of it. Every
/// method takes `&self`: a probe goes past a call that is under way.
#[derive(Debug)]
pub enum Engine {
    /// A child process that speaks MCP.
    Playwright(Box<PlaywrightInstance>),
    /// A world in a Chromium that we drive ourselves.
    Native(Box<NativeInstance>),
}

impl Engine {
    /// Starts an upstream. When this returns, it is ready for calls; when it fails, or is dropped,
    /// nothing of it is left running.
    pub async fn start_playwright(
        label: &str,
        spec: &LaunchSpec,
        host: &Host,
    ) -> Result<Self, EngineError> {
        let instance = PlaywrightInstance::start(label, spec, host).await?;
        Ok(Self::Playwright(Box::new(instance)))
    }

    /// Makes a world of this source. What was said of a start holds here too.
    pub async fn start_native(source: Source, spec: &LaunchSpec) -> Result<Self, EngineError> {
        let instance = NativeInstance::start_from(source, spec).await?;
        Ok(Self::Native(Box::new(instance)))
    }

    /// Runs one tool. Dropping the future gives the call up: it may run on, and the next one waits
    /// for its end within its own deadline.
    pub async fn call(&self, call: &Call, deadline: Duration) -> Result<Reply, EngineError> {
        match self {
            Self::Playwright(instance) => instance.call(call, deadline).await,
            Self::Native(instance) => instance.call(call, deadline).await,
        }
    }

    /// Proves that the instance lives and answers. Goes past calls that are under way.
    pub async fn probe(&self, deadline: Duration) -> Result<(), EngineError> {
        match self {
            Self::Playwright(instance) => instance.probe(deadline).await,
            Self::Native(instance) => instance.probe(deadline).await,
        }
    }

    /// Proves that the browser itself answers, which a probe does not: to be asked after a call that
    /// has met its deadline. Goes past calls that are under way.
    pub async fn page_answers(&self, deadline: Duration) -> Result<(), EngineError> {
        match self {
            Self::Playwright(instance) => instance.page_answers(deadline).await,
            Self::Native(instance) => instance.page_answers(deadline).await,
        }
    }

    /// Leaves nothing of this holder's world to the next. An instance whose reset fails must not
    /// be used again.
    pub async fn reset(&self, deadline: Duration) -> Result<(), EngineError> {
        match self {
            Self::Playwright(instance) => instance.reset(deadline).await,
            Self::Native(instance) => instance.reset(deadline).await,
        }
    }

    /// Resolves when the instance has ended by itself, and tells how.
    pub async fn ended(&self) -> Death {
        match self {
            Self::Playwright(instance) => instance.ended().await,
            Self::Native(instance) => instance.ended().await,
        }
    }

    /// Ends the instance and all its processes, in good order within `grace`, by force after it.
    pub async fn stop(&self, grace: Duration) -> Result<(), EngineError> {
        match self {
            Self::Playwright(instance) => instance.stop(grace).await,
            Self::Native(instance) => instance.stop(grace).await,
        }
    }

    /// The process at the root of the instance: one that others share, or 0 for one that runs
    /// elsewhere.
    pub fn pid(&self) -> i32 {
        match self {
            Self::Playwright(instance) => instance.pid(),
            Self::Native(instance) => instance.pid(),
        }
    }

    /// Fills a fresh world with cookies and storage, as Playwright's `storageState` writes them.
    pub async fn restore(&self, state: &Value, deadline: Duration) -> Result<(), EngineError> {
        match self {
            Self::Playwright(instance) => instance.restore(state, deadline).await,
            Self::Native(instance) => instance.restore(state, deadline).await,
        }
    }

    /// Lays a file out where the browser may read it, until the world is reset. `folder` keeps files
    /// of one name apart; both are names without directories. Gives the path for tools.
    pub async fn lay_out(
        &self,
        folder: &str,
        name: &str,
        contents: &mut tokio::fs::File,
    ) -> std::io::Result<PathBuf> {
        match self {
            Self::Playwright(instance) => instance.lay_out(folder, name, contents).await,
            Self::Native(instance) => instance.lay_out(folder, name, contents).await,
        }
    }

    /// The tools that an upstream says it has, as MCP describes them. Ours has those of
    /// [`native::TOOLS`](crate::native::TOOLS).
    pub fn upstream_tools(&self) -> Option<&[Value]> {
        match self {
            Self::Playwright(instance) => Some(&instance.handshake().tools),
            Self::Native(_) => None,
        }
    }

    /// The last words of its processes.
    pub fn stderr_tail(&self) -> String {
        match self {
            Self::Playwright(instance) => instance.stderr_tail(),
            Self::Native(instance) => instance.stderr_tail(),
        }
    }
}
