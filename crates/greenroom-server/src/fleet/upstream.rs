//! What upstreams say about their tools, held against our catalogue.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::tools::drift;
use crate::tools::extra::ExtraTools;

/// The tools that some upstream serves beyond the catalogue, and what was already said about
/// differences: every instance of a pool says the same.
#[derive(Debug, Default)]
pub(crate) struct UpstreamTools {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    extras: Arc<ExtraTools>,
    reported: BTreeSet<String>,
}

impl UpstreamTools {
    /// Reports every difference by name, once, and offers what the upstream has beyond the
    /// catalogue. A tool whose schema is broken is left out alone.
    pub(super) fn compare(&self, label: &str, tools: &[Value]) {
        let drift = drift::compare(tools);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if drift.is_empty() || !known.reported.insert(drift.to_string()) {
            return;
        }
        tracing::warn!(
            instance = label,
            "the upstream's tools are not those of the pinned version: {drift}"
        );
        let extras = ExtraTools::of_upstream(tools);
        if extras.iter().next().is_some() {
            known.extras = Arc::new(extras);
        }
    }

    /// The tools beyond the catalogue.
    pub(crate) fn extras(&self) -> Arc<ExtraTools> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extras.clone()
    }
}
