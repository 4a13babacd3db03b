//! Whether an instance is well. Nothing here waits for calls that are under way.

use std::time::Duration;

use crate::call::{Death, EngineError};

use super::NativeInstance;
use crate::native::error::CdpError;
use crate::native::protocol::runtime::{Evaluate, TerminateExecution};

impl NativeInstance {
    /// Proves that the browser lives and answers.
    pub async fn probe(&self, deadline: Duration) -> Result<(), EngineError> {
        match self.browser() {
            Some(browser) => Ok(browser.probe(deadline).await?),
            None => Ok(()),
        }
    }

    /// Proves that the page answers. One that shows a dialog waits for its holder, not for us.
    pub async fn page_answers(&self, deadline: Duration) -> Result<(), EngineError> {
        let page = self.room_of_now().and_then(|room| room.tabs().current());
        let Some(page) = page.filter(|page| page.modal().is_none()) else {
            return self.probe(deadline).await;
        };
        let one = || Evaluate::value_of("1");
        let mut answered = page.session().call_within(deadline / 2, one()).await;
        if matches!(answered, Err(CdpError::Timeout { .. })) {
            // A script that never ends is stopped: the page that runs it need not be lost.
            let stop = TerminateExecution {};
            let _ = page.session().call_within(deadline / 4, stop).await;
            answered = page.session().call_within(deadline / 4, one()).await;
        }
        match answered {
            Err(error) if error.is_page_gone() => self.probe(deadline).await,
            answered => answered.map(drop).map_err(EngineError::from),
        }
    }

    /// Resolves when the browser of its world has ended, and tells how. A reset may lead to a
    /// world in another browser, whose end it is then.
    pub async fn ended(&self) -> Death {
        let mut rooms = self.room.subscribe();
        loop {
            rooms.borrow_and_update();
            let browser = self.browser();
            let ended = async {
                match browser {
                    Some(browser) => browser.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                death = ended => return (*death).clone(),
                // The sender lives in self.
                _ = rooms.changed() => {}
            }
        }
    }
}
