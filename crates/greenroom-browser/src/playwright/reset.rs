//! The reset between two holders.
//!
//! Nothing is cleaned up piece by piece, for one piece would be forgotten: the browser is ended,
//! and what lives in it ends with it. An isolated world is gone then, whatever dialogs it had
//! open; a profile on disk is closed and belongs to the instance. That it is so is proved by the
//! calls and by the processes: none that was given up may still be at work, for it could start a
//! browser again, and none may be left below the upstream.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::PlaywrightInstance;
use super::calling::first_text;
use super::instance::left;
use super::programs::{ended, programs_of};
use crate::call::EngineError;

/// A browser closes in a tenth of a second. One that needs longer than this has a page that never
/// yields, and will not close at all.
const CLOSE_DEADLINE: Duration = Duration::from_secs(5);

/// How long calls that were given up may take to notice that their browser is gone. One that only
/// sleeps in the upstream does not notice.
const SETTLE_DEADLINE: Duration = Duration::from_secs(2);

impl PlaywrightInstance {
    /// Leaves nothing of this holder's world to the next.
    pub async fn reset(&self, deadline: Duration) -> Result<(), EngineError> {
        let end = Instant::now() + deadline;
        let closed = self.close_browser(deadline.min(CLOSE_DEADLINE)).await?;
        if closed.is_error {
            return Err(failed(&first_text(&closed)));
        }
        let patience = left(end).min(SETTLE_DEADLINE);
        if timeout(patience, self.client.settled()).await.is_err() {
            return Err(failed(&"a call that was given up is still at work"));
        }
        match timeout(left(end), self.browser_is_gone()).await {
            Ok(gone) => gone?,
            Err(_) => return Err(failed(&"its browser has not ended")),
        }
        let output = self.output.clone();
        let cleared = tokio::task::spawn_blocking(move || output.clear()).await;
        cleared
            .map_err(|error| failed(&error))?
            .map_err(|error| failed(&error))?;
        if self.warm {
            self.warm_up(left(end)).await?;
        }
        Ok(())
    }

    async fn browser_is_gone(&self) -> Result<(), EngineError> {
        let programs = programs_of(self.pid()).await;
        for program in programs.map_err(|error| failed(&error))? {
            ended(program).await.map_err(|error| failed(&error))?;
        }
        Ok(())
    }
}

fn failed(detail: &impl ToString) -> EngineError {
    let detail = detail.to_string();
    EngineError::ResetFailed { detail }
}
