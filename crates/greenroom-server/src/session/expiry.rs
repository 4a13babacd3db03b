//! When sessions of earlier runs are over.
//!
//! Those that are in use end with their pool's watch (`holding`). The others are only rows: they are
//! looked at now and then, because nothing waits for their end.

use std::sync::Weak;
use std::time::Duration;

use super::registry::Registry;

const BETWEEN_LOOKS: Duration = Duration::from_secs(600);

/// Ends what nobody has taken up for `ttl`, at once and then every while, until the registry is gone.
pub(crate) async fn watch(registry: Weak<Registry>, ttl: Duration) {
    while let Some(sessions) = registry.upgrade() {
        sessions.expire_dormant(ttl).await;
        drop(sessions);
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}
