//! A tab beside the agent's own, in which sites are visited for what they keep.
//!
//! Only a page of an origin can reach its storage. So the tab visits each of them, and every
//! request of it is answered here: nothing goes over the network, and no script of a site runs.

use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::error::CdpError;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::fetch::{self, FulfillRequest, HeaderEntry, RequestPaused};
use crate::native::protocol::network::SetBypassServiceWorker;
use crate::native::protocol::page::Navigate;

/// A tab for visits. It must be closed.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) tab: Page,
    /// The tab that was current before.
    before: Option<Page>,
}

impl Scratch {
    pub(super) async fn open(room: &Room, deadline: Deadline) -> Result<Self, ToolError> {
        let before = room.tabs().current();
        let tab = room.new_tab(deadline).await?;
        Ok(Self { tab, before })
    }

    pub(super) async fn close(self, room: &Room, deadline: Deadline) -> Result<(), ToolError> {
        if let Some(before) = self.before {
            room.tabs().select(before.target());
        }
        room.close_tab(&self.tab, deadline).await
    }

    /// Does something that visits sites, and answers for them meanwhile.
    pub(super) async fn while_answering<T>(
        &self,
        visits: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        let answering = answer_all(self.tab.session().clone()).await?;
        tokio::select! {
            done = visits => done,
            () = answering => Err(ToolError::PageClosed),
        }
    }

    /// Goes to a site.
    pub(super) async fn visit(&self, origin: &str, deadline: Deadline) -> Result<(), ToolError> {
        let refused = |why: &str| {
            ToolError::Argument(format!(
                "The storage of {origin} cannot be reached ({why}); check the origin."
            ))
        };
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(refused("it is not a web address"));
        }
        let url = format!("{}/", origin.trim_end_matches('/'));
        let navigate = Navigate {
            url,
            ..Navigate::default()
        };
        let session = self.tab.session();
        let navigated = session.call_within(deadline.left(), navigate).await?;
        match navigated.error_text {
            Some(why) => Err(refused(&why)),
            None => Ok(()),
        }
    }
}

/// Answers every request of a page with an empty document for as long as it is polled.
async fn answer_all(session: Session) -> Result<impl Future<Output = ()>, CdpError> {
    let mut events = session.events();
    // A site's worker would answer in our place.
    session
        .call(SetBypassServiceWorker { bypass: true })
        .await?;
    session.call(fetch::Enable::default()).await?;
    Ok(async move {
        while let Some(id) = events.find(|e: RequestPaused| Some(e.request_id)).await {
            let blank = FulfillRequest {
                request_id: id,
                response_code: 200,
                response_headers: Some(vec![HeaderEntry {
                    name: "Content-Type".to_owned(),
                    value: "text/html".to_owned(),
                }]),
                body: None,
            };
            // A request that was given up needs no answer.
            let _ = session.call(blank).await;
        }
    })
}
