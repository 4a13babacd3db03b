//! Opens the conversation with an upstream of either era, and learns its tools.
//!
//! `initialize` is asked first, because that is what the pinned upstream speaks. A peer of the
//! stateless era may refuse it with any code, or say nothing at all; so any refusal leads to
//! `server/discover` at once, and silence leads to it half-way to the deadline, while the first
//! question stays open: a slow starter of the old era is not turned away for being slow.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Client;
use super::era::{Era, OFFERED, STATELESS, WITH_SESSIONS, client_info};
use crate::call::{EngineError, Stage};
use crate::json::decode;

/// More pages of tools than any sane peer has; a peer that never ends its list must not hang us.
const MOST_PAGES: usize = 64;

/// What a peer said about itself.
#[derive(Debug, Clone)]
pub struct Handshake {
    /// How it wants to be spoken to.
    pub era: Era,
    /// Its name.
    pub server_name: String,
    /// Its version.
    pub server_version: String,
    /// Its tools as it describes them, every field kept.
    pub tools: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialized {
    protocol_version: String,
    #[serde(default)]
    server_info: ServerInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Discovered {
    supported_versions: Vec<String>,
    #[serde(rename = "_meta", default)]
    meta: DiscoveredMeta,
}

#[derive(Deserialize, Default)]
struct DiscoveredMeta {
    #[serde(rename = "io.modelcontextprotocol/serverInfo", default)]
    server_info: ServerInfo,
}

#[derive(Deserialize, Default)]
struct ServerInfo {
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolPage {
    tools: Vec<Value>,
    #[serde(default)]
    next_cursor: Option<String>,
}

/// Opens the conversation and lists the tools, all within `deadline`.
pub async fn shake_hands(client: &Client, deadline: Duration) -> Result<Handshake, EngineError> {
    let end = Instant::now() + deadline;
    let work = async {
        let (era, server) = agree(client, deadline / 2, end).await?;
        let tools = list_tools(client, &era, end).await?;
        Ok(Handshake {
            era,
            server_name: server.name,
            server_version: server.version,
            tools,
        })
    };
    work.await.map_err(|error| starting(error, deadline))
}

/// Finds out which era the peer speaks.
async fn agree(
    client: &Client,
    patience: Duration,
    end: Instant,
) -> Result<(Era, ServerInfo), EngineError> {
    let initialize = initialize(client, end);
    tokio::pin!(initialize);
    let refusal = tokio::select! {
        biased;
        outcome = &mut initialize => Some(outcome),
        () = tokio::time::sleep(patience) => None,
    };
    match refusal {
        Some(Ok(agreed)) => Ok(agreed),
        Some(Err(error)) if ends_it(&error) => Err(error),
        Some(Err(error)) => discover(client, end)
            .await
            .map_err(|second| neither(&error, &second)),
        None => first_to_agree(initialize, discover(client, end)).await,
    }
}

/// Waits for whichever agrees; gives up when both have refused.
async fn first_to_agree<T>(
    initialize: impl Future<Output = Result<T, EngineError>>,
    discover: impl Future<Output = Result<T, EngineError>>,
) -> Result<T, EngineError> {
    tokio::pin!(initialize, discover);
    tokio::select! {
        first = &mut initialize => match first {
            Err(error) if !ends_it(&error) => discover.await.map_err(|second| neither(&error, &second)),
            settled => settled,
        },
        second = &mut discover => match second {
            Err(error) if !ends_it(&error) => initialize.await.map_err(|first| neither(&first, &error)),
            settled => settled,
        },
    }
}

async fn initialize(client: &Client, end: Instant) -> Result<(Era, ServerInfo), EngineError> {
    let params = json!({
        "protocolVersion": OFFERED, "capabilities": {}, "clientInfo": client_info(),
    });
    let answer: Initialized = ask(client, "initialize", &params, end).await?;
    let revision = answer.protocol_version;
    if !WITH_SESSIONS.contains(&revision.as_str()) {
        return Err(EngineError::Protocol {
            detail: format!(
                "it speaks MCP {revision}, Greenroom {} to {OFFERED}",
                WITH_SESSIONS[0]
            ),
        });
    }
    client.notify("notifications/initialized", None);
    Ok((Era::Session(revision), answer.server_info))
}

async fn discover(client: &Client, end: Instant) -> Result<(Era, ServerInfo), EngineError> {
    let era = Era::Stateless(STATELESS.to_owned());
    let params = era.dress(json!({}));
    let answer: Discovered = ask(client, "server/discover", &params, end).await?;
    if !answer
        .supported_versions
        .iter()
        .any(|version| version == STATELESS)
    {
        let offered = answer.supported_versions.join(", ");
        return Err(EngineError::Protocol {
            detail: format!("it speaks MCP {offered}, Greenroom {STATELESS}"),
        });
    }
    Ok((era, answer.meta.server_info))
}

async fn list_tools(client: &Client, era: &Era, end: Instant) -> Result<Vec<Value>, EngineError> {
    let mut tools = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let params = cursor
            .as_ref()
            .map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let page: ToolPage = ask(client, "tools/list", &era.dress(params), end).await?;
        tools.extend(page.tools);
        match page.next_cursor {
            Some(next) if cursor.as_ref() != Some(&next) => cursor = Some(next),
            _ => return Ok(tools),
        }
    }
    Err(EngineError::Protocol {
        detail: format!("its list of tools did not end after {MOST_PAGES} pages"),
    })
}

async fn ask<T: DeserializeOwned>(
    client: &Client,
    method: &str,
    params: &Value,
    end: Instant,
) -> Result<T, EngineError> {
    let left = end.saturating_duration_since(Instant::now());
    let answer = client.call(method, params, left).await?;
    understand(method, &answer)
}

fn understand<T: DeserializeOwned>(method: &str, answer: &Bytes) -> Result<T, EngineError> {
    let text = String::from_utf8_lossy(answer);
    decode(text.as_bytes()).map_err(|error| EngineError::Protocol {
        detail: format!("its answer to {method} cannot be understood ({error})"),
    })
}

/// Whether there is nobody left to ask.
fn ends_it(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Died { .. } | EngineError::Timeout { .. }
    )
}

fn neither(initialize: &EngineError, discover: &EngineError) -> EngineError {
    match discover {
        gone if ends_it(gone) => gone.clone(),
        _ => EngineError::Protocol {
            detail: format!(
                "it agrees neither to initialize with MCP {OFFERED} ({initialize}) nor to \
                 server/discover with MCP {STATELESS} ({discover})"
            ),
        },
    }
}

/// While a peer starts, a deadline is a failed start, whatever was being waited for.
fn starting(error: EngineError, after: Duration) -> EngineError {
    match error {
        EngineError::Timeout { what, .. } => EngineError::Timeout {
            what,
            stage: Stage::Starting,
            after,
        },
        other => other,
    }
}
