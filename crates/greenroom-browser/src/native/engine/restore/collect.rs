//! What a world keeps, as a storage state.

use serde::Deserialize;
use serde_json::Value;

use super::scratch::Scratch;
use super::state::{Cookie, Item, Origin, State};
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::error::CdpError;
use crate::native::page::ToolError;
use crate::native::protocol::page::GetNavigationHistory;
use crate::native::protocol::storage::GetCookies;

/// Gives the items of a storage.
const ITEMS: &str =
    "() => Object.keys(localStorage).map((name) => ({ name, value: localStorage.getItem(name) }))";

/// The cookies of a world, and the local storage of the sites that it has been at.
pub(crate) async fn collect(room: &Room, deadline: Deadline) -> Result<Value, ToolError> {
    let cookies = GetCookies {
        browser_context_id: room.context().cloned(),
    };
    let cookies = room.session().call_within(deadline.left(), cookies).await?;
    let state = State {
        cookies: cookies.cookies.into_iter().map(Cookie::from).collect(),
        origins: origins(room, deadline).await?,
    };
    serde_json::to_value(state).map_err(|error| {
        let (method, detail) = ("Storage.getCookies", error.to_string());
        CdpError::Malformed { method, detail }.into()
    })
}

/// All sites that the tabs of a world have been at, those that no answer has told of included.
pub(super) async fn note_history(room: &Room, deadline: Deadline) {
    for page in room.tabs().list() {
        let history = page
            .session()
            .call_within(deadline.left(), GetNavigationHistory {});
        // A tab that has crashed or closed has no history any more.
        let history = history.await.map(|history| history.entries);
        for entry in history.unwrap_or_default() {
            room.visited().note(&entry.url);
        }
    }
}

async fn origins(room: &Room, deadline: Deadline) -> Result<Vec<Origin>, ToolError> {
    note_history(room, deadline).await;
    let visited = room.visited().list();
    if visited.is_empty() {
        return Ok(Vec::new());
    }
    let scratch = Scratch::open(room, deadline).await?;
    let looking = async {
        let mut origins = Vec::new();
        for origin in visited {
            let local_storage = items(&scratch, &origin, deadline).await?;
            if !local_storage.is_empty() {
                let databases = Vec::new();
                origins.push(Origin {
                    origin,
                    local_storage,
                    databases,
                });
            }
        }
        Ok(origins)
    };
    let found = scratch.while_answering(looking).await;
    scratch.close(room, deadline).await?;
    found
}

async fn items(
    scratch: &Scratch,
    origin: &str,
    deadline: Deadline,
) -> Result<Vec<Item>, ToolError> {
    let looking = async {
        scratch.visit(origin, deadline).await?;
        scratch.tab.evaluate(ITEMS, deadline).await
    };
    let given = match looking.await {
        // The history also names sites that the browser has refused to go to, and that keep nothing.
        Err(ToolError::Argument(_) | ToolError::Threw { .. }) => return Ok(Vec::new()),
        given => given?,
    };
    let items = given.value.as_deref().map_or("[]", |value| value.get());
    Vec::deserialize(&mut serde_json::Deserializer::from_str(items)).map_err(|error| {
        let (method, detail) = ("Runtime.evaluate", error.to_string());
        CdpError::Malformed { method, detail }.into()
    })
}
