//! Fills a world with cookies and storage, as Playwright's `storageState` writes them.

mod storage;

use crate::LaunchSpec;
use crate::call::EngineError;
use serde::Deserialize;
use serde_json::Value;

use super::Room;
use crate::native::deadline::Deadline;
use crate::native::page::ToolError;
use crate::native::protocol::network::{CookieParam, SameSite};
use crate::native::protocol::storage::SetCookies;

/// A storage state.
#[derive(Debug, Deserialize)]
struct State {
    #[serde(default)]
    cookies: Vec<Cookie>,
    #[serde(default)]
    origins: Vec<Origin>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cookie {
    name: String,
    value: String,
    domain: Option<String>,
    path: Option<String>,
    url: Option<String>,
    expires: Option<f64>,
    http_only: Option<bool>,
    secure: Option<bool>,
    same_site: Option<SameSite>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Origin {
    origin: String,
    #[serde(default)]
    local_storage: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    name: String,
    value: String,
}

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
    let state: State = State::deserialize(state).map_err(|error| EngineError::Upstream {
        code: 0,
        message: format!("the storage state cannot be read ({error}); write it as Playwright does"),
        data: None,
    })?;
    let restored = async {
        set_cookies(room, state.cookies, deadline).await?;
        storage::fill(room, state.origins, deadline).await
    };
    restored.await.map_err(|error| match error {
        ToolError::Browser(error) => error.into(),
        other => EngineError::Upstream {
            code: 0,
            message: other.to_string(),
            data: None,
        },
    })
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
        cookies: cookies.into_iter().map(param).collect(),
        browser_context_id: room.context().cloned(),
    };
    room.session().call_within(deadline.left(), set).await?;
    Ok(())
}

fn param(cookie: Cookie) -> CookieParam {
    CookieParam {
        name: cookie.name,
        value: cookie.value,
        url: cookie.url,
        domain: cookie.domain,
        path: cookie.path,
        secure: cookie.secure,
        http_only: cookie.http_only,
        same_site: cookie.same_site,
        // A cookie of the session has −1 here and nothing there.
        expires: cookie.expires.filter(|expires| *expires >= 0.0),
        partition_key: None,
    }
}
