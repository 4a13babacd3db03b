use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use greenroom_browser::native::{Fleet, FleetOptions};
use greenroom_browser::{Host, LaunchSpec};

/// How many blank worlds are kept ready beside those that are instances: a reset takes one of them
/// and need not wait for a new one.
const SPARE_WORLDS: usize = 2;

/// The browsers that instances of one pool share.
///
/// Instances that are started alike share them; one whose settings differ from the others' has
/// browsers of its own kind.
#[derive(Debug)]
pub(super) struct SharedBrowsers {
    label: String,
    host: Host,
    contexts_per_browser: usize,
    kinds: Mutex<Vec<(LaunchSpec, Fleet)>>,
}

impl SharedBrowsers {
    pub(super) fn new(label: &str, host: Host, contexts_per_browser: usize) -> Self {
        Self {
            label: label.to_owned(),
            host,
            contexts_per_browser,
            kinds: Mutex::default(),
        }
    }

    /// The browsers for instances that are started so. Must be called within a runtime.
    pub(super) fn started_with(&self, spec: &LaunchSpec) -> Fleet {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, fleet)) = kinds.iter().find(|(other, _)| other == spec) {
            return fleet.clone();
        }
        let options = FleetOptions {
            label: self.label.clone(),
            spec: spec.clone(),
            contexts_per_browser: self.contexts_per_browser,
            warm: SPARE_WORLDS,
        };
        let fleet = Fleet::new(options, self.host.clone());
        kinds.push((spec.clone(), fleet.clone()));
        fleet
    }

    /// Ends all browsers, after their instances.
    pub(super) async fn close(&self, grace: Duration) {
        let kinds = std::mem::take(&mut *self.kinds.lock().unwrap_or_else(PoisonError::into_inner));
        let closing = kinds.iter().map(|(_, fleet)| fleet.close(grace));
        for closed in futures::future::join_all(closing).await {
            if let Err(error) = closed {
                tracing::error!(%error, pool = self.label, "a shared browser could not be ended");
            }
        }
    }
}
