//! The named pools of browsers, and the way from a setting to a running one.
//!
//! All pools start eagerly, in parallel, in the background: a client is answered at once and its
//! first call waits for the first healthy instance. A pool that cannot start never stops another.

mod lease;
mod manager;
mod pool;
mod shared;
mod spec;
mod upstream;

use std::collections::BTreeMap;
use std::sync::Arc;

use greenroom_browser::Host;
use greenroom_config::Settings;
use greenroom_pool::{InstanceView, PoolError};
use serde_json::{Value, json};

use self::upstream::UpstreamTools;
use crate::dispatch::CallError;
use crate::tools::extra::ExtraTools;

pub use spec::browser_kind;

pub(crate) use lease::BrowserLease;
pub(crate) use manager::Browser;
pub(crate) use pool::BrowserPool;

/// Every pool, by name.
pub struct Fleet {
    pools: BTreeMap<String, Arc<BrowserPool>>,
    default: Arc<BrowserPool>,
    upstream: Arc<UpstreamTools>,
}

impl Fleet {
    /// Starts every instance of every pool, and waits for none. Must be called within a runtime.
    ///
    /// # Errors
    /// When two instances of a pool would have the same name, which valid settings rule out.
    pub fn start(settings: &Settings, host: &Host) -> Result<Self, PoolError> {
        let mut pools = BTreeMap::new();
        let upstream = Arc::new(UpstreamTools::default());
        let grace = settings.server.shutdown_timeout;
        for pool in &settings.pools {
            let name = pool.name.as_str().to_owned();
            let pool = BrowserPool::start(pool.clone(), host.clone(), grace, upstream.clone())?;
            pools.insert(name, Arc::new(pool));
        }
        let default = pools[settings.default_pool().name.as_str()].clone();
        Ok(Self {
            pools,
            default,
            upstream,
        })
    }

    /// The pools, by name.
    pub(crate) fn pools(&self) -> impl Iterator<Item = &Arc<BrowserPool>> {
        self.pools.values()
    }

    /// The pool of this name, or the default one.
    pub(crate) fn pool(&self, name: Option<&str>) -> Result<&Arc<BrowserPool>, CallError> {
        let Some(name) = name else {
            return Ok(&self.default);
        };
        self.pools.get(name).ok_or_else(|| CallError::UnknownPool {
            name: name.to_owned(),
            known: self.pools.keys().cloned().collect(),
        })
    }

    /// The tools that upstreams serve beyond the catalogue.
    pub(crate) fn extra_tools(&self) -> Arc<ExtraTools> {
        self.upstream.extras()
    }

    /// The names of the pools in which `browser_run_code_unsafe` is served.
    pub(crate) fn pools_that_run_code(&self) -> Vec<String> {
        let allowing = self.pools().filter(|pool| pool.allows_run_code());
        allowing.map(|pool| pool.name().to_owned()).collect()
    }

    /// Ready when the default pool has a healthy instance: then a call that names nothing need not
    /// wait for a start. A pool has settled when it has a browser, or each of its instances has
    /// failed to start at least once.
    pub(crate) fn readiness(&self) -> (bool, Value) {
        let mut pools = serde_json::Map::new();
        for pool in self.pools() {
            let snapshot = pool.snapshot();
            let healthy = snapshot.healthy();
            let failed = |instance: &InstanceView<Browser>| instance.last_failure.is_some();
            let settled = healthy > 0 || snapshot.instances.iter().all(failed);
            let counts = json!({
                "healthy_instances": healthy,
                "total_instances": snapshot.instances.len(),
                "settled": settled,
            });
            pools.insert(pool.name().to_owned(), counts);
        }
        let ready = self.default.snapshot().healthy() > 0;
        (ready, json!({"ready": ready, "pools": pools}))
    }

    /// Closes every browser of every pool, all at once.
    pub(crate) async fn close(&self) {
        futures::future::join_all(self.pools().map(|pool| pool.close())).await;
    }
}
