//! Reading and changing the books of a page, and waiting for what will be in them.

use std::future::Future;
use std::time::Duration;

use tokio::sync::oneshot;

use super::Page;
use super::books::Books;
use crate::native::deadline::Deadline;

/// How long a page that talks all the time is listened to.
const LISTENING: Duration = Duration::from_millis(500);

impl Page {
    /// Waits until all that the page had told when this was called is in the books, or until it has
    /// been listened to for long enough.
    pub(crate) async fn catch_up(&self, deadline: Deadline) {
        let (deadline, followers) = (deadline.at_most(LISTENING), self.followers().clone());
        for follower in followers {
            let (done, caught_up) = oneshot::channel();
            // One that has ended has heard all that there was.
            if let Some(Ok(())) = deadline.limit(follower.send(done)).await {
                let _ = deadline.limit(caught_up).await;
            }
        }
    }

    /// Looks at the books, again after each change, until there is what is wanted. `None` when the
    /// page closes before.
    pub(crate) fn until<T: Send>(
        &self,
        mut look: impl FnMut(&Books) -> Option<T> + Send,
    ) -> impl Future<Output = Option<T>> + Send {
        let mut news = self.0.news.subscribe();
        let page = self.clone();
        async move {
            loop {
                news.borrow_and_update();
                let (found, is_closed) = page.read(|books| (look(books), books.is_closed));
                if found.is_some() || is_closed {
                    return found;
                }
                if news.changed().await.is_err() {
                    return None;
                }
            }
        }
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Books) -> T) -> T {
        look(&self.books())
    }

    /// Changes the books and tells everybody who waits.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut Books) -> T) -> T {
        let changed = change(&mut self.books());
        self.0.news.send_replace(());
        changed
    }
}
