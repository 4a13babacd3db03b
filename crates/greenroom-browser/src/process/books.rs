//! How many trees live, and whether all of them are to end.

use std::time::Duration;

use tokio::sync::watch;

#[derive(Debug, Clone, Copy, Default)]
struct State {
    live: usize,
    /// Set when everything is to end, with the grace that each tree has.
    closing: Option<Duration>,
}

/// The books of a supervisor.
#[derive(Debug, Default)]
pub(super) struct Books(watch::Sender<State>);

impl Books {
    /// Enters one more tree, unless everything is ending.
    pub(super) fn enter(&self) -> Option<Live> {
        let entered = self.0.send_if_modified(|state| {
            let open = state.closing.is_none();
            state.live += usize::from(open);
            open
        });
        entered.then(|| Live {
            books: self.0.clone(),
            told: false,
        })
    }

    /// Tells every tree to end and waits until all have.
    pub(super) async fn close(&self, grace: Duration) {
        self.0.send_modify(|state| {
            // Whoever has less patience wins.
            state.closing = Some(state.closing.map_or(grace, |earlier| earlier.min(grace)));
        });
        // The sender is ours, so the channel cannot be closed.
        let _ = self.0.subscribe().wait_for(|state| state.live == 0).await;
    }

    /// How many trees live.
    pub(super) fn live(&self) -> usize {
        self.0.borrow().live
    }
}

/// The entry of one living tree.
#[derive(Debug)]
pub(super) struct Live {
    books: watch::Sender<State>,
    told: bool,
}

impl Live {
    /// Resolves once, when everything is to end, with the grace for it.
    pub(super) async fn closing(&mut self) -> Duration {
        if self.told {
            return std::future::pending().await;
        }
        let mut watch = self.books.subscribe();
        let grace = match watch.wait_for(|state| state.closing.is_some()).await {
            Ok(state) => state.closing,
            Err(_) => None,
        };
        self.told = true;
        grace.unwrap_or_default()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.books.send_modify(|state| state.live -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn closing_tells_each_tree_once_and_waits_for_the_last_one() {
        let books = Books::default();
        let mut first = books.enter().unwrap();
        let second = books.enter().unwrap();
        let grace = Duration::from_secs(3);
        let follow = async {
            assert_eq!(first.closing().await, grace);
            assert!(futures_pending(first.closing()).await);
            assert_eq!(books.live(), 2);
            drop(first);
            drop(second);
        };
        tokio::join!(books.close(grace), follow);
        assert_eq!(books.live(), 0);
        assert!(books.enter().is_none());
    }

    /// Whether a future is not ready at its first poll.
    async fn futures_pending(future: impl Future) -> bool {
        tokio::select! {
            biased;
            _ = future => false,
            () = std::future::ready(()) => true,
        }
    }
}
