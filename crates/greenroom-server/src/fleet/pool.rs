use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use greenroom_browser::Host;
use greenroom_config::{Engine, InstanceSettings, PoolSettings, Sticky};
use greenroom_pool::{
    Generation, Health, Holder, InstanceId, InstanceSpec, Options, Pool, PoolError, Pressure,
    Request, Restart, Snapshot, Status,
};
use tokio::sync::Notify;

use super::lease::BrowserLease;
use super::manager::{Browser, BrowserManager};
use super::shared::SharedBrowsers;
use super::upstream::UpstreamTools;
use crate::dispatch::CallError;
use crate::identity::Principal;

/// The longest that a reset may take. It ends a browser and starts another, so it has the time of a
/// start: one that is merely slow must not count as a failure.
const RESET: Duration = Duration::from_secs(30);

/// A pool of browsers under its name.
pub(crate) struct BrowserPool {
    settings: Arc<PoolSettings>,
    pool: Pool<BrowserManager>,
    /// The browsers of those instances that share some. They end after the instances.
    shared: Arc<SharedBrowsers>,
    stop_grace: Duration,
    /// Whether Chromium's sandbox can run here.
    has_sandbox: bool,
    /// A session of this pool has just stopped using its browser.
    idle: Notify,
    /// In which life of an instance a principal last left its plain world there.
    left: Mutex<HashMap<(Principal, InstanceId), Generation>>,
}

impl BrowserPool {
    pub(super) fn start(
        settings: PoolSettings,
        host: Host,
        stop_grace: Duration,
        upstream: Arc<UpstreamTools>,
    ) -> Result<Self, PoolError> {
        let settings = Arc::new(settings);
        let specs = settings.instances.iter().map(instance_spec).collect();
        let options = Options {
            max_queue: settings.max_queue,
            reset_timeout: RESET,
            close_timeout: stop_grace * 2 + Duration::from_secs(10),
            ..Options::default()
        };
        let name = settings.name.as_str();
        let shared = SharedBrowsers::new(name, host.clone(), settings.contexts_per_browser);
        let shared = Arc::new(shared);
        let has_sandbox = host.machine.sandbox.is_available();
        let manager =
            BrowserManager::new(settings.clone(), host, stop_grace, shared.clone(), upstream);
        Ok(Self {
            shared,
            stop_grace,
            has_sandbox,
            pool: Pool::new(manager, specs, options)?,
            settings,
            idle: Notify::new(),
            left: Mutex::default(),
        })
    }

    pub(crate) fn settings(&self) -> &PoolSettings {
        &self.settings
    }

    pub(crate) fn name(&self) -> &str {
        self.settings.name.as_str()
    }

    pub(crate) fn instance_settings(&self, id: InstanceId) -> InstanceSettings {
        self.settings
            .instance(greenroom_config::InstanceId(id.number()))
    }

    /// Whether a caller without a session gets whatever instance is free, call by call.
    pub(crate) fn is_sticky_per_call(&self) -> bool {
        self.settings.sticky == Sticky::Call
    }

    /// How long a session may be idle before it loses its browser, on the instance that it holds.
    pub(crate) fn session_timeout(&self, held: Option<InstanceId>) -> Duration {
        self.session_settings(held).session_timeout
    }

    /// How long a session may be idle before it is closed.
    pub(crate) fn session_ttl(&self) -> Duration {
        self.session_settings(None).session_ttl
    }

    /// The settings of an instance; for a session that holds none, those of the pool's first.
    fn session_settings(&self, held: Option<InstanceId>) -> InstanceSettings {
        self.instance_settings(held.unwrap_or(InstanceId::new(0)))
    }

    /// What goes with the world of a holder here.
    pub(crate) fn what_a_world_holds(&self) -> &'static str {
        if self
            .settings
            .instances
            .iter()
            .all(|instance| instance.isolated)
        {
            "pages, cookies, storage"
        } else {
            "pages; what the profile keeps is still there"
        }
    }

    /// Whether Chromium's sandbox is on; `None` where it is not ours to say.
    pub(crate) fn is_sandboxed(&self, settings: &InstanceSettings) -> Option<bool> {
        let is_ours = settings.browser.is_chromium_kind() && settings.cdp_endpoint.is_none();
        is_ours.then(|| settings.sandbox.unwrap_or(self.has_sandbox))
    }

    /// Whether code outside the page's sandbox may run on every instance that could be leased.
    pub(crate) fn allows_run_code(&self) -> bool {
        self.settings
            .instances
            .iter()
            .all(|instance| instance.allow_run_code && instance.engine() == Engine::Playwright)
    }

    pub(crate) fn snapshot(&self) -> Snapshot<Browser> {
        self.pool.snapshot()
    }

    /// Refuses a name that no instance has, before anything is waited for.
    pub(crate) fn check_instance(&self, key: &str) -> Result<InstanceId, CallError> {
        self.pool.resolve(key).map_err(|error| self.explain(error))
    }

    pub(crate) async fn acquire(&self, request: Request) -> Result<BrowserLease, CallError> {
        match self.pool.acquire(request).await {
            Ok(lease) => Ok(BrowserLease::new(lease, &self.settings)),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// A lease for one call of a principal, which finds the world as it last left it, or is told
    /// that the browser was replaced since.
    pub(crate) async fn acquire_plain(
        &self,
        principal: &Principal,
        instance: Option<&str>,
        tool: &str,
    ) -> Result<(BrowserLease, Option<String>), CallError> {
        let holder = Holder::new(format!("principal {principal}"));
        let wish = Request::any(holder, self.settings.lease_timeout).activity(tool.to_owned());
        let wish = match instance {
            Some(key) => wish.only(key),
            None => wish,
        };
        let lease = self.acquire(wish).await?;
        let replaced = self.note_plain_use(principal, &lease);
        let lost = replaced.then(|| {
            let instance = lease.name();
            format!("instance {instance} was used by somebody else or started anew since your last call there")
        });
        Ok((lease, lost))
    }

    /// Remembers the life in which a principal uses an instance. Says whether it knew a former one.
    fn note_plain_use(&self, principal: &Principal, lease: &BrowserLease) -> bool {
        let key = (principal.clone(), lease.name().id);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let former = left.insert(key, lease.generation());
        former.is_some_and(|former| former != lease.generation() || lease.is_blank())
    }

    fn explain(&self, error: PoolError) -> CallError {
        let pool = self.name().to_owned();
        match error {
            PoolError::UnknownInstance { key, known } => CallError::UnknownInstance {
                key,
                pool,
                known: known
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            },
            PoolError::NoHealthyInstances {
                wanted: None,
                last_failure,
                ..
            } => CallError::NoHealthyInstances {
                pool,
                is_default: self.settings.is_default,
                last_failure,
            },
            error @ PoolError::Timeout { .. } => CallError::LeaseTimeout { pool, error },
            error => CallError::Pool { pool, error },
        }
    }

    /// What a caller would wait for now, if it would have to.
    pub(crate) fn what_a_caller_waits_for(&self) -> Option<String> {
        let snapshot = self.pool.snapshot();
        let healthy = |status| status == Status::Healthy;
        if snapshot
            .instances
            .iter()
            .any(|i| healthy(i.status) && i.lease.is_none())
        {
            return None;
        }
        let name = self.name();
        if snapshot.instances.iter().any(|i| healthy(i.status)) {
            let waiting = snapshot.waiters.len();
            return Some(format!(
                "waiting for a browser of pool {name}, {waiting} before this call"
            ));
        }
        Some(format!(
            "waiting for the first browser of pool {name} to start"
        ))
    }

    /// How the holding policy hears of waiters.
    pub(crate) fn pressure(&self) -> Pressure {
        self.pool.pressure()
    }

    /// Resolves when a session of this pool has become idle.
    pub(crate) async fn session_idle(&self) {
        self.idle.notified().await;
    }

    /// Wakes the holding policy, if there is somebody whom an idle session could serve.
    pub(crate) fn note_idle_session(&self) {
        if !self.pool.waiters().is_empty() {
            self.idle.notify_one();
        }
    }

    /// Those whom no free instance can serve, and none that is being wiped for them: the wanted
    /// instance each, or any. One that starts does not count: nobody knows whether it will.
    pub(crate) fn unserved(&self) -> Vec<Option<InstanceId>> {
        let snapshot = self.pool.snapshot();
        let mut coming: Vec<InstanceId> = snapshot
            .instances
            .iter()
            .filter(|instance| instance.resetting)
            .map(|instance| instance.id)
            .collect();
        let mut unserved: Vec<_> = snapshot
            .waiters
            .iter()
            .map(|waiter| waiter.wanted)
            .collect();
        unserved.retain(|wanted| {
            let served = coming
                .iter()
                .position(|id| wanted.is_none_or(|wanted| wanted == *id));
            served
                .map(|position| coming.swap_remove(position))
                .is_none()
        });
        unserved
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.shared.close(self.stop_grace).await;
    }
}

fn instance_spec(settings: &InstanceSettings) -> InstanceSpec {
    let spec = InstanceSpec::new(settings.id.0)
        .health(Health {
            interval: settings.health_check_interval,
            timeout: settings.health_check_timeout,
            strikes: settings.health_strikes,
        })
        .restart(Restart {
            attempts: settings.max_restart_attempts,
            window: settings.restart_window,
            ..Restart::default()
        });
    match &settings.alias {
        Some(alias) => spec.alias(alias.as_str()),
        None => spec,
    }
}
