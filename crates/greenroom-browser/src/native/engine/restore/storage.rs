//! The storage of origins.
//!
//! Only a page of an origin can write to its storage. So a tab of its own visits each of them, and
//! every request of it is answered here: nothing goes over the network.

use serde_json::{Value, json};

use super::super::Room;
use super::Origin;
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::fetch::{self, FulfillRequest, HeaderEntry, RequestPaused};
use crate::native::protocol::page::Navigate;

/// Fills the storage of origins.
pub(super) async fn fill(
    room: &Room,
    origins: Vec<Origin>,
    deadline: Deadline,
) -> Result<(), ToolError> {
    let origins = origins
        .into_iter()
        .filter(|origin| !origin.local_storage.is_empty());
    let origins: Vec<Origin> = origins.collect();
    if origins.is_empty() {
        return Ok(());
    }
    let before = room.tabs().current();
    let tab = room.new_tab(deadline).await?;
    let filled = visit_all(&tab, origins, deadline).await;
    if let Some(before) = before {
        room.tabs().select(before.target());
    }
    room.close_tab(&tab, deadline).await?;
    filled
}

async fn visit_all(tab: &Page, origins: Vec<Origin>, deadline: Deadline) -> Result<(), ToolError> {
    let answering = answer_all(tab.session().clone()).await?;
    let filling = async {
        for origin in origins {
            visit(tab, &origin.origin, deadline).await?;
            let items = origin.local_storage.iter();
            let items: Vec<_> = items.map(|item| json!([item.name, item.value])).collect();
            let code = format!(
                "() => {{ for (const [name, value] of {}) localStorage.setItem(name, value); }}",
                Value::Array(items)
            );
            tab.evaluate(&code, deadline).await?;
        }
        Ok(())
    };
    tokio::select! {
        filled = filling => filled,
        () = answering => Err(ToolError::PageClosed),
    }
}

async fn visit(tab: &Page, origin: &str, deadline: Deadline) -> Result<(), ToolError> {
    let refused = |why: &str| {
        ToolError::Argument(format!(
            "The storage of {origin} cannot be restored ({why}); check the origin."
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
    let navigated = tab.session().call_within(deadline.left(), navigate).await?;
    match navigated.error_text {
        Some(why) => Err(refused(&why)),
        None => Ok(()),
    }
}

/// Answers every request of a page with an empty document for as long as it is polled.
async fn answer_all(session: Session) -> Result<impl Future<Output = ()>, CdpError> {
    let mut events = session.events();
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
