//! Fills a world with cookies and storage, as Playwright's `storageState` writes them, and gives
//! what a world keeps in the same form.

mod collect;
mod scratch;
mod state;
mod storage;

use crate::LaunchSpec;
use crate::call::EngineError;
use serde::Deserialize;
use serde_json::Value;

use super::Room;
use crate::native::deadline::Deadline;
use crate::native::page::ToolError;
use crate::native::protocol::storage::{ClearCookies, ClearDataForOrigin, SetCookies};

pub(crate) use collect::collect;
use state::{Cookie, State};

/// What a site keeps that a storage state stands for, or that could bring it back.
const KEPT: &str = "local_storage,indexeddb,service_workers,cache_storage,file_systems";

/// The state that fresh worlds begin with, if the configuration names one.
pub(super) async fn read(spec: &LaunchSpec) -> Result<Option<Value>, EngineError> {
    let Some(path) = &spec.storage_state else {
        return Ok(None);
    };
    let wrong = |why: String| EngineError::Missing {
        what: format!("the storage state {} ({why})", path.display()),
        fix: "write it as Playwright does, or take STORAGE_STATE away".to_owned(),
    };
    let text = tokio::fs::read(path)
        .await
        .map_err(|error| wrong(error.to_string()))?;
    let state = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    Ok(Some(state))
}

/// Fills a world.
pub(super) async fn restore(
    room: &Room,
    state: &Value,
    deadline: Deadline,
) -> Result<(), EngineError> {
    let restored = async { fill(room, parse(state)?, deadline).await };
    restored.await.map_err(|error| match error {
        ToolError::Browser(error) => error.into(),
        other => EngineError::Upstream {
            code: 0,
            message: other.to_string(),
            data: None,
        },
    })
}

/// Fills a world with this state in the place of what it keeps.
pub(crate) async fn replace(
    room: &Room,
    state: &Value,
    deadline: Deadline,
) -> Result<(), ToolError> {
    // Nothing is cleared for a state that cannot be read.
    let state = parse(state)?;
    clear(room, deadline).await?;
    fill(room, state, deadline).await
}

fn parse(state: &Value) -> Result<State, ToolError> {
    State::deserialize(state).map_err(|error| {
        ToolError::Argument(format!(
            "the storage state cannot be read ({error}); write it as Playwright does"
        ))
    })
}

async fn fill(room: &Room, state: State, deadline: Deadline) -> Result<(), ToolError> {
    for origin in &state.origins {
        room.visited().note(&origin.origin);
    }
    set_cookies(room, state.cookies, deadline).await?;
    storage::fill(room, state.origins, deadline).await
}

/// Removes the cookies of a world, and what the sites keep that it has been at.
async fn clear(room: &Room, deadline: Deadline) -> Result<(), ToolError> {
    let cookies = ClearCookies {
        browser_context_id: room.context().cloned(),
    };
    room.session().call_within(deadline.left(), cookies).await?;
    collect::note_history(room, deadline).await;
    let page = room.ensure_tab(deadline).await?;
    for origin in room.visited().list() {
        let clear = ClearDataForOrigin {
            origin,
            storage_types: KEPT.to_owned(),
        };
        page.session().call_within(deadline.left(), clear).await?;
    }
    Ok(())
}

async fn set_cookies(
    room: &Room,
    cookies: Vec<Cookie>,
    deadline: Deadline,
) -> Result<(), ToolError> {
    if cookies.is_empty() {
        return Ok(());
    }
    let set = SetCookies {
        cookies: cookies.into_iter().map(Cookie::into_param).collect(),
        browser_context_id: room.context().cloned(),
    };
    let set = room.session().call_within(deadline.left(), set).await;
    set.map(drop).map_err(|error| match error.refused_with("Invalid") {
        true => ToolError::Argument(
            "the browser does not take the cookies of the storage state; write them as Playwright does".to_owned(),
        ),
        false => error.into(),
    })
}
