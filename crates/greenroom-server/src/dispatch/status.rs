//! The state of the pools as data: `browser_pool_status`, `GET /pools`, `greenroom status`.
//!
//! Every count is taken from the instances of one snapshot, so that they always add up.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use greenroom_pool::{InstanceView, Status};
use serde_json::{Value, json};

use super::{CallError, Dispatcher};
use crate::fleet::{Browser, BrowserPool};
use crate::identity::Principal;
use crate::session::Session;

impl Dispatcher {
    pub(super) fn pool_status(
        &self,
        principal: &Principal,
        name: Option<&str>,
    ) -> Result<Value, CallError> {
        let chosen = match name {
            Some(name) => vec![self.fleet().pool(Some(name))?],
            None => self.fleet().pools().collect(),
        };
        let own = self.sessions().of(principal);
        let pools: Vec<Value> = chosen
            .iter()
            .map(|pool| describe_pool(pool, &own))
            .collect();
        let sum =
            |field: &str| -> u64 { pools.iter().filter_map(|pool| pool[field].as_u64()).sum() };
        let summary = json!({
            "total_pools": pools.len(),
            "total_instances": sum("total_instances"),
            "healthy_instances": sum("healthy_instances"),
            "failed_instances": sum("failed_instances"),
            "leased_instances": sum("leased_instances"),
            "available_instances": sum("available_instances"),
        });
        Ok(json!({"pools": pools, "summary": summary}))
    }
}

fn describe_pool(pool: &BrowserPool, own: &[Arc<Session>]) -> Value {
    let snapshot = pool.snapshot();
    let count = |wanted: &dyn Fn(&InstanceView<Browser>) -> bool| {
        snapshot
            .instances
            .iter()
            .filter(|instance| wanted(instance))
            .count()
    };
    let healthy = |instance: &InstanceView<Browser>| instance.status == Status::Healthy;
    let instances: Vec<Value> = snapshot
        .instances
        .iter()
        .map(|instance| describe_instance(pool, instance, own))
        .collect();
    json!({
        "name": pool.name(),
        "description": pool.settings().description,
        "is_default": pool.settings().is_default,
        "total_instances": instances.len(),
        "healthy_instances": count(&healthy),
        "failed_instances": count(&|instance| instance.status == Status::Failed),
        "leased_instances": count(&|instance| instance.lease.is_some()),
        "available_instances": count(&InstanceView::is_available),
        "waiters": snapshot.waiters.len(),
        "instances": instances,
    })
}

fn describe_instance(
    pool: &BrowserPool,
    instance: &InstanceView<Browser>,
    own: &[Arc<Session>],
) -> Value {
    let settings = pool.instance_settings(instance.id);
    let lease = instance.lease.as_ref();
    // Whose session holds it is for its owner only; that it is held is for everybody.
    let session = lease.and_then(|lease| {
        own.iter()
            .find(|session| session.is_holder(&lease.holder))
            .map(|session| session.id().as_str())
    });
    let check = instance.last_check.as_ref();
    let failure = instance.last_failure.as_ref();
    let error = check.and_then(|check| check.error.as_deref()).or_else(|| {
        let failure = failure.map(|failure| &*failure.reason);
        failure.filter(|_| instance.status == Status::Failed)
    });
    json!({
        "id": instance.id.to_string(),
        "alias": instance.alias.as_deref(),
        "status": match instance.status {
            Status::Starting => "starting",
            Status::Healthy => "healthy",
            Status::Failed => "failed",
        },
        "leased": lease.is_some(),
        "lease_duration_ms": lease.map(|lease| as_ms(lease.held_for)),
        "lease_started_at": lease.map(|lease| ago(lease.held_for)),
        "browser": settings.browser.as_str(),
        "headless": settings.headless,
        "process_id": instance.live.as_ref().and_then(|live| process_of(live)),
        "health_check": {
            "last_check": check.map(|check| ago(check.at.elapsed())),
            "responsive": instance.status == Status::Healthy && error.is_none(),
            "error": error,
        },
        "engine": settings.engine().as_str(),
        "sandbox": pool.is_sandboxed(&settings),
        "in_call": lease.is_some_and(|lease| lease.activity.is_some()),
        "activity": lease.and_then(|lease| lease.activity.as_deref()),
        "session_id": session,
        "restarts": instance.restarts,
        "last_failure": failure.map(|failure| json!({
            "at": ago(failure.at.elapsed()),
            "reason": &*failure.reason,
        })),
    })
}

/// The process of an instance, if it runs on this machine.
fn process_of(browser: &Browser) -> Option<i32> {
    let pid = browser.engine().pid();
    (pid > 0).then_some(pid)
}

fn as_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The wall-clock moment that long ago. Spans are measured on the monotonic clock; only what people
/// read is a date.
fn ago(elapsed: Duration) -> String {
    let at = SystemTime::now()
        .checked_sub(elapsed)
        .unwrap_or(SystemTime::UNIX_EPOCH);
    humantime::format_rfc3339_millis(at).to_string()
}
