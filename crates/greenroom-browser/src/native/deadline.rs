//! The moment by which something must be done.
//!
//! A tool takes several commands, and all of them together have one deadline: so it is kept as a
//! point in time, of which each command gets what is left.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// A point in time, and how long it was away when it was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    end: Instant,
    whole: Duration,
}

impl Deadline {
    /// So long from now.
    pub fn after(whole: Duration) -> Self {
        let end = Instant::now() + whole;
        Self { end, whole }
    }

    /// What is left of it.
    pub fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// How long it was in all.
    pub fn whole(self) -> Duration {
        self.whole
    }

    /// Whether nothing is left of it.
    pub fn has_passed(self) -> bool {
        self.left().is_zero()
    }

    /// The sooner of this and so long from now.
    #[must_use]
    pub fn at_most(self, patience: Duration) -> Self {
        if self.left() <= patience {
            self
        } else {
            Self::after(patience)
        }
    }

    /// What a future gives, or `None` when the deadline passes before.
    pub async fn limit<F: Future>(self, future: F) -> Option<F::Output> {
        timeout_at(self.end, future).await.ok()
    }
}

impl From<Duration> for Deadline {
    fn from(whole: Duration) -> Self {
        Self::after(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_left_shrinks_and_a_sooner_end_never_becomes_later() {
        let deadline = Deadline::after(Duration::from_secs(10));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(deadline.left(), Duration::from_secs(6));
        let sooner = deadline.at_most(Duration::from_secs(1));
        assert_eq!(sooner.left(), Duration::from_secs(1));
        assert_eq!(deadline.at_most(Duration::from_secs(60)), deadline);
        tokio::time::advance(Duration::from_secs(7)).await;
        assert!(deadline.has_passed());
        assert_eq!(deadline.limit(std::future::pending::<()>()).await, None);
    }
}
