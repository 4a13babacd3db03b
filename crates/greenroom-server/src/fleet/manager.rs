use std::sync::Arc;
use std::time::Duration;

use greenroom_browser::call::EngineError;
use greenroom_browser::native::Source;
use greenroom_browser::{Engine, Host};
use greenroom_config::{InstanceSettings, PoolSettings, Process};
use greenroom_pool::{CloseReason, InstanceId, Manager};

use super::shared::SharedBrowsers;
use super::spec::launch_spec;
use super::upstream::UpstreamTools;

/// Generous: the pool sets the real deadlines of a probe and of a reset around these.
const PATIENCE: Duration = Duration::from_secs(60);

/// One running browser of a pool, with the settings it was started by.
#[derive(Debug)]
pub(crate) struct Browser {
    engine: Engine,
    timeout: Duration,
}

impl Browser {
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The deadline of one call.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }
}

/// Makes and ends the browsers of one pool.
pub(crate) struct BrowserManager {
    settings: Arc<PoolSettings>,
    host: Host,
    stop_grace: Duration,
    shared: Arc<SharedBrowsers>,
    upstream: Arc<UpstreamTools>,
}

impl BrowserManager {
    pub(super) fn new(
        settings: Arc<PoolSettings>,
        host: Host,
        stop_grace: Duration,
        shared: Arc<SharedBrowsers>,
        upstream: Arc<UpstreamTools>,
    ) -> Self {
        Self {
            settings,
            host,
            stop_grace,
            shared,
            upstream,
        }
    }

    async fn start(&self, settings: &InstanceSettings) -> Result<Engine, EngineError> {
        let label = format!("{}-{}", self.settings.name.as_str(), settings.id.0);
        let spec = launch_spec(settings);
        match settings.engine() {
            greenroom_config::Engine::Playwright => {
                let engine = Engine::start_playwright(&label, &spec, &self.host).await?;
                let tools = engine.upstream_tools().unwrap_or_default();
                self.upstream.compare(&label, tools);
                Ok(engine)
            }
            greenroom_config::Engine::Native => {
                let shares = settings.process() == Process::Shared && spec.cdp_endpoint.is_none();
                let source = if shares {
                    Source::Shared(self.shared.started_with(&spec))
                } else {
                    Source::start(&label, &spec, &self.host).await?
                };
                Engine::start_native(source, &spec).await
            }
        }
    }
}

impl Manager for BrowserManager {
    type Instance = Browser;
    type Error = EngineError;

    async fn create(&self, id: InstanceId) -> Result<Browser, EngineError> {
        let id = greenroom_config::InstanceId(id.number());
        let settings = self.settings.instance(id);
        let engine = self.start(&settings).await?;
        Ok(Browser {
            engine,
            timeout: settings.timeout,
        })
    }

    async fn probe(&self, browser: &Browser) -> Result<(), EngineError> {
        browser.engine.probe(PATIENCE).await
    }

    async fn reset(&self, browser: &Browser) -> Result<(), EngineError> {
        browser.engine.reset(PATIENCE).await
    }

    async fn close(&self, browser: &Browser, reason: CloseReason) {
        // One that failed has nobody to ask.
        let grace = match reason {
            CloseReason::Failed | CloseReason::ResetFailed => Duration::ZERO,
            _ => self.stop_grace,
        };
        if let Err(error) = browser.engine.stop(grace).await {
            tracing::error!(%error, "an instance could not be ended");
        }
    }

    async fn ended(&self, browser: &Browser) -> String {
        browser.engine.ended().await.to_string()
    }
}
