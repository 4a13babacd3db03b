//! A gate: calls wait before it until the test opens it.

use tokio::sync::watch;

/// Closed at first; once opened it stays open. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate {
    open: watch::Sender<bool>,
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self {
            open: watch::Sender::new(false),
        }
    }

    /// Lets everybody through.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Resolves when the gate is open.
    pub async fn passed(&self) {
        // This handle owns a sender, so waiting cannot fail.
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}
