//! What all worlds of a pool have in common.

use std::time::Duration;

use crate::{LaunchSpec, ViewportSize};

/// What pages measure where nobody sees them, unless configured otherwise.
const HEADLESS_VIEWPORT: ViewportSize = ViewportSize {
    width: 1280,
    height: 720,
};

/// What a world is to be.
#[derive(Debug, Clone)]
pub struct WorldSettings {
    /// The size of its pages; none lets the window decide.
    pub viewport: Option<ViewportSize>,
    /// The proxy for everything that it loads.
    pub proxy_server: Option<String>,
    /// Whether its pages are in no window that a person could reach with a mouse.
    pub is_unseen: bool,
    /// How long a command of its pages may take unless the command says otherwise.
    pub patience: Duration,
}

impl WorldSettings {
    /// What the instances of a pool are to be.
    pub fn of(spec: &LaunchSpec) -> Self {
        let default = spec.headless.then_some(HEADLESS_VIEWPORT);
        Self {
            viewport: spec.viewport.or(default),
            proxy_server: spec.proxy_server.clone(),
            is_unseen: spec.headless,
            patience: spec.timeout,
        }
    }
}
