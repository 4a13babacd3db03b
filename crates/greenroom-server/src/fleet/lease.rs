use std::sync::Arc;
use std::time::Duration;

use greenroom_config::PoolSettings;
use greenroom_pool::{Generation, InstanceName, Lease, World};
use serde_json::Value;

use super::manager::{Browser, BrowserManager};
use crate::dispatch::CallError;

/// How long a browser that just missed a deadline may take to say that it lives.
const PROBE: Duration = Duration::from_secs(2);

/// A leased browser that knows its names.
pub(crate) struct BrowserLease {
    lease: Lease<BrowserManager>,
    name: InstanceName,
    pool: String,
}

impl BrowserLease {
    pub(super) fn new(lease: Lease<BrowserManager>, pool: &PoolSettings) -> Self {
        let id = lease.id();
        let alias = pool
            .instance(greenroom_config::InstanceId(id.number()))
            .alias
            .map(Arc::from);
        Self {
            name: InstanceName { id, alias },
            pool: pool.name.as_str().to_owned(),
            lease,
        }
    }

    pub(crate) fn name(&self) -> &InstanceName {
        &self.name
    }

    /// Whether a caller means this instance by `key`.
    pub(crate) fn is_called(&self, key: &str) -> bool {
        self.name.id.to_string() == key || self.name.alias.as_deref() == Some(key)
    }

    /// Whether the holder found nothing of its own.
    pub(crate) fn is_blank(&self) -> bool {
        self.lease.world() == World::Blank
    }

    /// Which life of the instance this is.
    pub(crate) fn generation(&self) -> Generation {
        self.lease.generation()
    }

    pub(crate) fn pool_name(&self) -> &str {
        &self.pool
    }

    pub(crate) fn browser(&self) -> &Browser {
        &self.lease
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lease.is_lost()
    }

    /// Why the browser is gone, if it is.
    pub(crate) fn lost_reason(&self) -> Option<String> {
        self.lease.live().loss().map(|reason| reason.to_string())
    }

    /// Resolves when the browser is gone.
    pub(crate) async fn lost(&self) -> Arc<str> {
        self.lease.lost().await
    }

    pub(crate) fn set_activity(&self, tool: Option<&str>) {
        self.lease
            .set_activity(tool.map(|tool| tool.to_owned().into()));
    }

    /// Whether the browser itself still answers, not only its driver.
    pub(crate) async fn answers(&self) -> bool {
        self.lease.engine().page_answers(PROBE).await.is_ok()
    }

    /// Fills a fresh world with these cookies and this storage.
    pub(crate) async fn restore(&self, state: &Value) -> Result<(), CallError> {
        let browser = self.browser();
        let restored = browser.engine().restore(state, browser.timeout()).await;
        restored.map_err(|error| {
            CallError::Invalid(format!(
                "storage_state cannot be restored: {error}. Give what browser_storage_state or Playwright's storageState writes, or leave it out."
            ))
        })
    }

    /// Gives the browser back, wiped before anybody else gets it.
    pub(crate) fn release_reset(self) {
        self.lease.release_reset();
    }

    /// Gives back a browser that does not work.
    pub(crate) fn fail(self, reason: &str) {
        self.lease.fail(reason);
    }
}
