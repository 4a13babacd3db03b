//! Settings of one pool.

use std::path::PathBuf;
use std::time::Duration;

use crate::scope::{InstanceId, PoolName};
use crate::settings::instance::InstanceSettings;
use crate::settings::profile;
use crate::values::choices::Sticky;

/// One pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolSettings {
    /// Its name.
    pub name: PoolName,
    /// What it is for; empty when nobody said.
    pub description: String,
    /// Whether calls that name no pool go here.
    pub is_default: bool,
    /// The instances that are started at once, by id from 0.
    pub instances: Vec<InstanceSettings>,
    /// Free, warm instances to keep ready.
    pub min_idle: usize,
    /// Most instances, those above included.
    pub max_instances: usize,
    /// Worlds in one shared Chromium before another is started.
    pub contexts_per_browser: usize,
    /// What a caller without a session id gets.
    pub sticky: Sticky,
    /// Longest wait for a lease.
    pub lease_timeout: Duration,
    /// Waiters beyond this are refused at once.
    pub max_queue: usize,
    /// An idle session is not parked for a waiter before this.
    pub min_hold: Duration,
    /// A surplus free instance is stopped after this.
    pub idle_timeout: Duration,
    /// What an instance without settings of its own is like.
    pub(crate) template: InstanceSettings,
    /// The parent of the profile directories of such instances.
    pub(crate) profiles: PathBuf,
}

impl PoolSettings {
    /// Settings of the instance `id`: its own if it has any, otherwise those
    /// that the pool gives to every instance it adds while it runs.
    #[must_use]
    pub fn instance(&self, id: InstanceId) -> InstanceSettings {
        let own = self.instances.iter().find(|instance| instance.id == id);
        own.cloned().unwrap_or_else(|| self.added(id))
    }

    fn added(&self, id: InstanceId) -> InstanceSettings {
        let persistent = !self.template.isolated;
        InstanceSettings {
            id,
            profile_dir: persistent.then(|| profile::below(&self.profiles, &self.name, id)),
            ..self.template.clone()
        }
    }
}
