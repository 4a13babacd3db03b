//! Who makes a request, told from the request itself.
//!
//! rmcp builds a handler once per legacy session but once per request in the new era, so the
//! handler's own life says nothing. What does: a byte stream is one connection in either era; an
//! HTTP request that carries `Mcp-Session-Id` belongs to that legacy session; any other HTTP
//! request stands alone. [`Endpoint`](super::Endpoint) takes the header off requests of the new
//! era, which has no sessions.

use std::sync::Arc;

use ::http::{HeaderMap, request::Parts};
use rmcp::{ErrorData, RoleServer, service::RequestContext};

use super::connection::Connection;
use super::sessions::Sessions;
use crate::identity::{Caller, Principal};

/// The header that names a legacy session.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";

/// Where a handler's requests come from.
#[derive(Clone)]
pub(crate) enum Origin {
    /// One byte stream, one caller.
    Stream(Arc<Connection>),
    /// HTTP: each request says who it is.
    Http(Arc<Sessions>),
}

/// The caller of one request, kept alive while the request runs.
pub(crate) struct Identity {
    pub(crate) caller: Caller,
    connection: Option<Arc<Connection>>,
}

impl Identity {
    /// Resolves when the caller's connection ends; never for a request that stands alone, whose
    /// end is its own cancellation.
    pub(crate) async fn ended(&self) {
        match &self.connection {
            Some(connection) => connection.ended().await,
            None => std::future::pending().await,
        }
    }

    fn connected(connection: Arc<Connection>) -> Self {
        Self {
            caller: connection.caller(),
            connection: Some(connection),
        }
    }
}

impl Origin {
    /// Tells the caller of the request in `context`.
    pub(crate) fn identify(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<Identity, ErrorData> {
        let sessions = match self {
            Self::Stream(connection) => return Ok(Identity::connected(connection.clone())),
            Self::Http(sessions) => sessions,
        };
        let parts = context.extensions.get::<Parts>();
        let principal = parts.and_then(|parts| parts.extensions.get::<Principal>());
        let (Some(parts), Some(principal)) = (parts, principal) else {
            return Err(ErrorData::internal_error(
                "the request has no principal",
                None,
            ));
        };
        let Some(id) = session_id(&parts.headers) else {
            let caller = Caller {
                principal: principal.clone(),
                connection: None,
            };
            return Ok(Identity {
                caller,
                connection: None,
            });
        };
        sessions
            .find(id, principal)
            .map(Identity::connected)
            .ok_or_else(|| ErrorData::invalid_request("the session has ended", None))
    }
}

/// The legacy session that a request names, read as rmcp reads it.
pub(crate) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION_HEADER)?.to_str().ok()
}
