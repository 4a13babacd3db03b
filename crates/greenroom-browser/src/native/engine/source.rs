//! Where the worlds of an instance come from.

use std::sync::Arc;
use std::time::Duration;

use crate::call::EngineError;
use crate::{Host, LaunchSpec};

use crate::native::browser::{Fleet, SharedBrowser, World, WorldSettings};
use crate::native::launch::Chromium;

/// Where worlds come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The browsers of a pool, which the instance shares with others.
    Shared(Fleet),
    /// A browser of the instance's own, with a profile in memory.
    Own(Arc<SharedBrowser>),
    /// A browser of the instance's own, whose profile outlives its holders.
    Profile(Arc<SharedBrowser>),
}

impl Source {
    /// A browser for one instance alone: a new one, or one that runs elsewhere.
    ///
    /// The latter is not ours to end, and our files are out of its reach, so that there are neither
    /// uploads nor downloads.
    pub async fn start(label: &str, spec: &LaunchSpec, host: &Host) -> Result<Self, EngineError> {
        let browser = match &spec.cdp_endpoint {
            Some(endpoint) => connect(endpoint, spec).await?,
            None => SharedBrowser::start(label, spec, host, 1).await?,
        };
        Ok(if spec.isolated {
            Self::Own(browser)
        } else {
            Self::Profile(browser)
        })
    }

    /// A blank world.
    pub(super) async fn take(&self, deadline: Duration) -> Result<World, EngineError> {
        match self {
            Self::Shared(fleet) => fleet.take(deadline).await,
            Self::Own(browser) => browser.world(deadline).await,
            Self::Profile(browser) => browser.profile_world(deadline).await,
        }
    }

    /// The browser of the instance's own, if it has one.
    pub(super) fn own(&self) -> Option<&Arc<SharedBrowser>> {
        match self {
            Self::Shared(_) => None,
            Self::Own(browser) | Self::Profile(browser) => Some(browser),
        }
    }
}

async fn connect(endpoint: &str, spec: &LaunchSpec) -> Result<Arc<SharedBrowser>, EngineError> {
    let chromium = Chromium::connect(endpoint, spec.timeout, spec.start_timeout).await?;
    SharedBrowser::of(chromium, WorldSettings::of(spec), 1).await
}
