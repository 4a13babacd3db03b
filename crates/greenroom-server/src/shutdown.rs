//! The two steps in which an edge ends: first it drains, then it is cut off.
//!
//! Whoever owns the signal also owns the deadline between the steps; an edge only listens.

use tokio_util::sync::CancellationToken;

/// A cloneable view of how far the end has come. Steps are never undone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    draining: CancellationToken,
    cancelled: CancellationToken,
}

impl Shutdown {
    /// Nothing has been asked for yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Take nothing new; what runs may finish.
    pub fn drain(&self) {
        self.draining.cancel();
    }

    /// Drop whatever still runs. Draining is implied.
    pub fn cancel(&self) {
        self.draining.cancel();
        self.cancelled.cancel();
    }

    /// Resolves once draining has begun.
    pub async fn draining(&self) {
        self.draining.cancelled().await;
    }

    /// Resolves once what still runs is to be dropped.
    pub async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }

    /// The token of the first step, for code that hands tokens on.
    #[must_use]
    pub fn drain_token(&self) -> &CancellationToken {
        &self.draining
    }

    /// The token of the second step, for code that hands tokens on.
    #[must_use]
    pub fn cancel_token(&self) -> &CancellationToken {
        &self.cancelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draining_does_not_cancel_but_cancelling_drains() {
        let shutdown = Shutdown::new();
        shutdown.drain();
        assert!(shutdown.drain_token().is_cancelled());
        assert!(!shutdown.cancel_token().is_cancelled());

        let abrupt = Shutdown::new();
        abrupt.cancel();
        assert!(abrupt.drain_token().is_cancelled());
        assert!(abrupt.cancel_token().is_cancelled());
    }
}
