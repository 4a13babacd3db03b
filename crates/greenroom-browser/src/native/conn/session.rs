//! One target of the browser, as its users hold it.

use std::time::Duration;

use super::sessions::Events;
use super::{Connection, SessionId};
use crate::json;
use crate::native::error::CdpError;
use crate::native::protocol::Command;

/// A page, a frame of another site, a worker, or the browser itself. Clones are the same session.
#[derive(Debug, Clone)]
pub struct Session {
    connection: Connection,
    id: Option<SessionId>,
    patience: Duration,
}

impl Session {
    pub(super) fn new(connection: Connection, id: Option<SessionId>, patience: Duration) -> Self {
        Self {
            connection,
            id,
            patience,
        }
    }

    /// Its name on the connection; the browser has none.
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_ref()
    }

    /// The connection that it is on.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The same session with another deadline for its commands.
    #[must_use]
    pub fn with_patience(&self, patience: Duration) -> Self {
        Self {
            patience,
            ..self.clone()
        }
    }

    /// Another session on the same connection, such as one that an event of this one told of.
    #[must_use]
    pub fn sibling(&self, id: SessionId) -> Self {
        Self {
            id: Some(id),
            ..self.clone()
        }
    }

    /// Runs a command within the usual deadline.
    pub async fn call<C: Command>(&self, command: C) -> Result<C::Reply, CdpError> {
        self.call_within(self.patience, command).await
    }

    /// Runs a command within a deadline of its own.
    pub async fn call_within<C: Command>(
        &self,
        deadline: Duration,
        command: C,
    ) -> Result<C::Reply, CdpError> {
        let session = self.id.as_ref();
        let sent = self.connection.send(session, C::METHOD, &command, deadline);
        json::decode(&sent.await?).map_err(|error| CdpError::Malformed {
            method: C::METHOD,
            detail: error.to_string(),
        })
    }

    /// Listens from here on.
    pub fn events(&self) -> Events {
        self.connection.events(self.id.as_ref())
    }
}
